import { selectServers } from '../compile/select.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { mostLike } from '../spec/suggest.ts'

/** What is wrong with the servers that a command line names: those that there are not, and those left out. */
export function checkServerNames(spec: Spec, target: Target, names: readonly string[]): Diagnostic[] {
  const known = spec.servers.map(({ name }) => name)
  const taking = selectServers(spec, target, 'launch').map(({ name }) => name)
  return names.flatMap((name) => {
    if (!known.includes(name)) return [unknownServer(name, known)]
    return taking.includes(name) ? [] : [leftOut(spec, target, name)]
  })
}

function unknownServer(name: string, known: readonly string[]): Diagnostic {
  const suggestion = mostLike(name, known)
  const all = known.length === 0 ? 'the spec has none' : `the servers are ${known.join(', ')}`
  return diagnostic('BRIDLE214', 'error', `there is no server \`${name}\``, {
    help: suggestion === undefined ? all : `did you mean \`${suggestion}\`?`,
  })
}

function leftOut(spec: Spec, target: Target, name: string): Diagnostic {
  return diagnostic('BRIDLE214', 'error', `the server \`${name}\` is not for ${target.title}`, {
    span: spec.source.span(['servers', name], 'key'),
    server: name,
    help: `it is not \`enabled\`, or \`targets.${target.id}.servers\` leaves it out`,
  })
}
