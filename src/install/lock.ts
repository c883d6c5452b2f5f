import { createHash } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failureReason } from '../text/failure.ts'

/** How long another build is waited for. */
const patienceMs = 60_000

/**
 * Runs the work while no other Bridle works on the same subject; or says why it cannot.
 *
 * The lock is a socket on which nobody speaks: the system takes it back when its process ends, however it ends, so that
 * there is no stale lock, no file of a lock, and nothing to be guessed from the age of one. Who waits is connected to it,
 * and wakes when it is closed. It holds within one machine, and on Linux within one network namespace; whoever writes
 * from elsewhere is found by the comparison before a file is exchanged.
 *
 * @param subject the file or folder that is written, absolute
 */
export async function withLock<Result>(
  subject: string,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly failure: string }> {
  const address = addressOf(subject)
  const deadline = Date.now() + patienceMs
  for (;;) {
    const lock = await tryLock(address)
    if ('release' in lock) {
      try {
        return { result: await work() }
      } finally {
        await lock.release()
      }
    }
    if (lock.code !== 'EADDRINUSE') return { failure: `no lock can be had: ${failureReason(lock)}` }
    const left = deadline - Date.now()
    if (left <= 0) return { failure: 'another Bridle has been at work on the same files for a minute' }
    await waitForRelease(address, left)
    await delay(10) // whoever holds the name without listening would be asked again and again
  }
}

function addressOf(subject: string): string {
  const name = `bridle-${createHash('sha256').update(subject).digest('hex').slice(0, 32)}`
  if (process.platform === 'linux') return `\0${name}` // in no folder (unix(7), "abstract")
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`)
}

async function tryLock(address: string): Promise<{ release(): Promise<void> } | NodeJS.ErrnoException> {
  const waiting = new Set<Socket>()
  const server: Server = createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => {}).on('close', () => waiting.delete(socket))
  })
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(address, () => resolve({ release: () => release(server, waiting) }))
  })
}

function release(server: Server, waiting: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of waiting) socket.destroy()
  })
}

function waitForRelease(address: string, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const timer = setTimeout(() => socket.destroy(), patience)
    socket
      .on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && path.isAbsolute(address)) removeDead(address)
      })
      .on('close', () => {
        clearTimeout(timer)
        resolve()
      })
      .resume()
  })
}

/** Where sockets lie in a folder, that of a killed process stays there, and nobody answers. */
function removeDead(address: string): void {
  try {
    unlinkSync(address)
  } catch {
    // another one was faster
  }
}
