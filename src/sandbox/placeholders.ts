import { chownSync, mkdirSync, readdirSync, readFileSync, rmdirSync, type Stats } from 'node:fs'
import type { Identity } from './identity.ts'

/**
 * A protected path that does not exist is kept from being created by a mount on it, and a mount needs something to
 * lie on: an empty folder in the user's project for the time of the run. A folder, whatever the path is for, because
 * git does not see an empty one and removing it can destroy nothing. Its mode is the mark by which a later launch
 * recognises one that a killed launcher left.
 */
const placeholderMode = 0o1555

export function makePlaceholder(path: string, owner: Identity | undefined): void {
  mkdirSync(path, { mode: placeholderMode })
  if (owner) chownSync(path, owner.uid, owner.gid)
}

export function isPlaceholder(stat: Stats): boolean {
  return stat.isDirectory() && (stat.mode & 0o7777) === placeholderMode
}

/**
 * Removes the placeholders, except those on which another sandbox relies: removing a mount point takes the mount
 * away from whoever has it.
 */
export function removePlaceholders(paths: readonly string[]): void {
  if (paths.length === 0) return
  const used = mountPointsOfSandboxes()
  for (const path of paths) {
    if (!used.has(path)) removeIfEmpty(path)
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Gone already, or filled by somebody on the host: then it is theirs.
  }
}

function mountPointsOfSandboxes(): Set<string> {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isBubblewrap(name))
  return new Set(processes.flatMap((id) => readMountPoints(`/proc/${id}/mountinfo`)))
}

function isBubblewrap(id: string): boolean {
  return readOrEmpty(`/proc/${id}/comm`) === 'bwrap\n'
}

/** Field 5 of proc_pid_mountinfo(5), in which blanks are octal escapes. */
function readMountPoints(path: string): string[] {
  return readOrEmpty(path)
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map((field) =>
      field.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    )
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // the process ended in the meantime
  }
}
