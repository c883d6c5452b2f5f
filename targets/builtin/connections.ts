import type { Connection, ConnectionLog } from '../../src/compile/target.ts'

/** The log that the built-in harness writes when it is given a file for it: one line of JSON a word. */
export const connectionLog = 'connections.jsonl'

export const connections: ConnectionLog = {
  path: connectionLog,
  read(log, servers) {
    const words = log.split('\n').flatMap((line) => parse(line) ?? [])
    const last = new Map(words.map((word) => [word.server, word]))
    return [...last.values()].filter(({ server }) => servers.includes(server))
  },
}

/** A line of the log. */
export function lineFor(word: Connection): string {
  return `${JSON.stringify(word)}\n`
}

/** What is no such line was written by somebody else. */
function parse(line: string): Connection | undefined {
  let value: Partial<Record<keyof Connection, unknown>> | null
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const { server, status, reason } = value ?? {}
  if (typeof server !== 'string') return undefined
  if (status !== 'connected' && status !== 'failed' && status !== 'unused') return undefined
  return { server, status, ...(typeof reason === 'string' && { reason }) }
}
