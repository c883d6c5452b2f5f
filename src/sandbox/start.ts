import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { type Row, render } from './arguments.ts'
import type { Identity } from './identity.ts'
import { initCommand, initScript } from './init.ts'
import { firstChild, forwardSignals, shellStatus } from './processes.ts'
import { type SandboxCommand, SandboxRefusal } from './sandbox.ts'

export interface Plan {
  /** The path of bubblewrap. */
  readonly program: string
  readonly rows: readonly Row[]
  readonly command: SandboxCommand
  /** As whom it runs, when not as this process. */
  readonly identity?: Identity
}

/** What becomes of the command's standard streams: input, output, error. */
export type StandardStreams = readonly ['inherit' | 'ignore', 'inherit' | 'ignore', 'inherit' | 'pipe']

/**
 * Runs bubblewrap to its end and gives the exit status of the command, passing signals on to it. Rejects with a
 * SandboxRefusal when the command was not started; bubblewrap has said why on stderr then.
 * To be called in the main thread: with `--die-with-parent` the sandbox ends with the thread that started it.
 */
export async function start(plan: Plan, spawnProcess: typeof spawn = spawn): Promise<number> {
  let processOne: number | undefined
  const stopForwarding = forwardSignals(() => processOne && firstChild(processOne))
  try {
    const child = spawnBubblewrap(plan, ['inherit', 'inherit', 'inherit'], spawnProcess)
    return await outcome(child, plan.command, (id) => {
      processOne = id
    })
  } finally {
    stopForwarding()
  }
}

/** The numbers of the descriptors that bubblewrap and the init inherit; those of the rows follow. */
const slots = { arguments: 3, status: 4, init: 5, rows: 6 }

/**
 * The words for bubblewrap go over a descriptor and its environment is empty, because both can be read in /proc: by
 * other users of the host, and from inside, where bubblewrap stays as process 1.
 */
export function spawnBubblewrap(
  { program, rows, command, identity }: Plan,
  streams: StandardStreams,
  spawnProcess: typeof spawn = spawn,
): ChildProcess {
  const { words, descriptors } = render(rows, slots.rows)
  const options = ['--json-status-fd', String(slots.status), ...words]
  const visible = ['--args', String(slots.arguments), '--', ...initCommand(slots.init, command.argv)]
  const child = spawnProcess(program, visible, {
    ...identity,
    env: {},
    detached: true, // Ctrl-C of the terminal would kill bubblewrap, and so the harness without a chance to clean up
    stdio: [
      ...streams,
      'pipe',
      'pipe',
      'pipe',
      ...descriptors.map((part) => ('open' in part ? part.open : 'pipe')),
    ],
  })
  write(child, slots.arguments, options.map((word) => `${word}\0`).join(''))
  descriptors.forEach((part, index) => {
    if ('content' in part) write(child, slots.rows + index, part.content)
  })
  return child
}

/** An early end of the reader is no fault of its own: bubblewrap's exit says what was wrong. */
function write(child: ChildProcess, slot: number, content: string | Buffer): void {
  const stream = child.stdio[slot] as Writable
  stream.on('error', () => {})
  stream.end(content)
}

/**
 * The exit status of the command, or a SandboxRefusal. Sends the environment once bubblewrap is bound to end with this process (it reports process 1 after that), so that
 * a launcher killed in between leaves an init that starts nothing.
 */
export async function outcome(
  child: ChildProcess,
  command: SandboxCommand,
  onProcessOne: (id: number) => void = () => {},
): Promise<number> {
  let exitStatus: number | undefined
  createInterface({ input: child.stdio[slots.status] as Readable }).on('line', (line) => {
    const news: { 'child-pid'?: number; 'exit-code'?: number } = JSON.parse(line)
    exitStatus = news['exit-code']
    if (news['child-pid'] === undefined) return
    onProcessOne(news['child-pid'])
    write(child, slots.init, initScript(slots.init, command.environment))
  })
  const [code, signal] = await ended(child)
  if (exitStatus === undefined && signal === null) throw new SandboxRefusal(notBuilt(code))
  return exitStatus ?? shellStatus(code, signal)
}

function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve([code, signal]))
  })
}

function notBuilt(code: number | null) {
  return diagnostic(
    'BRIDLE602',
    'error',
    `bubblewrap could not build the sandbox (exit status ${code}); nothing was started.`,
    {
      help: 'Its own message stands above.',
    },
  )
}
