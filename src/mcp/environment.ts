import type { Environment } from '../host/environment.ts'
import type { McpServer, McpStdioServer } from '../spec/spec.ts'
import { variableUses } from '../spec/variable-uses.ts'

/**
 * What every stdio server inherits: who runs it, where programs are found, the language, the certificates to trust,
 * and where package runners keep their caches. A server that needs more declares it.
 */
const baseNames = (
  'PATH HOME USER LOGNAME SHELL TERM TMPDIR TZ LANG LC_ALL LC_CTYPE ' +
  'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE ' +
  'npm_config_cache npm_config_offline npm_config_update_notifier npm_config_fund npm_config_audit ' +
  'UV_CACHE_DIR UV_OFFLINE'
).split(' ')

/** The whole environment of a stdio server: the base list, its literals and its own variables, and nothing else. */
export function serverEnvironment(server: McpStdioServer, environment: Environment): Record<string, string> {
  const inherited = baseNames.map((name) => [name, environment[name]] as const)
  const own = Object.entries(server.variables).map(([name, source]) => [name, environment[source]] as const)
  const all = [...inherited, ...Object.entries(server.environment), ...own]
  return Object.fromEntries(all.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

/** The names in the environment of the harness from which this server gets its secrets. */
export function variableNames(server: McpServer): string[] {
  return variableUses(server, server.name).map(({ variable }) => variable)
}
