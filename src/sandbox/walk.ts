import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs'
import { join } from 'node:path'
import { unprotectable } from './unprotectable.ts'

/** What a folder has in it, by name. Neither folders nor links are among the `others`. */
export interface Listing {
  readonly folders: readonly string[]
  readonly links: readonly string[]
  readonly others: readonly string[]
}

const nothing: Listing = { folders: [], links: [], others: [] }

/** A run holds some descriptors for each. */
const mostFolders = 200

/**
 * A walk through folders that an agent, or who packed the project, could fill as it liked: it follows no link and comes
 * to an end. What is unusual is a SandboxRefusal.
 */
export class Walk {
  #left = mostFolders

  /** A folder that does not exist has nothing in it. */
  list(folder: string): Listing {
    try {
      const stat = lstatSync(folder, { throwIfNoEntry: false })
      if (!stat) return nothing
      if (!stat.isDirectory()) throw new Error('it is not a folder')
      return listingOf(readdirSync(folder, { withFileTypes: true }))
    } catch (error) {
      throw unprotectable(folder, error)
    }
  }

  /** Of a listed folder, those in it that are walked on to. */
  enter(folder: string, names: readonly string[]): string[] {
    const foreign = names.find((name) => name.includes('\ufffd')) // what Node makes of other bytes
    if (foreign !== undefined) throw unprotectable(join(folder, foreign), new Error('its name is not UTF-8'))
    this.#left -= names.length
    if (this.#left < 0) {
      throw unprotectable(folder, new Error(`there are more than ${mostFolders} worktrees and submodules`))
    }
    return names.map((name) => join(folder, name))
  }
}

function listingOf(entries: readonly Dirent[]): Listing {
  const names = (kind: (entry: Dirent) => boolean) => entries.filter(kind).map(({ name }) => name)
  return {
    folders: names((entry) => entry.isDirectory()),
    links: names((entry) => entry.isSymbolicLink()),
    others: names((entry) => !entry.isDirectory() && !entry.isSymbolicLink()),
  }
}

const mostBytes = 256 * 1024

/**
 * The text of a small file, undefined when it does not exist. A link, a pipe that nobody writes to, and a file without
 * end are a SandboxRefusal.
 */
export function readSmallFile(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    if (!fstatSync(descriptor).isFile()) throw new Error('it is not a file')
    const buffer = Buffer.alloc(mostBytes + 1)
    const length = readSync(descriptor, buffer)
    if (length > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
    return buffer.toString('utf8', 0, length)
  } catch (error) {
    if (absent.includes(String((error as NodeJS.ErrnoException).code))) return undefined
    throw unprotectable(file, error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const absent = ['ENOENT', 'ENOTDIR']
