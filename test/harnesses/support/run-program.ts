import { type ChildProcess, spawn } from 'node:child_process'

export interface Finished {
  /** As a shell has it: 128 + n for a signal. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly workingDirectory: string
  readonly timeLimitMs?: number
  /** What a user does meanwhile; with it the program has an input, which stays open. */
  readonly user?: (session: Session) => Promise<void>
}

/** A running program, as its user sees it. */
export interface Session {
  /**
   * The first match in what the program has written since the last one, or writes yet. Fails when it ends without one.
   */
  waitFor(pattern: RegExp): Promise<string>
  type(text: string): void
}

const signalNumbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/**
 * Runs a program to its end, without input unless a user is given; past the time limit its whole process group is
 * killed.
 */
export async function runProgram(argv: readonly string[], options: RunOptions): Promise<Finished> {
  const [file = '', ...args] = argv
  const child = spawn(file, args, {
    env: options.environment,
    cwd: options.workingDirectory,
    stdio: [options.user === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const killGroup = () => child.pid !== undefined && isRunning(child) && process.kill(-child.pid, 'SIGKILL')
  const timer = setTimeout(killGroup, options.timeLimitMs ?? 60_000)
  const output: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] }
  child.stdout?.on('data', (chunk: Buffer) => output.stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.stderr.push(chunk))
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? 128 + (signalNumbers[signal ?? ''] ?? 0)))
  })
  const used = options.user?.(sessionWith(child)).catch((error: unknown) => {
    killGroup()
    throw error
  })
  const [status] = await Promise.all([ended, used]).finally(() => clearTimeout(timer))
  return {
    status,
    stdout: Buffer.concat(output.stdout).toString(),
    stderr: Buffer.concat(output.stderr).toString(),
  }
}

function sessionWith(child: ChildProcess): Session {
  let written = ''
  const streams = [child.stdout, child.stderr]
  const closed = new Promise((resolve) => child.on('close', resolve))
  for (const stream of streams) stream?.on('data', (chunk: Buffer) => (written += chunk.toString()))
  return {
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(written)
          if (found === null) return
          for (const stream of streams) stream?.off('data', look)
          written = written.slice(found.index + found[0].length)
          resolve(found[0])
        }
        for (const stream of streams) stream?.on('data', look)
        void closed.then(() => reject(new Error(`it ended without ${pattern}: ${written}`)))
        look()
      }),
    type: (text) => void child.stdin?.write(text),
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/** The same program on a terminal of its own, wide enough that no line is broken. */
export function onTerminal(argv: readonly string[]): string[] {
  const quoted = argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  return ['script', '--quiet', '--return', '--command', `stty cols 1000 rows 50; exec ${quoted}`, '/dev/null']
}
