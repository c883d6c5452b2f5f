import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { finding } from './findings.ts'
import { type ForeignServer, type NamedText, type Policy, scopes } from './foreign.ts'
import type { Form } from './form.ts'

/** A server and the form that it was read from. */
export interface ReadServer {
  readonly form: Form
  readonly server: ForeignServer
}

/**
 * One server for each name, in the order of the nearest ones: it counts whole, or part by part where the program merges
 * its files (Codex CLI). What was found in a server that does not count is not told.
 */
export function mergeServers(all: readonly ReadServer[]): ForeignServer[] {
  const byName = new Map<string, ReadServer>()
  const nearest = all.toSorted((a, b) => scopes.indexOf(a.server.scope) - scopes.indexOf(b.server.scope))
  for (const read of nearest) {
    const { name } = read.server
    const nearer = byName.get(name)
    byName.set(name, nearer === undefined ? read : { ...nearer, server: merged(nearer, read) })
  }
  return [...byName.values()].map(({ server }) => server)
}

function merged({ form, server: nearer }: ReadServer, { server: farther }: ReadServer): ForeignServer {
  const told = twice(nearer, farther, form)
  if (form.merge === 'whole') return { ...nearer, findings: [...nearer.findings, told] }
  const environment = united(farther.environment, nearer.environment)
  const headers = united(farther.headers, nearer.headers)
  const asksFor = [...(farther.asksFor ?? []), ...(nearer.asksFor ?? [])]
  return {
    ...farther,
    ...nearer,
    ...(environment.length > 0 && { environment }),
    ...(headers.length > 0 && { headers }),
    ...(asksFor.length > 0 && { asksFor }),
    findings: [...farther.findings, ...nearer.findings, told],
  }
}

function united(farther: readonly NamedText[] = [], nearer: readonly NamedText[] = []): NamedText[] {
  const names = new Set(nearer.map(({ name }) => name))
  return [...farther.filter(({ name }) => !names.has(name)), ...nearer]
}

function twice(nearer: ForeignServer, farther: ForeignServer, { merge, program }: Form): Diagnostic {
  const message =
    merge === 'whole'
      ? 'the server is defined twice, and this definition counts'
      : `the server is defined twice, and ${program} puts both definitions together, this one first`
  const related = [{ message: 'the other one', span: farther.span }]
  return { ...finding('BRIDLE426', message, { span: nearer.span, server: nearer.name }), related }
}

/** The servers under all rules that concern them; rules that concern none are told. */
export function applyPolicies(
  servers: readonly ForeignServer[],
  policies: readonly Policy[],
): { servers: ForeignServer[]; findings: Diagnostic[] } {
  const findings: Diagnostic[] = []
  let current = [...servers]
  for (const policy of policies) {
    const applied = current.map((server) => policy.apply(server))
    if (policy.unused !== undefined && applied.every((server) => server === undefined))
      findings.push(policy.unused)
    current = current.map((server, index) => applied[index] ?? server)
  }
  return { servers: current, findings }
}
