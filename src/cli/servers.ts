import { builtin } from '../../targets/builtin/target.ts'
import { unknownServer } from '../agent/call-tool.ts'
import { compile } from '../compile/compile.ts'
import { narrow } from '../compile/select.ts'
import type { LoweredServer } from '../compile/target.ts'
import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../mcp/environment.ts'
import { resolveSecrets } from '../secrets/resolve.ts'
import type { Spec } from '../spec/spec.ts'

export interface ReadyServers {
  /** Absent when there are errors. */
  readonly ready?: { readonly servers: readonly LoweredServer[]; readonly environment: Environment }
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The servers of a spec as the built-in harness would get them in a launch, and the environment with their secrets.
 *
 * @param names the servers that are meant; all that are enabled when there are none
 */
export function readyServers(spec: Spec, names: readonly string[], environment: Environment): ReadyServers {
  const unknown = names
    .filter((name) => !spec.servers.some((server) => server.name === name))
    .map((name) => unknownServer(name, spec.servers))
  if (unknown.length > 0) return { diagnostics: unknown }
  const { emission, diagnostics } = compile(names.length > 0 ? narrow(spec, names) : spec, builtin, 'launch')
  if (emission === undefined) return { diagnostics }
  const absent = names
    .filter((name) => !emission.servers.some((server) => server.name === name))
    .map((name) => leftOut(spec, name))
  const secrets = resolveSecrets(spec, builtin, emission.injections, environment)
  const all = [...diagnostics, ...absent, ...secrets.diagnostics]
  if (hasErrors(all)) return { diagnostics: all }
  return {
    ready: { servers: emission.servers, environment: { ...environment, ...secrets.values } },
    diagnostics: all,
  }
}

/** The diagnostics of a run, each at the server that it is about. */
export function placeAtServers(spec: Spec, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map((each) =>
    each.span !== undefined || each.server === undefined
      ? each
      : { ...each, span: spec.source.span(['servers', each.server], 'key') },
  )
}

function leftOut(spec: Spec, name: string): Diagnostic {
  return diagnostic('BRIDLE214', 'error', `the server \`${name}\` is not for the built-in harness`, {
    span: spec.source.span(['servers', name], 'key'),
    server: name,
    help: 'it is not `enabled`, or `targets.builtin.servers` leaves it out',
  })
}
