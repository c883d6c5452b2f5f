import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { mostLike } from './suggest.ts'

/** Someone named a server, at the command line for example, that is none of these. */
export function unknownServer(name: string, servers: readonly { readonly name: string }[]): Diagnostic {
  const names = servers.map((server) => server.name)
  const like = mostLike(name, names)
  const all = names.length === 0 ? 'there are none' : `the servers are ${names.join(', ')}`
  return diagnostic('BRIDLE214', 'error', `there is no server \`${name}\``, {
    help: like === undefined ? all : `did you mean \`${like}\`?`,
  })
}
