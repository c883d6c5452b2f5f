import * as z from 'zod/mini'
import { type Entry, environmentOf, headersOf, present } from '../../src/compile/entry.ts'
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
  return present({
    ...(server.transport === 'stdio' ? stdioFor(server) : httpFor(server)),
    tools: server.tools?.include,
    excludeTools: server.tools?.exclude,
    timeout: server.toolTimeoutMs,
  })
}

function stdioFor(server: McpStdioServer): Entry {
  const { command, arguments: args, workingDirectory } = server
  return { type: 'stdio', command, args, env: environmentOf(server), cwd: workingDirectory }
}

function httpFor(server: McpHttpServer): Entry {
  return { type: 'http', url: server.url, headers: headersOf(server) }
}
