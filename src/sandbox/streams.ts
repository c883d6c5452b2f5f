import type { ChildProcess } from 'node:child_process'
import { createReadStream, createWriteStream, fstatSync, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'
import { SandboxRefusal } from './sandbox.ts'

/** What becomes of the command's standard streams: input, output, error. */
export type StandardStreams = readonly [Passing, Passing, Passing]
type Passing = 'inherit' | 'ignore' | 'pipe'

/**
 * How the standard streams of this process are given to a sandbox. A file that was opened outside can be opened again
 * inside, by /proc/self/fd, in the way that its user may and not as it was: `bridle run … < task.txt` would let the
 * agent write the text. From the descriptor of a folder, `..` leads to the rest of the host. So only what leads to
 * nothing but itself is inherited, and a pipe stands before the rest; see `relayStreams`.
 */
export function standardStreams(): StandardStreams {
  const [input, output, error] = stats()
  return [passing(input), passing(output), passing(error)]
}

function stats(): [Stats, Stats, Stats] {
  return [fstatSync(0), fstatSync(1), fstatSync(2)]
}

function passing(stat: Stats): Passing {
  return stat.isFIFO() || stat.isSocket() || stat.isCharacterDevice() ? 'inherit' : 'pipe'
}

/** Whether both outputs go to one file (`> log 2>&1`): two pipes would lose the order of what is written. */
export function outputsAreOneFile(): boolean {
  const [, output, error] = stats()
  return output.isFile() && error.isFile() && output.dev === error.dev && output.ino === error.ino
}

/**
 * Passes on what a child has pipes for, from and to the files behind the standard streams of this process. Resolves
 * when all that the child wrote is written. A file that takes no more closes the child's pipe; at the end, it rejects
 * with a SandboxRefusal.
 */
export async function relayStreams({ stdin, stdout, stderr }: ChildProcess): Promise<void> {
  if (stdin) pipeline(createReadStream('', { fd: 0, autoClose: false }), stdin).catch(() => {}) // it may end unread
  const [output, error] = await Promise.allSettled([
    stdout && writeTo(1, stdout),
    stderr && writeTo(2, stderr),
  ])
  if (output.status === 'rejected') throw new SandboxRefusal(notWritten('output', output.reason))
  if (error.status === 'rejected') throw new SandboxRefusal(notWritten('error', error.reason))
}

async function writeTo(descriptor: number, stream: Readable): Promise<void> {
  await pipeline(stream, createWriteStream('', { fd: descriptor, autoClose: false }))
}

function notWritten(name: string, error: unknown) {
  return diagnostic('BRIDLE401', 'error', `standard ${name} was not written whole: ${failureReason(error)}`, {
    help: 'the command could not write on from there; make room for the file, and run it again',
  })
}
