import * as z from 'zod/mini'
import { type Entry, present, unlessEmpty } from '../../src/compile/entry.ts'
import type { JsonObject } from '../../src/compile/serialize.ts'
import type { Context, EmittedDocument, LoweredServer } from '../../src/compile/target.ts'
import type { McpHttpServer, McpStdioServer } from '../../src/spec/spec.ts'

/** A wrong value anywhere makes Kimi Code drop the whole file, with a word in its log only; unknown keys it ignores. */
const milliseconds = () => z.exactOptional(z.int().check(z.gte(1), z.lte(2_147_483_647)))
const literals = () => z.exactOptional(z.record(z.string().check(z.minLength(1)), z.string()))
const toolNames = () => z.exactOptional(z.array(z.string()).check(z.minLength(1)))

const common = () => ({
  startupTimeoutMs: milliseconds(),
  toolTimeoutMs: milliseconds(),
  enabledTools: toolNames(),
  disabledTools: toolNames(),
})

const stdioEntry = () =>
  z.strictObject({
    transport: z.literal('stdio'),
    command: z.string().check(z.minLength(1)),
    args: z.exactOptional(z.array(z.string())),
    env: literals(),
    cwd: z.exactOptional(z.string().check(z.minLength(1))),
    ...common(),
  })

const httpEntry = () =>
  z.strictObject({
    transport: z.literal('http'),
    url: z.string().check(z.regex(/^https?:/i)),
    headers: literals(),
    bearerTokenEnvVar: z.exactOptional(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/))),
    auth: z.exactOptional(z.literal('oauth')),
    ...common(),
  })

const mcpDocument = z.lazy(() =>
  z.strictObject({
    mcpServers: z.record(z.string(), z.discriminatedUnion('transport', [stdioEntry(), httpEntry()])),
  }),
)

export const documentName = 'mcp.json'

/** `mcp.json`, relative to KIMI_CODE_HOME or to the `.kimi-code` folder of a project. */
export function emit(servers: readonly LoweredServer[], context: Context): readonly EmittedDocument[] {
  const entries = servers.map((server) => [server.name, entryFor(server, context)] as const)
  const document = { mcpServers: Object.fromEntries(entries) }
  return [{ path: documentName, format: 'json', document, schema: mcpDocument }]
}

function entryFor(server: LoweredServer, context: Context): JsonObject {
  const { tools, startupTimeoutMs, toolTimeoutMs } = server
  return present({
    ...(server.transport === 'stdio' ? stdioFor(server) : httpFor(server, context)),
    startupTimeoutMs,
    toolTimeoutMs,
    enabledTools: tools?.include,
    disabledTools: tools?.exclude,
  })
}

/** Its variables need no key: a server inherits the whole environment of Kimi Code. */
function stdioFor({ command, arguments: args, environment, workingDirectory }: McpStdioServer): Entry {
  return {
    transport: 'stdio',
    command,
    args: unlessEmpty(args),
    env: unlessEmpty(environment),
    cwd: workingDirectory,
  }
}

/**
 * A server that answers 401 gets a tool `authenticate`, with which a headless run waits for a browser for 15 minutes,
 * but not where it has headers and no `auth`, be they none.
 */
function httpFor({ url, headers, bearerTokenVariable, oauth }: McpHttpServer, context: Context): Entry {
  return {
    transport: 'http',
    url,
    headers: context === 'launch' ? headers : unlessEmpty(headers),
    bearerTokenEnvVar: bearerTokenVariable,
    auth: oauth === 'login' ? 'oauth' : undefined,
  }
}
