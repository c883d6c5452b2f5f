import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Refusal } from '../compile/target.ts'
import { companionsOf, installFolder, scriptFolders } from './installation.ts'
import { interpreterOf } from './interpreter.ts'
import { ancestors, isBelow, placesTo, systemFolders } from './paths.ts'

/** A program as it will be started, and what must be visible for it to run. */
export interface ResolvedCommand {
  /** Absolute. As it was found where that is visible inside, else the real file, so that it finds its neighbours. */
  readonly file: string
  /** Files and folders outside the system folders: the install folder, and that of the script's interpreter. */
  readonly folders: readonly string[]
  /** Folders that must stand on PATH for it: those of interpreters found outside the system folders. */
  readonly searchFolders: readonly string[]
  /** Why it would not run all the same: the reason goes on from the name of the program. */
  readonly refusal?: Refusal
}

export interface CommandLookup {
  /** As in PATH. */
  readonly searchPath: string
  /** Absolute; relative commands start from it. */
  readonly workingDirectory: string
  /** Programs installed in its `node_modules/.bin` folders are found too, after those on PATH. Without symlinks. */
  readonly project: string
  /** Without symlinks. */
  readonly home: string
  readonly isSandboxed: boolean
}

/** Finds a command the way a shell would, then in the `node_modules/.bin` folders up to the project. */
export function resolveCommand(command: string, lookup: CommandLookup): ResolvedCommand | undefined {
  const found = candidates(command, lookup).find(isExecutableFile)
  return found === undefined ? undefined : locate(found, lookup, scriptsInARow)
}

/** Whether there is something of that name, be it a folder or a file that cannot be executed. */
export function isThere(command: string, lookup: CommandLookup): boolean {
  return candidates(command, lookup).some((file) => statOf(file) !== undefined)
}

/** What must be visible of a script that is an argument of its interpreter (`node server.js`), when there is one. */
export function argumentFolders(script: string, lookup: CommandLookup): string[] {
  const file = path.resolve(lookup.workingDirectory, script)
  if (!statOf(file)?.isFile()) return []
  const places = placesTo(file)
  const real = places.at(-1) ?? file
  return outside(lookup.project, [...scriptFolders(real, lookup.home), ...(file === real ? [] : [file])])
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

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined // a link that leads back to itself, or a folder that may not be searched
  }
}

/** The limit of the Linux kernel for scripts that run scripts (`exec_binprm`). */
const scriptsInARow = 5

function locate(found: string, lookup: CommandLookup, levels: number): ResolvedCommand {
  const { project, home } = lookup
  const real = realpathSync(found)
  const places = placesTo(found)
  const name = levels > 0 ? interpreterOf(real) : undefined
  const interpreterFile = name && candidates(name, lookup).find(isExecutableFile)
  const interpreter = interpreterFile === undefined ? undefined : locate(interpreterFile, lookup, levels - 1)
  const folders = [
    ...places.flatMap((place) => installFolder(place, home) ?? []),
    ...(name === undefined ? [installFolder(real, home) ?? real] : scriptFolders(real, home)),
    ...companionsOf(real),
    ...(interpreter?.folders ?? []),
  ]
  const { file, shown } = chooseName(found, places, [project, ...folders], name !== undefined)
  const refusal =
    refuseShim(found, lookup) ?? (name === undefined ? undefined : refuseInterpreter(name, interpreter))
  return {
    file,
    folders: outside(project, [...folders, ...shown]),
    searchFolders: searchFoldersOf(interpreter),
    ...(refusal !== undefined && { refusal }),
  }
}

/** Version managers (pyenv, asdf, mise) put such programs on PATH; they look for the real one all over the home folder. */
function refuseShim(found: string, { isSandboxed }: CommandLookup): Refusal | undefined {
  if (!isSandboxed || path.basename(path.dirname(found)) !== 'shims') return undefined
  return {
    reason: `is a shim of a version manager, ${found}, which does not work in a sandbox`,
    help: 'write the path of the program itself, or put its folder in front on PATH; `pyenv which`, `asdf which` and `mise which` tell it',
  }
}

function refuseInterpreter(name: string, interpreter: ResolvedCommand | undefined): Refusal | undefined {
  if (interpreter === undefined) {
    return { reason: `is a script for \`${name}\`, which was not found`, help: `install \`${name}\`` }
  }
  const { refusal } = interpreter
  return refusal && { ...refusal, reason: `is a script for \`${name}\`, which ${refusal.reason}` }
}

/**
 * By the name under which it was found, as a shell would start it: a venv is known by it, and some programs do what
 * it says (`bunx`). Inside there are no links but those in visible folders, so a script goes by its real name then,
 * and a binary that is called differently is shown under the name that was found.
 */
function chooseName(
  found: string,
  places: readonly string[],
  folders: readonly string[],
  isScript: boolean,
): { file: string; shown: string[] } {
  const visible = [...systemFolders, '/etc/alternatives', ...folders]
  const real = places.at(-1) ?? found
  if (places.every((place) => isBelow(place, visible))) return { file: found, shown: [] }
  if (isScript || path.basename(found) === path.basename(real)) return { file: real, shown: [] }
  return { file: found, shown: [found] }
}

function searchFoldersOf(interpreter: ResolvedCommand | undefined): string[] {
  if (interpreter === undefined) return []
  const own = isBelow(interpreter.file, systemFolders) ? [] : [path.dirname(interpreter.file)]
  return [...new Set([...own, ...interpreter.searchFolders])]
}

function outside(project: string, folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((folder) => !isBelow(folder, [project, ...systemFolders]))
}
