import { spawn } from 'node:child_process'

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
}

const signalNumbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/** Runs a program without input to its end; past the time limit its whole process group is killed. */
export async function runProgram(argv: readonly string[], options: RunOptions): Promise<Finished> {
  const [file = '', ...args] = argv
  const child = spawn(file, args, {
    env: options.environment,
    cwd: options.workingDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const killGroup = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  const timer = setTimeout(killGroup, options.timeLimitMs ?? 60_000)
  const output: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] }
  child.stdout.on('data', (chunk: Buffer) => output.stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.stderr.push(chunk))
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? 128 + (signalNumbers[signal ?? ''] ?? 0)))
  })
  clearTimeout(timer)
  return {
    status,
    stdout: Buffer.concat(output.stdout).toString(),
    stderr: Buffer.concat(output.stderr).toString(),
  }
}
