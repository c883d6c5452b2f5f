import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import type { Code } from '../diagnostics/codes.ts'
import { contains } from '../host/paths.ts'
import { decodeUtf8 } from '../text/decode.ts'
import { failureReason } from '../text/failure.ts'
import { isOfGitOrSpec, type Scope } from './places.ts'

/** A file as it was found. */
export interface Snapshot {
  /** Absolute, behind all links: what is written. */
  readonly real: string
  /** Undefined when there is no such file. */
  readonly found: FoundFile | undefined
  /** The folders that are missing on the way, outermost first. */
  readonly missingFolders: readonly string[]
}

export interface FoundFile {
  readonly bytes: Buffer
  readonly text: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Why a file is left alone. The reason goes on after the name of the file. */
export interface FileProblem {
  readonly code: Extract<Code, 'BRIDLE403' | 'BRIDLE405' | 'BRIDLE406'>
  readonly reason: string
  readonly help: string
  /** From 1. */
  readonly line?: number
}

/**
 * What is behind a path. In a project, where an agent may have made them, links are followed only within it; the links
 * of the user's own files lead where the user wants them to (managers of dotfiles make such).
 */
export function takeSnapshot(file: string, scope: Scope): Snapshot | FileProblem {
  try {
    const place = resolve(file)
    if ('code' in place) return place
    if (scope.kind === 'project' && place.real !== file && !isOfProject(place.real, scope.folder)) {
      return {
        code: 'BRIDLE406',
        reason: `is reached by a link, and leads to ${place.real}`,
        help: 'in a project only links to its own files are followed, since an agent may have made them: remove the link; for a file of your own use `--user`',
      }
    }
    const found = readIfThere(place.real)
    return found !== undefined && 'code' in found ? found : { ...place, found }
  } catch (error) {
    return unusable(
      `cannot be read: ${failureReason(error)}`,
      'check the permissions of the file and of its folders',
    )
  }
}

/** Why the file may not be replaced by another one, or its folder may not be written. */
export function refusalToReplace({ real, found, missingFolders }: Snapshot): FileProblem | undefined {
  const folder = path.dirname(missingFolders[0] ?? real)
  const own = process.geteuid?.() ?? 0
  if (found !== undefined && own !== 0 && found.uid !== own) {
    return unusable('belongs to another user', 'only its owner can change it: start Bridle as that user')
  }
  if (found !== undefined && isReadOnly(real, found.mode)) {
    return unusable('is read-only', `\`chmod u+w\` lets you change it`)
  }
  if (isReadOnly(folder, statSync(folder).mode)) {
    return unusable(`lies in ${folder}, which you may not write`, `\`chmod u+w\` lets you write there`)
  }
  return undefined
}

/** Root may write everything; a file that nobody may write is not meant to be. */
function isReadOnly(file: string, mode: number): boolean {
  try {
    accessSync(file, constants.W_OK)
    return (mode & 0o222) === 0
  } catch {
    return true
  }
}

/** A link of a project may lead to another of its files, but not to what git or Bridle act on. */
function isOfProject(real: string, project: string): boolean {
  const isOwn = isOfGitOrSpec(real, project) || contains(path.join(project, '.bridle'), real)
  return contains(project, real) && !isOwn
}

/** The real path of a file that may not exist yet. Throws what the system says. */
function resolve(file: string): Omit<Snapshot, 'found'> | FileProblem {
  const missing: string[] = []
  for (let place = file; ; place = path.dirname(place)) {
    const real = realPath(place)
    if (real !== undefined) {
      const folders = missing.slice(0, -1).map((_, index) => path.join(real, ...missing.slice(0, index + 1)))
      return { real: path.join(real, ...missing), missingFolders: folders }
    }
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) {
      return unusable(
        place === file ? 'is a link that leads nowhere' : `lies behind ${place}, a link that leads nowhere`,
        'remove the link, or make the file to which it leads',
      )
    }
    missing.unshift(path.basename(place))
  }
}

function realPath(place: string): string | undefined {
  try {
    return realpathSync(place)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Far more than any config file has; a file with holes can be far larger than what it takes on the disk. */
const largestBytes = 64 * 1024 * 1024

/** Opened without waiting, since a pipe has no end. Throws what the system says. */
function readIfThere(real: string): FoundFile | FileProblem | undefined {
  const handle = openIfThere(real)
  if (handle === undefined) return undefined
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile()) {
      const kind = stat.isDirectory() ? 'a folder' : stat.isFIFO() ? 'a pipe' : 'a device'
      return unusable(`is ${kind}, not a file`, 'put a file in its place, or remove it')
    }
    if (stat.size > largestBytes) {
      const size = `${Math.ceil(stat.size / 1024 / 1024)} MiB`
      return unusable(`has ${size}, and Bridle edits none of more than 64`, 'is this the right file?')
    }
    const bytes = readFileSync(handle)
    const decoded = decodeUtf8(bytes)
    if ('fault' in decoded) {
      const reason = `is ${decoded.fault}, from line ${decoded.line} on`
      return { code: 'BRIDLE403', reason, help: 'save it as UTF-8', line: decoded.line }
    }
    return { bytes, text: decoded.text, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid }
  } finally {
    closeSync(handle)
  }
}

function openIfThere(real: string): number | undefined {
  try {
    return openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw code === 'ENXIO' ? new Error('it is a socket, not a file') : error
  }
}

function unusable(reason: string, help: string): FileProblem {
  return { code: 'BRIDLE405', reason, help }
}
