import { mkdirSync, readdirSync, rmdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isLivingMark, isMark, newMark } from './marks.ts'

/**
 * A protected path that does not exist is kept from being created by a mount on it, and a mount needs something to
 * lie on: a folder in the user's project for the time of the run. A folder, whatever the path is for, because git
 * does not see one without files and removing it can destroy nothing.
 *
 * Several runs may share a placeholder, and removing a mount point takes the mount away from whoever has it. So every
 * run has an empty folder of its own, its mark, in the placeholder: as long as there is one, rmdir(2) refuses to
 * remove the placeholder. The kernel thus keeps the count, and no lock is needed. The mark of a killed run names its
 * process; the next run takes it away.
 */
export function makePlaceholder(path: string): void {
  mkdirSync(path, { mode: stickyBit | 0o777 })
}

/** By which a placeholder is known from the moment it exists: no umask takes it off, and project folders have none. */
const stickyBit = 0o1000

export function isSticky(stat: Stats): boolean {
  return (stat.mode & stickyBit) !== 0
}

/** @param path where the folder of this stat can be listed */
export function isPlaceholder(stat: Stats, path: string): boolean {
  if (!stat.isDirectory() || !isSticky(stat)) return false
  try {
    return readdirSync(path).every(isMark)
  } catch {
    return false
  }
}

/**
 * Puts the mark of this run into a placeholder and gives its path. Undefined when the run that made the placeholder
 * has just removed it. Throws as mkdir(2) does.
 */
export function markPlaceholder(path: string): string | undefined {
  const mark = join(path, newMark())
  try {
    mkdirSync(mark)
  } catch (error) {
    if (gone.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  for (const name of readdirSync(path)) {
    if (isMark(name) && !isLivingMark(name)) removeEmptyFolder(join(path, name))
  }
  return mark
}

/** ESTALE is what file systems on a network say. */
const gone = ['ENOENT', 'ESTALE']

/** One that has something in it stays: marks of other runs, or what somebody on the host put there. */
export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // Gone already, or not empty.
  }
}
