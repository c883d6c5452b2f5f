import * as z from 'zod/mini'
import { type Entry, environmentOf, headersOf, present, unlessEmpty } from '../../src/compile/entry.ts'
import type { JsonObject } from '../../src/compile/serialize.ts'
import type { Context, EmittedDocument, LoweredServer } from '../../src/compile/target.ts'
import type { McpHttpServer, McpStdioServer } from '../../src/spec/spec.ts'
import { serverRule, toolRule } from './names.ts'

/** Less than 1000 ms is taken and then not kept (2.1.332). */
const timeout = () => z.exactOptional(z.int().check(z.gte(1000)))
const texts = () => z.record(z.string().check(z.minLength(1)), z.string())

const stdioEntry = () =>
  z.strictObject({
    type: z.literal('stdio'),
    command: z.string().check(z.minLength(1)),
    args: z.array(z.string()),
    env: z.exactOptional(texts()),
    timeout: timeout(),
  })

const httpEntry = () =>
  z.strictObject({
    type: z.literal('http'),
    url: z.string().check(z.minLength(1)),
    headers: z.exactOptional(texts()),
    timeout: timeout(),
  })

/** `.mcp.json`. Claude Code drops unknown keys in silence and skips an entry that it finds faulty. */
export const mcpDocument = z.lazy(() =>
  z.strictObject({
    mcpServers: z.record(z.string(), z.discriminatedUnion('type', [stdioEntry(), httpEntry()])),
  }),
)

const rules = () =>
  z.exactOptional(
    z.array(z.string().check(z.regex(/^([A-Za-z]+|mcp__[A-Za-z0-9_-]+)$/))).check(z.minLength(1)),
  )

/** The keys of `settings.json` that Bridle writes. */
export const settingsDocument = z.lazy(() =>
  z.strictObject({
    permissions: z.exactOptional(z.strictObject({ allow: rules(), ask: rules(), deny: rules() })),
    env: z.exactOptional(z.strictObject({ MCP_TIMEOUT: z.string().check(z.regex(/^[1-9]\d*$/)) })),
  }),
)

/** The names of both documents, by context: in a project, and in the state folder of a launch, which has its own settings.json. */
export const paths = {
  standalone: { mcp: '.mcp.json', settings: '.claude/settings.json' },
  launch: { mcp: 'bridle-mcp.json', settings: 'bridle-settings.json' },
} as const

/** The documents for these servers. A standalone settings file is written only when it holds something. */
export function emit(servers: readonly LoweredServer[], context: Context): EmittedDocument[] {
  const settings = settingsFor(servers, context)
  const mcp: EmittedDocument = {
    path: paths[context].mcp,
    format: 'json',
    document: { mcpServers: Object.fromEntries(servers.map((server) => [server.name, entryFor(server)])) },
    schema: mcpDocument,
  }
  if (context === 'standalone' && Object.keys(settings).length === 0) return [mcp]
  return [
    mcp,
    { path: paths[context].settings, format: 'json', document: settings, schema: settingsDocument },
  ]
}

function entryFor(server: LoweredServer): JsonObject {
  return present({
    ...(server.transport === 'stdio' ? stdioFor(server) : httpFor(server)),
    timeout: server.toolTimeoutMs,
  })
}

function stdioFor(server: McpStdioServer): Entry {
  const { command, arguments: args } = server
  return { type: 'stdio', command, args, env: environmentOf(server) }
}

function httpFor(server: McpHttpServer): Entry {
  return { type: 'http', url: server.url, headers: headersOf(server) }
}

/**
 * Rules: `deny` beats `ask`, `ask` beats `allow`. Headless, a call that no rule allows is refused, and so is one that has
 * to be asked for.
 */
function settingsFor(servers: readonly LoweredServer[], context: Context): JsonObject {
  const permissions = withoutEmpty({
    allow: context === 'launch' ? [...builtInTools, ...servers.flatMap(allowed)] : [],
    ask: servers.flatMap(asked),
    deny: servers.flatMap(({ name, tools }) => (tools?.exclude ?? []).map((tool) => toolRule(name, tool))),
  })
  // One limit for the whole process: the table of features has seen to it that all servers agree.
  const startup = servers.find(({ startupTimeoutMs }) => startupTimeoutMs !== undefined)?.startupTimeoutMs
  return present({
    permissions: unlessEmpty(permissions),
    env: startup === undefined ? undefined : { MCP_TIMEOUT: String(startup) },
  })
}

/** The tools that a headless agent works with: in a launch the sandbox is their guard, so they need no question. */
const builtInTools = ['Bash', 'Edit', 'Monitor', 'NotebookEdit', 'Read', 'WebFetch', 'WebSearch', 'Write']

/** What runs unasked in a launch. With `include` only the tools in it, so that every other call is refused. */
function allowed({ name, tools, requiresConfirmation }: LoweredServer): string[] {
  if (requiresConfirmation === true) return []
  return tools?.include?.map((tool) => toolRule(name, tool)) ?? [serverRule(name)]
}

function asked({ name, requiresConfirmation }: LoweredServer): string[] {
  if (typeof requiresConfirmation === 'boolean') return requiresConfirmation ? [serverRule(name)] : []
  return requiresConfirmation.map((tool) => toolRule(name, tool))
}

function withoutEmpty(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0)
  return Object.fromEntries(filled.map(([key, list]) => [key, [...new Set(list)]]))
}
