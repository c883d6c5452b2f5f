import type { ConnectionLog } from '../../src/compile/target.ts'

/**
 * Codex has no log of its servers that a headless run keeps. It begins its session only when every server that it was
 * told to require has connected, and it writes what happens in a session into a file from its first line on.
 */
export const connections: ConnectionLog = {
  path: 'sessions',
  read(log, servers) {
    const hasBegun = log
      .split('\n')
      .some((line) => /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"session_meta",/.test(line))
    return hasBegun ? servers.map((server) => ({ server, status: 'connected' })) : []
  },
  refusal: {
    status: 1,
    reason: 'Codex ended before its session began; its own message above says why',
  },
}
