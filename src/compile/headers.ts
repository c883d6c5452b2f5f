import type { McpHttpServer } from '../spec/spec.ts'
import type { Support } from './target.ts'

/**
 * The support of a harness for headers, given the names (in lower case) that it writes itself on some of its requests:
 * a value in the spec would be replaced or doubled.
 */
export function headersExcept(
  title: string,
  reserved: readonly string[],
): { readonly headers: Support; readonly headerVariables: Support } {
  return {
    headers: except(title, reserved, ({ headers }) => headers),
    headerVariables: except(title, reserved, ({ headerVariables }) => headerVariables),
  }
}

function except(
  title: string,
  reserved: readonly string[],
  headersOf: (server: McpHttpServer) => Readonly<Record<string, string>>,
): Support {
  return {
    kind: 'conditional',
    condition: 'not for headers that belong to HTTP or to MCP itself',
    refuse: ({ server }) => {
      const names = server.transport === 'http' ? Object.keys(headersOf(server)) : []
      const found = names.filter((name) => reserved.includes(name.toLowerCase()))
      if (found.length === 0) return undefined
      return {
        reason: `${title} sets ${found.map((name) => `\`${name}\``).join(', ')} itself on its requests`,
        help: 'remove it: it belongs to HTTP or to MCP itself',
      }
    },
  }
}
