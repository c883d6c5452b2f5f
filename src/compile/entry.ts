import type { McpHttpServer, McpStdioServer } from '../spec/spec.ts'
import type { JsonObject } from './serialize.ts'

/** What targets have in common in the entry that they write for a server. */

/** An entry of which some keys may have no value. */
export type Entry = { readonly [Key in string]?: JsonObject[string] | undefined }

/** The entry without the keys that have no value. */
export function present(entry: Entry): JsonObject {
  return Object.fromEntries(
    Object.entries(entry).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}

export function unlessEmpty<Map extends object>(map: Map): Map | undefined {
  return Object.keys(map).length > 0 ? map : undefined
}

/** The environment of a server for a harness that replaces `${NAME}`; undefined when there is none. */
export function environmentOf({
  environment,
  variables,
}: McpStdioServer): Record<string, string> | undefined {
  return unlessEmpty({ ...environment, ...references(variables) })
}

/** The headers of a server for a harness that replaces `${NAME}`; undefined when there are none. */
export function headersOf(server: McpHttpServer): Record<string, string> | undefined {
  const { headers, headerVariables, bearerTokenVariable } = server
  return unlessEmpty({
    ...headers,
    ...references(headerVariables),
    ...(bearerTokenVariable !== undefined && { Authorization: `Bearer \${${bearerTokenVariable}}` }),
  })
}

function references(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, `\${${variable}}`]))
}
