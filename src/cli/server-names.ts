import { selectServers } from '../compile/select.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { unknownServer } from '../spec/unknown-server.ts'

/** What is wrong with the servers that a command line names: those that there are not, and those left out. */
export function checkServerNames(spec: Spec, target: Target, names: readonly string[]): Diagnostic[] {
  const known = new Set(spec.servers.map(({ name }) => name))
  const taking = new Set(selectServers(spec, target, 'launch').map(({ name }) => name))
  return names.flatMap((name) => {
    if (!known.has(name)) return [unknownServer(name, spec.servers)]
    return taking.has(name) ? [] : [leftOut(spec, target, name)]
  })
}

function leftOut(spec: Spec, target: Target, name: string): Diagnostic {
  return diagnostic('BRIDLE214', 'error', `the server \`${name}\` is not for ${target.title}`, {
    span: spec.source.span(['servers', name], 'key'),
    server: name,
    help: `it is not \`enabled\`, or \`targets.${target.id}.servers\` leaves it out`,
  })
}
