import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Identity } from '../../../src/sandbox/identity.ts'
import type { Rig } from './rig.ts'

/** What every secret of the host is in these tests; nothing of it may come out of a sandbox. */
export const secret = 'LEAKED-by-the-host'

/** What stands on the host beside a sandbox, for attacks to reach. */
export interface Host {
  /** A folder of the user's with a file `secret`. */
  readonly outside: string
  /** A service on loopback that tells the secret. */
  readonly port: number
  /** An abstract unix socket that tells the secret. */
  readonly socketName: string
  /** A process of the same user with the secret in its command line. */
  readonly processId: number
  readonly sharedMemoryKey: number
}

/** Sets all of it up; `stop` takes it down. */
export async function setUpHost(
  rig: Rig,
  owner: Identity | undefined,
): Promise<Host & { stop(): Promise<void> }> {
  const outside = rig.makeFolder('outside', owner)
  writeFileSync(join(outside, 'secret'), `${secret}\n`, { mode: 0o666 })
  if (owner) spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, outside])
  const socketName = `bridle-probe-${process.pid}-${owner?.uid ?? 0}`
  const tcp = await listen({ host: '127.0.0.1', port: 0 })
  const abstract = await listen({ path: `\0${socketName}` })
  const child = spawn('/usr/bin/perl', ['-e', 'sleep 600', secret], { ...owner, stdio: 'ignore' })
  const sharedMemoryKey = 0x42_0000 + (process.pid % 0xffff)
  sharedMemory(sharedMemoryKey, owner, `shmwrite($id, "${secret}", 0, 64)`)
  return {
    outside,
    port: (tcp.address() as AddressInfo).port,
    socketName,
    processId: child.pid ?? 0,
    sharedMemoryKey,
    async stop() {
      sharedMemory(sharedMemoryKey, owner, 'shmctl($id, 0, 0)') // IPC_RMID
      child.kill('SIGKILL')
      await Promise.all([tcp, abstract].map(close))
    },
  }
}

function listen(options: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(`${secret}\n`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => resolve(server))
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function sharedMemory(key: number, owner: Identity | undefined, action: string): void {
  const { status } = spawnSync(
    '/usr/bin/perl',
    ['-e', `$id = shmget(${key}, 64, 01666) // die; ${action} or die`],
    {
      ...owner,
    },
  )
  if (status !== 0) throw new Error('no System V shared memory on this machine')
}
