import * as z from 'zod/mini'
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
  const exclude = server.tools?.exclude
  const filter = exclude && { disabledTools: [...exclude] }
  if (server.transport === 'http') {
    return { serverUrl: server.url, ...filled('headers', server.headers), ...filter }
  }
  const { command, arguments: args, environment } = server
  return { command, args: [...args], ...filled('env', environment), ...filter }
}

function filled(key: string, map: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(map).length === 0 ? {} : { [key]: map }
}
