import * as z from 'zod/mini'
import type { JsonObject } from '../../src/compile/serialize.ts'
import type { EmitSettings } from '../../src/compile/target.ts'

const provider = () =>
  z.strictObject({
    name: z.literal('Bridle'),
    base_url: z.string().check(z.minLength(1)),
    wire_api: z.literal('responses'),
    env_key: z.exactOptional(z.string()),
  })

/** What a launch sets besides the servers; the values are explained at `settings`. */
export const launchConfig = () => ({
  approval_policy: z.literal('never'),
  sandbox_mode: z.literal('danger-full-access'),
  check_for_update_on_startup: z.literal(false),
  mcp_oauth_credentials_store: z.literal('file'),
  web_search: z.literal('disabled'),
  analytics: z.strictObject({ enabled: z.literal(false) }),
  feedback: z.strictObject({ enabled: z.literal(false) }),
  features: z.record(z.enum(['apps', 'plugins', 'remote_plugin']), z.literal(false)),
  history: z.strictObject({ persistence: z.literal('none') }),
  otel: z.record(z.enum(['exporter', 'metrics_exporter', 'trace_exporter']), z.literal('none')),
  shell_environment_policy: z.strictObject({ inherit: z.literal('core') }),
  model_provider: z.exactOptional(z.literal('bridle')),
  model_providers: z.exactOptional(z.strictObject({ bridle: provider() })),
})

const settings = {
  // Headless, there is nobody to ask: a tool that asks is refused by Bridle before the start.
  approval_policy: 'never',
  // Bridle's sandbox takes the place of Codex's own, which needs the nested namespaces that ours forbids.
  sandbox_mode: 'danger-full-access',
  // What leads out of the sandbox besides the model: updates, telemetry, plugins, a search that the model's host runs.
  check_for_update_on_startup: false,
  web_search: 'disabled',
  analytics: { enabled: false },
  feedback: { enabled: false },
  features: { apps: false, plugins: false, remote_plugin: false },
  otel: { exporter: 'none', metrics_exporter: 'none', trace_exporter: 'none' },
  // Nothing outlives the private state folder.
  mcp_oauth_credentials_store: 'file',
  history: { persistence: 'none' },
  // By default the agent's shell inherits every variable of Codex, secrets too.
  shell_environment_policy: { inherit: 'core' },
} as const satisfies JsonObject

const publicApi = 'https://api.openai.com/v1'

/** The settings of a launch, with the model endpoint and the name of its key where the spec gives one of them. */
export function launchSettings({ accountVariables, environment }: EmitSettings): JsonObject {
  const baseUrl = environment['OPENAI_BASE_URL']
  const [keyName] = accountVariables
  if (baseUrl === undefined && keyName === undefined) return settings
  const bridle = {
    name: 'Bridle',
    base_url: baseUrl ?? publicApi,
    wire_api: 'responses',
    ...(keyName !== undefined && { env_key: keyName }),
  }
  return { ...settings, model_provider: 'bridle', model_providers: { bridle } }
}
