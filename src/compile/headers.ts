import type { McpHttpServer } from '../spec/spec.ts'
import type { Support } from './target.ts'

/**
 * The support of a harness for headers.
 *
 * @param reserved the names (in lower case) that it writes itself on some of its requests: a value in the spec would be
 * replaced or doubled
 * @param most how many headers of one server it sends; it drops more in silence
 */
export function headersExcept(
  title: string,
  reserved: readonly string[],
  most = Number.POSITIVE_INFINITY,
): { readonly headers: Support; readonly headerVariables: Support } {
  return {
    headers: except(title, reserved, most, ({ headers }) => headers),
    headerVariables: except(title, reserved, most, ({ headerVariables }) => headerVariables),
  }
}

function except(
  title: string,
  reserved: readonly string[],
  most: number,
  headersOf: (server: McpHttpServer) => Readonly<Record<string, string>>,
): Support {
  const limit = most === Number.POSITIVE_INFINITY ? '' : `, and at most ${most} of one server`
  return {
    kind: 'conditional',
    condition: `not for headers that belong to HTTP or to MCP itself${limit}`,
    refuse: ({ server }) => {
      if (server.transport !== 'http') return undefined
      const count = Object.keys(server.headers).length + Object.keys(server.headerVariables).length
      if (count > most) {
        return {
          reason: `${title} leaves out some of more than ${most} headers in silence, and \`${server.name}\` has ${count}`,
          help: 'set fewer headers',
        }
      }
      const names = Object.keys(headersOf(server))
      const found = names.filter((name) => reserved.includes(name.toLowerCase()))
      if (found.length === 0) return undefined
      return {
        reason: `${title} sets ${found.map((name) => `\`${name}\``).join(', ')} itself on its requests`,
        help: 'remove it: it belongs to HTTP or to MCP itself',
      }
    },
  }
}
