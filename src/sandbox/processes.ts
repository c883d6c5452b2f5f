import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const retryAfterMs = 5

/**
 * Passes the signals that this process gets on to another one. One that comes before the other exists is delivered
 * as soon as it does. Gives the function that ends it.
 *
 * @param receiver the process id, or the negative id of a group; undefined while there is none
 */
export function forwardSignals(receiver: () => number | undefined): () => void {
  const waiting = new Set<NodeJS.Signals>()
  let timer: NodeJS.Timeout | undefined

  function deliver(): void {
    clearTimeout(timer)
    const id = receiver()
    if (id === undefined) {
      timer = setTimeout(deliver, retryAfterMs)
      return
    }
    for (const signal of waiting) send(id, signal)
    waiting.clear()
  }
  function receive(signal: NodeJS.Signals): void {
    waiting.add(signal)
    deliver()
  }

  for (const signal of forwarded) process.on(signal, receive)
  return () => {
    clearTimeout(timer)
    for (const signal of forwarded) process.off(signal, receive)
  }
}

/** How long a command has to end when it is asked to. */
const graceMs = 5000

/**
 * Ends a command that is asked for more than once, and at the latest after a time of grace. `cancel` when it has ended:
 * its number may belong to another process then.
 *
 * @param receivers who is asked to end, and who is ended: process ids, or negative ids of groups
 */
export function endGracefully(
  receivers: () => { readonly asked: number | undefined; readonly ended: number | undefined },
): { end(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    end() {
      if (timer !== undefined) return
      const { asked } = receivers()
      if (asked) send(asked, 'SIGTERM')
      timer = setTimeout(() => {
        const { ended } = receivers()
        if (ended) send(ended, 'SIGKILL')
      }, graceMs)
    },
    cancel: () => clearTimeout(timer),
  }
}

/** Sends a signal; a process that has ended already is no error. */
export function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal)
  } catch {
    // ESRCH: it ended in the meantime.
  }
}

/** The oldest living child of a process: of process 1 of a sandbox, the command. */
export function firstChild(id: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ')
    return Number(children[0]) || undefined
  } catch {
    return undefined
  }
}

/** Waits until a process is dead; process 1 of a namespace dies as the last of it. */
export async function death(id: number): Promise<void> {
  while (isAlive(id)) await wait(1)
}

/** Whether there is a process of that number, whoever it belongs to and whatever /proc shows; a zombie is one. */
export function processExists(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A zombie, for which nobody waits, is dead. */
function isAlive(id: number): boolean {
  try {
    return !/^State:\t[ZX]/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Whether a process has a system call filter that this one has not (proc_pid_status(5); in a container, both have some). */
export function hasFilterOfItsOwn(id: number): boolean {
  return filters(String(id)) > filters('self')
}

function filters(id: string): number {
  try {
    const status = readFileSync(`/proc/${id}/status`, 'utf8')
    const count = /^Seccomp_filters:\t(\d+)$/m.exec(status)?.[1] // since Linux 5.9
    return count ? Number(count) : Number(/^Seccomp:\t2$/m.test(status))
  } catch {
    return 0
  }
}

/** The exit status as a shell gives it: 128 and the number of the signal for a process that a signal ended. */
export function shellStatus(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0)
}
