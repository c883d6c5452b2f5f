import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import path from 'node:path'

/** A program as it will be started, and what must be visible for it to run. */
export interface ResolvedCommand {
  /** Absolute. The real file where the program lies outside the system folders, so that it finds its neighbours. */
  readonly file: string
  /** Files and folders outside the system folders: the install folder, and that of the script's interpreter. */
  readonly folders: readonly string[]
  /** Folders that must stand on PATH for it: those of interpreters found outside the system folders. */
  readonly searchFolders: readonly string[]
}

export interface CommandLookup {
  /** As in PATH. */
  readonly searchPath: string
  /** Absolute; relative commands start from it. */
  readonly workingDirectory: string
  /** Programs installed in its `node_modules/.bin` folders are found too, after those on PATH. */
  readonly project: string
  readonly home: string
}

/** Always visible inside a sandbox, read-only. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32']

/** Finds a command the way a shell would, then in the `node_modules/.bin` folders up to the project. */
export function resolveCommand(command: string, lookup: CommandLookup): ResolvedCommand | undefined {
  const found = candidates(command, lookup).find(isExecutableFile)
  if (found === undefined) return undefined
  const real = realpathSync(found)
  const interpreter = interpreterOf(real, lookup)
  const isSystem = isBelow(real, systemFolders) && isBelow(found, systemFolders)
  return {
    file: isSystem ? found : real,
    folders: [...new Set([...installFolders(real, lookup.home), ...(interpreter?.folders ?? [])])],
    searchFolders: [
      ...(interpreter === undefined || isBelow(interpreter.file, systemFolders)
        ? []
        : [path.dirname(interpreter.file)]),
      ...(interpreter?.searchFolders ?? []),
    ],
  }
}

/** The folders of `searchPath` that exist inside every sandbox, in their order. */
export function systemSearchPath(searchPath: string): string[] {
  const usual = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']
  const own = searchPath.split(':').filter((folder) => isBelow(folder, systemFolders))
  return [...new Set([...own, ...usual])]
}

function candidates(command: string, { searchPath, workingDirectory, project }: CommandLookup): string[] {
  if (command.includes('/')) return [path.resolve(workingDirectory, command)]
  const folders = searchPath.split(':').filter((folder) => path.isAbsolute(folder))
  const inPackages = ancestors(workingDirectory, project).map((folder) =>
    path.join(folder, 'node_modules/.bin'),
  )
  return [...folders, ...inPackages].map((folder) => path.join(folder, command))
}

/** The folder itself and its parents up to `last`; none when it does not lie in `last`. */
function ancestors(folder: string, last: string): string[] {
  if (folder === last) return [folder]
  return isBelow(folder, [last]) ? [folder, ...ancestors(path.dirname(folder), last)] : []
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/**
 * What to make visible of a program outside the system folders. As little as will do: a package needs the packages
 * beside it, a `bin` folder the `lib` beside it; of anything else, only the file. Never a home folder.
 */
function installFolders(real: string, home: string): string[] {
  if (isBelow(real, systemFolders)) return []
  const packages = real.indexOf('/node_modules/')
  if (packages !== -1) return [`${real.slice(0, packages)}/node_modules`]
  const prefix = path.dirname(path.dirname(real))
  const isPrefix =
    path.basename(path.dirname(real)) === 'bin' &&
    ['lib', 'pyvenv.cfg'].some((name) => existsSync(path.join(prefix, name)))
  const isPersonal = isBelow(home, [prefix]) || prefix === path.join(home, '.local')
  return [isPrefix && !isPersonal ? prefix : real]
}

const shebangBytes = 256

/** The program that runs a script, by its first line; `/usr/bin/env NAME` is looked up as `NAME`. */
function interpreterOf(file: string, lookup: CommandLookup): ResolvedCommand | undefined {
  const line = /^#!\s*(\S+)(?:[ \t]+([^\r\n]*))?/.exec(firstBytes(file))
  if (line?.[1] === undefined) return undefined
  const words = line[2]?.split(/\s+/).filter((word) => !word.startsWith('-') && !word.includes('=')) ?? []
  const interpreter = path.basename(line[1]) === 'env' ? words[0] : line[1]
  return interpreter === undefined ? undefined : resolveCommand(interpreter, lookup)
}

function firstBytes(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(shebangBytes)
    const length = readSync(descriptor, bytes, 0, shebangBytes, 0)
    closeSync(descriptor)
    return bytes.toString('latin1', 0, length)
  } catch {
    return ''
  }
}

/** Whether the path is one of the folders or lies in one. */
function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`))
}
