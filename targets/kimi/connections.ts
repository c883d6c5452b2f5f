import type { Connection, ConnectionLog } from '../../src/compile/target.ts'

/**
 * Kimi Code 2.1.0 tells of a failed server in `logs/kimi-code.log` and of a connected one, with its tools, in the
 * journal of the session (`sessions/…/wire.jsonl`): both lie in its state folder. The two files have no common order,
 * so a server that connected once counts as connected.
 */
export const connections: ConnectionLog = { path: '.', read }

function read(log: string, servers: readonly string[]): readonly Connection[] {
  const lines = log.split('\n')
  const connected = new Set(lines.flatMap(connectedServer))
  const failures = new Map(lines.flatMap(failedServer))
  return servers.flatMap((server): Connection[] => {
    if (connected.has(server)) return [{ server, status: 'connected' }]
    const reason = failures.get(server)
    return reason === undefined ? [] : [{ server, status: 'failed', reason }]
  })
}

/** `{"type":"mcp.tools_discovered","agentId":"main","serverName":"docs","hash":…}`, which quotes every other text. */
function connectedServer(line: string): string[] {
  const [, name] =
    /^\{"type":"mcp\.tools_discovered","agentId":"[^"]*","serverName":"([\w-]+)"/.exec(line) ?? []
  return name === undefined ? [] : [name]
}

/** `<time> ERROR mcp server unavailable  server=docs transport=http status=failed reason="fetch failed"` */
function failedServer(line: string): [server: string, reason: string][] {
  const [, name, reason] =
    /^\d{4}-[\dT:.-]+Z ERROR mcp server unavailable +server=([\w-]+) transport=\w+ status=[\w-]+ reason=(.*)$/.exec(
      line,
    ) ?? []
  return name === undefined || reason === undefined ? [] : [[name, withoutOutput(unquoted(reason))]]
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value
  }
}

/** What the server itself wrote or answered may hold anything, a secret too. */
function withoutOutput(reason: string): string {
  return reason
    .replace(/\n.*$/s, '')
    .replace(/(Error POSTing to endpoint).*$/s, '$1')
    .slice(0, 200)
}
