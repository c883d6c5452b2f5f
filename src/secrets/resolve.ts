import type { Injection } from '../compile/lower.ts'
import type { Refusal, Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { environmentName, type Path, type Spec } from '../spec/spec.ts'

export interface ResolvedSecrets {
  /** By the name in the environment of the harness, each encoded as the target needs it. */
  readonly values: Readonly<Record<string, string>>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The values that a launch injects. Every missing or undeliverable one is reported, with the places that use it, and
 * none is ever shown. An empty value counts as missing: it is nearly always a mistake in a shell profile.
 *
 * @param environment the environment of the launch, in which the sources are looked up
 */
export function resolveSecrets(
  spec: Spec,
  target: Target,
  injections: readonly Injection[],
  environment: Environment,
): ResolvedSecrets {
  const lookUp = (variable: string): string | undefined => {
    const name = environmentName(spec, variable)
    return Object.hasOwn(environment, name) ? environment[name] || undefined : undefined
  }
  const missing = [...usesByVariable(injections)]
    .filter(([variable]) => lookUp(variable) === undefined)
    .map(([variable, uses]) => missingVariable(spec, variable, uses))
  const delivered = injections.flatMap((injection) => {
    const value = lookUp(injection.variable)
    return value === undefined ? [] : [deliver(spec, target, injection, value)]
  })
  return {
    values: Object.fromEntries(delivered.map(({ name, value }) => [name, value])),
    diagnostics: [...missing, ...delivered.flatMap(({ diagnostics }) => diagnostics)],
  }
}

function usesByVariable(injections: readonly Injection[]): Map<string, Path[]> {
  const uses = new Map<string, Path[]>()
  for (const { variable, paths } of injections) {
    const known = uses.get(variable)
    if (known === undefined) uses.set(variable, [...paths])
    else known.push(...paths)
  }
  return uses
}

function missingVariable(spec: Spec, variable: string, uses: readonly Path[]): Diagnostic {
  const name = environmentName(spec, variable)
  const isSet = `\`${name}\` is not set in the environment, or empty`
  return diagnostic('BRIDLE501', 'error', `no value for the variable \`${variable}\`: ${isSet}`, {
    span: spec.source.span(['variables', variable], 'key'),
    related: uses.map((path) => ({ message: `used here, ${userOf(path)}`, span: spec.source.span(path) })),
    help: `set it for this one command: \`${name}=… bridle run …\`, or export it from a password manager`,
  })
}

function userOf([part, name]: Path): string {
  return part === 'servers' ? `by the server \`${name}\`` : 'by the harness itself'
}

/** The limit of the Linux kernel for one string of an environment (MAX_ARG_STRLEN), `NAME=` and NUL included. */
const environmentStringLimitBytes = 131_072

function deliver(
  spec: Spec,
  target: Target,
  injection: Injection,
  value: string,
): { name: string; value: string; diagnostics: Diagnostic[] } {
  const { name, field, variable, paths } = injection
  const encoded = field === 'account' ? value : target.secrets.encodeValue(value, field)
  const refusal =
    refuseBytes(value) ??
    refuseLength(encoded, [name, ...paths.map((path) => String(path.at(-1)))]) ??
    (field === 'account' ? undefined : target.secrets.refuseValue(value, field))
  if (refusal === undefined) return { name, value: encoded, diagnostics: [] }
  const refused = diagnostic(
    'BRIDLE502',
    'error',
    `the value of \`${variable}\` cannot be delivered: ${refusal.reason}`,
    { span: spec.source.span(paths[0] ?? ['variables', variable]), target: target.id, help: refusal.help },
  )
  return { name, value: encoded, diagnostics: [refused] }
}

/** Node.js has put the replacement character in the place of bytes that it could not read. */
function refuseBytes(value: string): Refusal | undefined {
  return value.includes('\uFFFD')
    ? { reason: 'it holds bytes that are not UTF-8', help: 'encode it as text, in base64 for example' }
    : undefined
}

/** The kernel counts the name, under which the value arrives, too. */
function refuseLength(value: string, names: readonly string[]): Refusal | undefined {
  const longestName = Math.max(...names.map((name) => Buffer.byteLength(name)))
  const length = longestName + Buffer.byteLength(value) + '=\0'.length
  return length > environmentStringLimitBytes
    ? {
        reason: 'it is longer than the 128 KiB that an environment can hold',
        help: 'give the server a file to read it from',
      }
    : undefined
}
