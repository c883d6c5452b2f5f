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
  const { signal } = controller
  const stop = () => controller.abort(outer?.reason)
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => controller.abort(new DeadlineError(limitMs)), limitMs)
  try {
    signal.throwIfAborted()
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    return await Promise.race([work(signal), aborted])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
}
