import * as z from 'zod/mini'
import { type Entry, present, unlessEmpty } from '../../src/compile/entry.ts'
import { entryWith } from '../../src/compile/entry-schema.ts'
import type { JsonObject } from '../../src/compile/serialize.ts'
import type { Context, EmitSettings, EmittedDocument, LoweredServer } from '../../src/compile/target.ts'
import type { McpHttpServer, McpStdioServer } from '../../src/spec/spec.ts'
import { launchConfig, launchSettings } from './settings.ts'

const literals = () => z.record(z.string(), z.string())
const variableName = () => z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
const toolNames = () => z.array(z.string()).check(z.minLength(1))
/** Zero is no "never" in Codex but an instant failure. */
const seconds = () => z.number().check(z.gt(0))
const approval = () => z.enum(['prompt', 'approve'])

const common = () => ({
  required: z.exactOptional(z.literal(true)),
  startup_timeout_sec: z.exactOptional(seconds()),
  tool_timeout_sec: z.exactOptional(seconds()),
  enabled_tools: z.exactOptional(toolNames()),
  disabled_tools: z.exactOptional(toolNames()),
  default_tools_approval_mode: z.exactOptional(approval()),
  tools: z.exactOptional(z.record(z.string(), z.strictObject({ approval_mode: approval() }))),
})

const stdioServer = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    args: z.exactOptional(z.array(z.string())),
    env: z.exactOptional(literals()),
    env_vars: z.exactOptional(z.array(variableName())),
    cwd: z.exactOptional(z.string()),
    ...common(),
  })

const httpServer = () =>
  z.strictObject({
    url: z.string().check(z.regex(/^https?:/i)),
    http_headers: z.exactOptional(literals()),
    env_http_headers: z.exactOptional(z.record(z.string(), variableName())),
    bearer_token_env_var: z.exactOptional(variableName()),
    ...common(),
  })

const servers = () => z.record(z.string(), entryWith('command', stdioServer(), httpServer()))

/** All that Bridle writes into `config.toml`: of a user's own file only the servers, in a launch the whole file. */
const standaloneConfig = z.lazy(() => z.strictObject({ mcp_servers: servers() }))
const wholeConfig = z.lazy(() => z.strictObject({ ...launchConfig(), mcp_servers: servers() }))

/** `config.toml`, relative to CODEX_HOME or to the `.codex` folder of a project. */
export function emit(
  lowered: readonly LoweredServer[],
  context: Context,
  settings: EmitSettings,
): readonly EmittedDocument[] {
  const entries = lowered.map((server) => {
    const required = isNeeded(server, context, settings)
    return [server.name, entryFor({ ...server, required }, context)] as const
  })
  const document = {
    ...(context === 'launch' && launchSettings(settings)),
    mcp_servers: Object.fromEntries(entries),
  }
  const schema = context === 'launch' ? wholeConfig : standaloneConfig
  return [{ path: 'config.toml', format: 'toml', document, schema }]
}

/** An optional server that fails, or is slower than a second, is left out of a session without a word. */
function isNeeded({ required }: LoweredServer, context: Context, settings: EmitSettings): boolean {
  return required || (context === 'launch' && settings.requireServers !== false)
}

function entryFor(server: LoweredServer, context: Context): JsonObject {
  const { tools, startupTimeoutMs, toolTimeoutMs, required } = server
  return present({
    ...(server.transport === 'stdio' ? stdioEntry(server) : httpEntry(server)),
    required: required ? true : undefined,
    startup_timeout_sec: inSeconds(startupTimeoutMs),
    tool_timeout_sec: inSeconds(toolTimeoutMs),
    enabled_tools: tools?.include,
    disabled_tools: tools?.exclude,
    ...confirmation(server, context),
  })
}

function stdioEntry(server: McpStdioServer): Entry {
  return {
    command: server.command,
    args: unlessEmpty(server.arguments),
    env: unlessEmpty(server.environment),
    env_vars: unlessEmpty(Object.values(server.variables)),
    cwd: server.workingDirectory,
  }
}

function httpEntry(server: McpHttpServer): Entry {
  return {
    url: server.url,
    http_headers: unlessEmpty(server.headers),
    env_http_headers: unlessEmpty(server.headerVariables),
    bearer_token_env_var: server.bearerTokenVariable,
  }
}

/** Standalone, a server without confirmation is left to the user's own rules; a launch has nobody to ask. */
function confirmation({ requiresConfirmation }: LoweredServer, context: Context): Entry {
  if (requiresConfirmation === true) return { default_tools_approval_mode: 'prompt' }
  if (requiresConfirmation === false) {
    return { default_tools_approval_mode: context === 'launch' ? 'approve' : undefined }
  }
  const tools = requiresConfirmation.map((tool) => [tool, { approval_mode: 'prompt' }] as const)
  return { tools: Object.fromEntries(tools) }
}

/** Codex takes fractions: the nearest double of each whole number of milliseconds up to 2^31 reads back as exactly it. */
function inSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000
}
