/** The work did not end within its time. */
export class DeadlineError extends Error {
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`no end within ${limitMs} ms`)
    this.limitMs = limitMs
  }
}

/**
 * Runs the work with a limit that holds whatever the work does: at its end the work is told by the signal, and is not
 * waited for.
 *
 * @throws DeadlineError at the limit; the reason of `outer` when that is aborted first
 */
export async function withinDeadline<T>(
  limitMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  // Not a listener of ours on `outer`: many servers at once wait for the same one.
  const signal = AbortSignal.any([controller.signal, ...(outer ? [outer] : [])])
  const timer = setTimeout(() => controller.abort(new DeadlineError(limitMs)), limitMs)
  try {
    signal.throwIfAborted()
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return await Promise.race([work(signal), aborted])
  } finally {
    clearTimeout(timer)
  }
}
