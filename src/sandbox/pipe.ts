import { spawn } from 'node:child_process'
import { constants, fchownSync, fstatSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'
import type { Identity } from './identity.ts'
import { SandboxRefusal } from './sandbox.ts'

/** Descriptors of the two ends of a pipe. */
export interface Pipe {
  readonly read: number
  readonly write: number
}

/**
 * Makes a pipe, which Node cannot: its `pipe` for a child is a socket, and that cannot be opened by /dev/stderr or
 * /proc/self/fd, as many a script does. One with a name (fifo(7)) will not do either: opening it waits for the other
 * side, for ever when that has ended. So a shell makes one, and it is opened from there. Rejects with a SandboxRefusal.
 *
 * @param owner who can open it again, when not this process's user
 */
export async function makePipe(owner: Identity | undefined): Promise<Pipe> {
  const shell = spawn('/bin/sh', ['-c', script], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    timeout: patienceMs,
  })
  shell.on('error', () => {}) // the end of its output tells the same
  const [input, output] = [shell.stdio[3] as Writable, shell.stdio[4] as Readable]
  input.on('error', () => {})
  try {
    return openBoth(`/proc/${await firstLine(output)}/fd/1`, owner)
  } catch (error) {
    throw new SandboxRefusal(
      diagnostic(
        'BRIDLE602',
        'error',
        `a pipe for a standard stream cannot be made: ${failureReason(error)}.`,
        {
          help: 'Lead the stream into a pipe of the shell’s: `… | cat > file`.',
        },
      ),
    )
  } finally {
    input.end()
  }
}

/**
 * Tells the process that has the pipe as its output; both sides stay until descriptor 3 ends. The redirection of the
 * telling is the inner shell's: dash 0.5.12 would lead its own output elsewhere for a moment.
 */
const script = `{ sh -c 'echo $PPID >&4'; read _ <&3; } | read _ <&3`

const patienceMs = 10_000

async function firstLine(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    if (text.includes('\n')) return text.trim()
  }
  throw new Error('/bin/sh made none')
}

function openBoth(path: string, owner: Identity | undefined): Pipe {
  const read = openSync(path, constants.O_RDONLY)
  if (!fstatSync(read).isFIFO()) throw new Error('/bin/sh made something else')
  if (owner) fchownSync(read, owner.uid, owner.gid)
  return { read, write: openSync(path, constants.O_WRONLY) }
}
