import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long each step of an ending may take before the next, stronger one. Many servers ignore the end of stdin. */
const graceMs = { eof: 500, SIGTERM: 1_500, SIGKILL: 1_000 }
const pollMs = 10

/**
 * Ends a child that leads a process group of its own, and everything it started: the end of its stdin, then SIGTERM
 * and SIGKILL to the group (the order of the MCP specification, "stdio shutdown"). Resolves when the group is gone,
 * or after the sum of `graceMs`.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  const leader = child.pid
  if (leader === undefined) return
  child.stdin?.end()
  if (await isGone(leader, child, graceMs.eof)) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalGroup(leader, signal)
    if (await isGone(leader, child, graceMs[signal])) return
  }
}

async function isGone(leader: number, child: ChildProcess, limitMs: number): Promise<boolean> {
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pollMs) {
    if (hasExited() && !signalGroup(leader, 0)) return true
    await sleep(pollMs)
  }
  return false
}

/** False when no process of the group is left. Signal 0 only asks. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
