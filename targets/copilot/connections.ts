import { createHash } from 'node:crypto'
import type { Connection, ConnectionLog } from '../../src/compile/target.ts'

/**
 * Copilot 1.0.102 tells in the log of its process why a server failed, not of all that failed and of none that
 * connected. What became of each one it tells in its telemetry, which a launch has it write beside: by a digest of the
 * name, and only at the end of the agent's turn. The telemetry has the last word, the log the reasons.
 */
export const connections: ConnectionLog = { path: 'logs', read }

function read(log: string, servers: readonly string[]): readonly Connection[] {
  const lines = log.split('\n')
  const reasons = new Map(lines.flatMap(failedServer))
  const states = new Map(lines.flatMap(lifecycleStates))
  return servers.flatMap((server): Connection[] => {
    const state = states.get(digest(server))
    const reason = reasons.get(server)
    if (state === 'initialized') return [{ server, status: 'connected' }]
    if (reason !== undefined) return [{ server, status: 'failed', reason }]
    return state === undefined || state === 'discovered' ? [] : [{ server, status: 'failed' }]
  })
}

function digest(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

interface Telemetry {
  readonly events?: readonly {
    readonly name?: string
    readonly attributes?: Readonly<Record<string, unknown>>
  }[]
}

const lifecycle = 'github.copilot.mcp.server.lifecycle'

/** By digest of the name, in the order in which they came: `discovered`, then `initialized`, then perhaps `error`. */
function lifecycleStates(line: string): [digest: unknown, state: unknown][] {
  if (!line.startsWith('{') || !line.includes(lifecycle)) return []
  const { events = [] }: Telemetry = parse(line)
  return events
    .filter(({ name }) => name === lifecycle)
    .map(({ attributes = {} }) => [
      attributes['github.copilot.mcp.server.name_hash'],
      attributes['github.copilot.mcp.server.state'],
    ])
}

/** The last line may not be whole yet. */
function parse(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

interface Failure {
  readonly server_name?: string
  readonly raw_error?: string
  readonly server?: string
  readonly error?: string
}

/**
 * `<time> [WARNING] [rust:copilot_runtime::mcp::native_connector] MCP server connection failed {"server_name":"docs",
 * "raw_error":"…","stderr_detail":"…"}`, or `… [rust:mcp_client::session_authorizer] … {"server":"docs","error":"…"}` of a
 * server that wants a login. What the server itself wrote (`stderr_detail`) may hold anything, a secret too.
 */
function failedServer(line: string): [server: string, reason: string][] {
  const [, json = ''] =
    /^\S+ \[WARNING\] \[rust:(?:copilot_runtime::mcp::native_connector|mcp_client::session_authorizer)\] [^{]*(\{.*\})$/.exec(
      line,
    ) ?? []
  const { server_name, raw_error, server, error }: Failure = parse(json)
  const [name, reason] = [server_name ?? server, raw_error ?? error]
  return name === undefined || reason === undefined ? [] : [[name, reason]]
}
