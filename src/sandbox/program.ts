import { existsSync } from 'node:fs'
import { calls, type Processor } from './syscalls.ts'

/** Never by PATH: npx puts the project's node_modules/.bin in front, where an agent may have left a program. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap']

/** The path of bubblewrap on this machine. */
export function findBubblewrap(): string | undefined {
  return places.find((path) => existsSync(path))
}

/** The processor of this machine, where the system call filter knows it. */
export function findProcessor(): Processor | undefined {
  return process.arch in calls.ioctl ? (process.arch as Processor) : undefined
}
