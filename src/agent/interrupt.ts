import { constants } from 'node:os'

const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that has servers to end: a signal tells the work to stop instead of stopping this process over its head.
 *
 * @returns the exit code of the work, or 128 + n after signal n
 */
export async function interruptible(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const controller = new AbortController()
  let received: (typeof interruptions)[number] | undefined
  const stop = (signal: NodeJS.Signals) => {
    received ??= interruptions.find((name) => name === signal)
    controller.abort(new Error(`it was interrupted by ${signal}`))
  }
  for (const name of interruptions) process.on(name, stop)
  try {
    const exitCode = await work(controller.signal)
    return received === undefined ? exitCode : 128 + constants.signals[received]
  } finally {
    for (const name of interruptions) process.off(name, stop)
  }
}
