import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { processExists } from './processes.ts'

/**
 * A name that stands for a run of this process. Number and start time tell a process from a later one with the same
 * number, the namespace from one of another container.
 */
export function newMark(): string {
  const { start } = stateOf('self') ?? { start: 'unknown' }
  return `.bridle-run-${process.pid}-${start}-${pidNamespace()}-${randomBytes(4).toString('hex')}`
}

const pattern = /^\.bridle-run-(\d+)-(\d+)-(\d+)-[0-9a-f]{8}$/

export function isMark(name: string): boolean {
  return pattern.test(name)
}

/** Whether the run of a mark may go on: yes where that cannot be known, for a process of another container. */
export function isLivingMark(name: string): boolean {
  const [, id = '', start, namespace] = pattern.exec(name) ?? []
  if (namespace !== pidNamespace()) return true
  const state = stateOf(id)
  // A /proc mounted with `hidepid` does not show the processes of others; the kernel still knows them.
  return state ? state.start === start && !state.dead : processExists(Number(id))
}

/** proc_pid_stat(5): the name in parentheses may hold anything; the state comes after it, as field 3. */
function stateOf(id: string): { readonly start: string | undefined; readonly dead: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { start: fields[22 - 3], dead: /[ZX]/.test(fields[0] ?? '') }
  } catch {
    return undefined
  }
}

/** The inode of the namespace is its number. */
function pidNamespace(): string {
  return String(statSync('/proc/self/ns/pid').ino)
}
