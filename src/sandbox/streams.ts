import { closeSync, createReadStream, createWriteStream, fstatSync, type Stats } from 'node:fs'
import { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'
import type { Identity } from './identity.ts'
import { makePipe, type Pipe } from './pipe.ts'
import { SandboxRefusal } from './sandbox.ts'

/** What a child gets as its standard streams, input, output, error, in the words of `spawn`. */
export type StandardStreams = readonly [Passing, Passing, Passing]
type Passing = 'inherit' | 'ignore' | 'pipe' | number

/** The pipes that stand before standard streams of this process; the outputs may share one. */
export interface Relays {
  readonly input: Pipe | undefined
  readonly output: Pipe | undefined
  readonly error: Pipe | undefined
}

/**
 * How the standard streams of this process are given to a sandbox. A file that was opened outside can be opened again
 * inside, by /proc/self/fd, in the way that its user may and not as it was: `bridle run … < task.txt` would let the
 * agent write the text. From the descriptor of a folder, `..` leads to the rest of the host. So only what leads to
 * nothing but itself is inherited, and a pipe stands before the rest; see `relayStreams`.
 *
 * @param owner as whom the sandbox runs, when not as this process
 */
export async function openRelays(owner: Identity | undefined): Promise<Relays> {
  const [ofInput, ofOutput, ofError] = [fstatSync(0), fstatSync(1), fstatSync(2)]
  const open = async (stat: Stats) => (leadsOnlyToItself(stat) ? undefined : await makePipe(owner))
  const [input, output] = [await open(ofInput), await open(ofOutput)]
  return { input, output, error: areOneFile(ofOutput, ofError) ? output : await open(ofError) }
}

function leadsOnlyToItself(stat: Stats): boolean {
  return stat.isFIFO() || stat.isSocket() || stat.isCharacterDevice()
}

/** Both outputs into one file (`> log 2>&1`): two pipes would lose the order of what is written. */
function areOneFile(output: Stats, error: Stats): boolean {
  return output.isFile() && error.isFile() && output.dev === error.dev && output.ino === error.ino
}

export function standardStreams({ input, output, error }: Relays): StandardStreams {
  return [input?.read ?? 'inherit', output?.write ?? 'inherit', error?.write ?? 'inherit']
}

/**
 * To be called when the child has been spawned. Passes on what it has pipes for, from and to the files
 * behind the standard streams of this process. Resolves when all that the child wrote is written. A file that takes no
 * more closes the child's pipe; at the end, it rejects with a SandboxRefusal.
 */
export async function relayStreams({ input, output, error }: Relays): Promise<void> {
  const ofChild = new Set([input?.read, output?.write, error?.write])
  for (const descriptor of ofChild) if (descriptor !== undefined) closeSync(descriptor)
  if (input) readFrom(0, input).catch(() => {}) // it may end unread
  const [ofOutput, ofError] = await Promise.allSettled([
    output && writeTo(1, output),
    error && error !== output && writeTo(2, error),
  ])
  if (ofOutput.status === 'rejected') throw new SandboxRefusal(notWritten('output', ofOutput.reason))
  if (ofError.status === 'rejected') throw new SandboxRefusal(notWritten('error', ofError.reason))
}

async function readFrom(descriptor: number, { write }: Pipe): Promise<void> {
  const end = new Socket({ fd: write, readable: false, writable: true })
  await pipeline(createReadStream('', { fd: descriptor, autoClose: false }), end)
}

async function writeTo(descriptor: number, { read }: Pipe): Promise<void> {
  const end = new Socket({ fd: read, readable: true, writable: false })
  await pipeline(end, createWriteStream('', { fd: descriptor, autoClose: false }))
}

function notWritten(name: string, error: unknown) {
  return diagnostic('BRIDLE401', 'error', `standard ${name} was not written whole: ${failureReason(error)}`, {
    help: 'the command could not write on from there; make room for the file, and run it again',
  })
}
