import type { Connection, ConnectionLog } from '../../src/compile/target.ts'

/** The debug log, relative to the state folder. */
export const debugLog = 'bridle-debug.log'

/**
 * What the debug log of Claude Code tells of its servers. A server that connected stays connected: the program starts it
 * again when a call finds it gone. One that failed may connect later, since remote servers are tried again.
 */
export const connections: ConnectionLog = {
  path: debugLog,
  read(log, servers) {
    const wanted = new Set(servers)
    const told = new Map<string, Connection>()
    for (const word of log.split('\n').flatMap((line) => wordsIn(messageOf(line)))) {
      if (wanted.has(word.server) && told.get(word.server)?.status !== 'connected')
        told.set(word.server, word)
    }
    return [...told.values()]
  },
}

/** `2026-11-30T19:07:27.520Z [DEBUG] message`; a message of several lines is one JSON string. */
function messageOf(line: string): string {
  const message = /^\S+ \[(?:DEBUG|INFO|WARN|ERROR)\] (.*)$/s.exec(line)?.[1] ?? ''
  if (!message.startsWith('"')) return message
  try {
    return String(JSON.parse(message))
  } catch {
    return ''
  }
}

function wordsIn(message: string): Connection[] {
  const [, server = '', rest = ''] = /^MCP server "([^"]*)"(.*)$/s.exec(message) ?? []
  if (isConnected.test(rest)) return [{ server, status: 'connected' }]
  const reason = failures.map((failure) => failure.exec(rest)?.[1]).find((text) => text !== undefined)
  if (reason !== undefined) return [{ server, status: 'failed', reason }]
  return message.startsWith('--mcp-config: ') ? skippedIn(message) : []
}

/** After a name such as `token` the log has something in place of the next word. */
const isConnected = /^: (?:Successfully|\[REDACTED\]) connected \(transport: /

const failures = [
  /^ Connection failed(?: \([A-Z0-9_]+\))?: (.*)$/s,
  /^ (Server rejected the configured Authorization header.*)$/s,
  /^ ('url' is not a valid URL.*)$/s,
  /^: ((?:Authentication|\[REDACTED\]) required for HTTP server)/,
]

/** `--mcp-config: 2 entry warning(s): mcpServers.a: …; mcpServers.b: …`: of some entries it is that they were left out. */
function skippedIn(message: string): Connection[] {
  return message
    .split(/(?:: |; )mcpServers\./)
    .slice(1)
    .flatMap((warning) => {
      const [, server = '', reason = ''] = /^([^:]+): (.*)$/s.exec(warning) ?? []
      return /^Skipped\b|was not loaded$/.test(reason) ? [{ server, status: 'failed' as const, reason }] : []
    })
}
