import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { type Row, render } from './arguments.ts'
import type { Identity } from './identity.ts'
import { initCommand, initScript } from './init.ts'
import {
  death,
  endGracefully,
  firstChild,
  forwardSignals,
  hasFilterOfItsOwn,
  shellStatus,
} from './processes.ts'
import { type SandboxCommand, SandboxRefusal } from './sandbox.ts'
import { openRelays, relayStreams, type StandardStreams, standardStreams } from './streams.ts'

export interface Plan {
  /** The path of bubblewrap. */
  readonly program: string
  readonly rows: readonly Row[]
  readonly command: SandboxCommand
  /** As whom it runs, when not as this process. */
  readonly identity?: Identity
}

/**
 * Runs bubblewrap to its end and gives the exit status of the command, passing signals on to it. Rejects with a
 * SandboxRefusal when the command was not started; bubblewrap has said why on stderr then.
 * To be called in the main thread: with `--die-with-parent` the sandbox ends with the thread that started it.
 *
 * @param onBound called when the sandbox is built and the command not yet started, which it is not when this throws
 */
export async function start(
  plan: Plan,
  onBound: (bound: BoundSandbox) => void = () => {},
  spawnProcess: typeof spawn = spawn,
): Promise<number> {
  let processOne: number | undefined
  const stopForwarding = forwardSignals(() => processOne && firstChild(processOne))
  const ending = endGracefully(() => ({ asked: processOne && firstChild(processOne), ended: processOne }))
  try {
    const relays = await openRelays(plan.identity)
    const child = spawnBubblewrap(plan, standardStreams(relays), spawnProcess)
    const [ended, relayed] = await Promise.allSettled([
      outcome(child, plan.command, (id) => {
        onBound({ processOne: id, end: ending.end })
        processOne = id
      }),
      relayStreams(relays),
    ])
    if (ended.status === 'rejected') throw ended.reason
    if (relayed.status === 'rejected') throw relayed.reason
    return ended.value
  } finally {
    stopForwarding()
    ending.cancel()
  }
}

export interface BoundSandbox {
  /** Its id on the host. */
  readonly processOne: number
  /** Asks the command to end, and after a time of grace ends all of the sandbox. */
  end(): void
}

/** The numbers of the descriptors that bubblewrap and the init inherit; those of the rows follow. */
const slots = { arguments: 3, init: 4, rows: 5 }

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
  const visible = ['--args', String(slots.arguments), '--', ...initCommand(slots.init, command.argv)]
  const child = spawnProcess(program, visible, {
    ...identity,
    env: {},
    detached: true, // Ctrl-C of the terminal would kill bubblewrap, and so the harness without a chance to clean up
    stdio: [...streams, 'pipe', 'pipe', ...descriptors.map((part) => ('open' in part ? part.open : 'pipe'))],
  })
  write(child, slots.arguments, words.map((word) => `${word}\0`).join(''))
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
 * The exit status of the command, or a SandboxRefusal. The command is started by sending the environment, once process
 * 1 inside is bound to bubblewrap as bubblewrap is to this process. A launcher killed before that leaves an init that
 * starts nothing; had it sent the environment before, the command would run on, since death signals are not retroactive.
 */
export async function outcome(
  child: ChildProcess,
  command: SandboxCommand,
  onBound: (processOne: number) => void = () => {},
): Promise<number> {
  const end = ended(child)
  const processOne = await boundProcessOne(child)
  if (processOne !== undefined) {
    try {
      onBound(processOne)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
    write(child, slots.init, initScript(slots.init, command.environment))
  }
  const [code, signal] = await end
  if (processOne !== undefined) await death(processOne) // bubblewrap outside ends before those inside do
  if (processOne === undefined && signal === null) throw new SandboxRefusal(notBuilt(code))
  return shellStatus(code, signal)
}

/**
 * The host's id of process 1 inside, as soon as it has the system call filter: it asks for its death signal just
 * before that (bubblewrap.c, do_init). Undefined when bubblewrap ends before.
 */
async function boundProcessOne(child: ChildProcess): Promise<number | undefined> {
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const processOne = firstChild(child.pid)
    if (processOne !== undefined && hasFilterOfItsOwn(processOne)) return processOne
    await setTimeout(pollMs)
  }
  return undefined
}

/** bubblewrap can tell process 1 itself (--info-fd), but halts between being bound and letting it go on to do so. */
const pollMs = 1

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
