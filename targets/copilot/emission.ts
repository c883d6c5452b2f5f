import * as z from 'zod/mini'
import type { JsonObject } from '../../src/compile/serialize.ts'
import type { Context, EmittedDocument, LoweredServer } from '../../src/compile/target.ts'
import type { McpHttpServer, McpStdioServer } from '../../src/spec/spec.ts'

const texts = () => z.record(z.string().check(z.minLength(1)), z.string())
const toolNames = () => z.exactOptional(z.array(z.string()).check(z.minLength(1)))

const common = () => ({
  /** In `tools`, `*` is every tool and no tool of that name. */
  tools: z.exactOptional(z.array(z.string().check(z.regex(/^(?!\*$)/))).check(z.minLength(1))),
  excludeTools: toolNames(),
  /** Milliseconds; 0 and fractions drop the entry. */
  timeout: z.exactOptional(z.int().check(z.gte(1))),
})

const stdioEntry = () =>
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().check(z.minLength(1)),
    args: z.array(z.string()),
    env: z.exactOptional(texts()),
    cwd: z.exactOptional(z.string()),
    ...common(),
  })

const httpEntry = () =>
  z.strictObject({
    type: z.literal('http'),
    url: z.string().check(z.minLength(1)),
    headers: z.exactOptional(texts()),
    ...common(),
  })

/** The file of servers. Copilot drops unknown keys in silence, and of a file of the user or a project faulty entries too. */
const serversDocument = z.lazy(() =>
  z.strictObject({
    mcpServers: z.record(z.string(), z.discriminatedUnion('type', [stdioEntry(), httpEntry()])),
  }),
)

/** In the state folder of a launch, `mcp-config.json` would be read as the user's file, without a word about faults. */
export const paths = { standalone: 'mcp-config.json', launch: 'bridle-mcp.json' } as const

/** The one document, for the file of the user or the project, or to be passed by option. */
export function emit(servers: readonly LoweredServer[], context: Context): readonly EmittedDocument[] {
  const entries = servers.map((server) => [server.name, entryFor(server)] as const)
  const document = { mcpServers: Object.fromEntries(entries) }
  return [{ path: paths[context], format: 'json', document, schema: serversDocument }]
}

function entryFor(server: LoweredServer): JsonObject {
  const { tools, toolTimeoutMs } = server
  return {
    ...(server.transport === 'stdio' ? stdioFor(server) : httpFor(server)),
    ...(tools?.include && { tools: tools.include }),
    ...(tools?.exclude && { excludeTools: tools.exclude }),
    ...(toolTimeoutMs !== undefined && { timeout: toolTimeoutMs }),
  }
}

function stdioFor(server: McpStdioServer): JsonObject {
  const { command, arguments: args, environment, variables, workingDirectory } = server
  const env = { ...environment, ...references(variables) }
  return {
    type: 'stdio',
    command,
    args,
    ...(!isEmpty(env) && { env }),
    ...(workingDirectory !== undefined && { cwd: workingDirectory }),
  }
}

function httpFor({ url, headers, headerVariables, bearerTokenVariable }: McpHttpServer): JsonObject {
  const all = {
    ...headers,
    ...references(headerVariables),
    ...(bearerTokenVariable !== undefined && { Authorization: `Bearer \${${bearerTokenVariable}}` }),
  }
  return { type: 'http', url, ...(!isEmpty(all) && { headers: all }) }
}

function references(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, variable]) => [name, `\${${variable}}`]))
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
