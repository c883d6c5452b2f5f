import type { UserProgram } from '../compile/installed-file.ts'
import type { Json } from '../compile/serialize.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { failureReason } from '../text/failure.ts'
import { shownPlainly } from '../text/shown.ts'

/** A change of the user's servers that a harness makes itself. */
export interface ProgramChange {
  readonly name: string
  /** Undefined: there was none, or there is to be none. */
  readonly before: Json | undefined
  readonly after: Json | undefined
}

export interface ProgramCall {
  /** The program, absolute. */
  readonly executable: string
  readonly program: UserProgram
  readonly environment: Environment
  /** Absolute: where the program looks for no configuration of a project. */
  readonly workingDirectory: string
}

/** Makes all changes, or undoes those before the first that fails, and says why it failed. */
export async function changeThroughProgram(
  call: ProgramCall,
  changes: readonly ProgramChange[],
): Promise<Diagnostic[]> {
  const done: ProgramChange[] = []
  for (const change of changes) {
    const failure = await makeChange(call, change, done)
    if (failure === undefined) continue
    const undone = await undoChanges(call, done)
    return [failed(call, change, failure, undone)]
  }
  return []
}

/** Takes back what `changeThroughProgram` did. */
export async function undoChanges(
  call: ProgramCall,
  changes: readonly ProgramChange[],
): Promise<string | undefined> {
  for (const { name, before, after } of changes.toReversed()) {
    const failure = await makeChange(call, { name, before: after, after: before }, [])
    if (failure !== undefined) return failure
  }
  return undefined
}

/** The programs add only what is not there, so what changes is taken away first. Each half that is done is noted. */
async function makeChange(
  call: ProgramCall,
  { name, before, after }: ProgramChange,
  done: ProgramChange[],
): Promise<string | undefined> {
  if (before !== undefined) {
    const failure = await run(call, call.program.remove(name), '')
    if (failure !== undefined) return failure
    done.push({ name, before, after: undefined })
  }
  if (after !== undefined) {
    const failure = await run(call, call.program.add(name), JSON.stringify(after))
    if (failure !== undefined) return failure
    done.push({ name, before: undefined, after })
  }
  return undefined
}

function failed(
  { program }: ProgramCall,
  { name }: ProgramChange,
  reason: string,
  undone: string | undefined,
): Diagnostic {
  const rest = undone === undefined ? 'what it did before was undone' : `undoing failed too: ${undone}`
  return diagnostic('BRIDLE409', 'error', `\`${program.executable}\` did not change \`${name}\`: ${reason}`, {
    server: name,
    help: `${rest}; no file was changed`,
  })
}

const timeLimitMs = 60_000
const mostCharacters = 8 * 1024 * 1024

async function run(call: ProgramCall, args: readonly string[], input: string): Promise<string | undefined> {
  return (await runProgram(call.executable, args, input, call)).failure
}

/** Runs a program of a harness to its end; of one that fails, its words. */
export async function runProgram(
  executable: string,
  args: readonly string[],
  input: string,
  { environment, workingDirectory }: Pick<ProgramCall, 'environment' | 'workingDirectory'>,
): Promise<{ readonly stdout: string; readonly failure?: string }> {
  // Loaded here: most builds start no program, and loading it takes as long as planning a small build.
  const { spawn } = await import('node:child_process')
  const child = spawn(executable, args, {
    cwd: workingDirectory,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      if (output[stream].length < mostCharacters) output[stream] += text
    })
  }
  child.stdin.on('error', () => {}) // it need not read it
  child.stdin.end(input)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ stdout: '', failure: failureReason(error) }))
    child.once('close', (code, signal) => {
      const words = shownPlainly(`${output.stdout} ${output.stderr}`.trim()).slice(-500)
      const failure = words || `it ended with ${signal ?? `status ${code}`}`
      resolve({ stdout: output.stdout, ...(code !== 0 && { failure }) })
    })
  })
}
