/** `bridle run` ends with it when Bridle refuses or fails; every other status is the harness's own. */
export const runFailure = 125

/** The exit code of a command line that failed, whatever the reason. */
export function failureStatus(args: readonly string[]): number {
  return args[0] === 'run' ? runFailure : 1
}

/** What is said of an error that nobody expected: never a stack trace. */
export function describeFailure(error: unknown): string {
  const { syscall, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (syscall === 'uv_cwd') return 'the working directory does not exist any more'
  return `internal fault: ${message ?? String(error)}\nThis should not happen: please report it.`
}
