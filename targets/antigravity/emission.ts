import * as z from 'zod/mini'
import { present, unlessEmpty } from '../../src/compile/entry.ts'
import { entryWith } from '../../src/compile/entry-schema.ts'
import type { JsonObject } from '../../src/compile/serialize.ts'
import type { EmittedDocument, LoweredServer } from '../../src/compile/target.ts'

const texts = () => z.exactOptional(z.record(z.string().check(z.minLength(1)), z.string()))
const tools = () => z.exactOptional(z.array(z.string()).check(z.minLength(1)))

const stdioEntry = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    args: z.array(z.string()),
    env: texts(),
    disabledTools: tools(),
  })

const httpEntry = () =>
  z.strictObject({
    serverUrl: z.string().check(z.regex(/^https?:/i)),
    headers: texts(),
    disabledTools: tools(),
  })

const mcpDocument = z.lazy(() =>
  z.strictObject({ mcpServers: z.record(z.string(), entryWith('command', stdioEntry(), httpEntry())) }),
)

export const documentName = 'mcp_config.json'

export function emit(servers: readonly LoweredServer[]): readonly EmittedDocument[] {
  const entries = servers.map((server) => [server.name, entryFor(server)] as const)
  const document = { mcpServers: Object.fromEntries(entries) }
  return [{ path: documentName, format: 'json', document, schema: mcpDocument }]
}

function entryFor(server: LoweredServer): JsonObject {
  const disabledTools = server.tools?.exclude
  if (server.transport === 'http') {
    return present({ serverUrl: server.url, headers: unlessEmpty(server.headers), disabledTools })
  }
  const { command, arguments: args, environment } = server
  return present({ command, args, env: unlessEmpty(environment), disabledTools })
}
