import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Refusal } from '../compile/target.ts'
import { contains, isBelow } from '../host/paths.ts'
import { findOutside, findProgram, type ProgramSearch } from './find-program.ts'
import { companionsOf, installFolder, scriptFolders } from './installation.ts'
import { interpreterOf } from './interpreter.ts'
import { passes, placesTo, systemFolders } from './paths.ts'

/** A program as it will be started, and what must be visible for it to run. */
export interface ExposedProgram {
  /** Absolute. As it was found where that is visible inside, else the real file, so that it finds its neighbours. */
  readonly file: string
  /** Files and folders outside the project and the system: its install folder, and that of a script's interpreter. */
  readonly folders: readonly string[]
  /** Folders that must stand on PATH for it: those of interpreters found outside the project and the system. */
  readonly searchFolders: readonly string[]
  /** Why it would not run all the same: the reason goes on from the name of the program. */
  readonly refusal?: Refusal
}

export interface Exposure extends ProgramSearch {
  /** Without symlinks. */
  readonly home: string
  readonly isSandboxed: boolean
  /** Of a script: what runs it in place of the program that its first line names. Absolute. */
  readonly interpreter?: string
}

/**
 * Decides what of the host becomes visible for a program, besides the project and the system. Nothing else does.
 *
 * An agent writes in the project, and so did whoever made the repository. So nothing in it makes anything visible: no
 * link, no script, no first line of a script. A program outside brings its install folder when the whole way to it
 * lies outside, from the launcher's PATH or from the path that the spec or the user wrote. A script of the project
 * gets a language runtime of the launcher's PATH when it asks for it by name (`env node`), and no other program.
 *
 * @param found absolute, an executable file
 */
export function exposeProgram(found: string, exposure: Exposure): ExposedProgram {
  if (!exposure.isSandboxed) return { file: found, folders: [], searchFolders: [] }
  return expose(found, exposure, scriptsInARow)
}

/** Whether a file that the launcher names may be shown, by the same rule. One in the project is visible as it is. */
export function mayShow(file: string, project: string): boolean {
  return contains(project, file) || !passes(file, project)
}

/** The limit of the Linux kernel for scripts that run scripts (`exec_binprm`). */
const scriptsInARow = 5

function expose(found: string, exposure: Exposure, levels: number): ExposedProgram {
  const { project, home } = exposure
  const real = realpathSync(found)
  const isTrusted = !passes(found, project)
  const asked = levels > 0 ? interpreterOf(real) : undefined
  const interpreter = asked === undefined ? undefined : exposeInterpreter(asked, isTrusted, exposure, levels)
  const own = isTrusted ? installation(found, home, asked !== undefined) : []
  const folders = [...own, ...(interpreter?.folders ?? [])]
  const { file, shown } = chooseName(found, [project, ...folders], asked !== undefined || !isTrusted)
  const refusal =
    (isTrusted ? undefined : refuseWayOut(real, project)) ??
    refuseShim(found) ??
    (asked === undefined ? undefined : refuseInterpreter(asked, interpreter))
  return {
    file,
    folders: outside(project, [...folders, ...shown]),
    searchFolders: searchFoldersOf(interpreter, project),
    ...(refusal !== undefined && { refusal }),
  }
}

/** What belongs to a program, wherever its links lead. */
function installation(found: string, home: string, isScript: boolean): string[] {
  const places = placesTo(found)
  const real = places.at(-1) ?? found
  return [
    ...places.flatMap((place) => installFolder(place, home) ?? []),
    ...(isScript ? scriptFolders(real, home) : [installFolder(real, home) ?? real]),
    ...companionsOf(real),
  ]
}

/** What `#!/usr/bin/env NAME` may bring for a script of the project. */
const languageRuntime = /^(node|bun|deno|python|python[23](\.\d+)?|pypy3?|ruby|perl|php)$/

function exposeInterpreter(
  asked: string,
  isTrusted: boolean,
  { interpreter: given, ...exposure }: Exposure,
  levels: number,
): ExposedProgram | undefined {
  if (given !== undefined) return expose(given, exposure, 0)
  const isPath = asked.includes('/')
  const found = isPath ? findProgram(asked, exposure) : findOutside(asked, exposure)
  const interpreter = found === undefined ? undefined : expose(found, exposure, levels - 1)
  if (interpreter === undefined || interpreter.folders.length === 0) return interpreter
  if (isTrusted || (!isPath && languageRuntime.test(asked))) return interpreter
  return {
    ...interpreter,
    folders: [],
    searchFolders: [],
    refusal: {
      reason: 'lies outside of the project and the system',
      help: 'what a script of the project asks for is not shown to an agent, but for language runtimes on your PATH (`#!/usr/bin/env node`); write the program itself as the command',
    },
  }
}

function refuseWayOut(real: string, project: string): Refusal | undefined {
  if (isBelow(real, [project, ...systemFolders])) return undefined
  return {
    reason: `is ${real}, where a link of the project leads out of it`,
    help: 'what a link in the project leads to is not shown to an agent, who could change the link: write the path of the program itself, or install it in the project',
  }
}

/** Version managers (pyenv, asdf, mise) put such programs on PATH; they look for the real one all over the home folder. */
function refuseShim(found: string): Refusal | undefined {
  if (path.basename(path.dirname(found)) !== 'shims') return undefined
  return {
    reason: `is a shim of a version manager, ${found}, which does not work in a sandbox`,
    help: 'write the path of the program itself, or put its folder in front on PATH; `pyenv which`, `asdf which` and `mise which` tell it',
  }
}

function refuseInterpreter(asked: string, interpreter: ExposedProgram | undefined): Refusal | undefined {
  if (interpreter === undefined) {
    return { reason: `is a script for \`${asked}\`, which was not found`, help: `install \`${asked}\`` }
  }
  const { refusal } = interpreter
  return refusal && { ...refusal, reason: `is a script for \`${asked}\`, which ${refusal.reason}` }
}

/**
 * By the name under which it was found, as a shell would start it: a venv is known by it, and some programs do what
 * it says (`bunx`). Inside there are no links but those in visible folders, so a script goes by its real name then,
 * and a binary that is called differently is shown under the name that was found.
 */
function chooseName(
  found: string,
  folders: readonly string[],
  isByRealName: boolean,
): { file: string; shown: string[] } {
  const visible = [...systemFolders, '/etc/alternatives', ...folders]
  const places = placesTo(found)
  const real = places.at(-1) ?? found
  if (places.every((place) => isBelow(place, visible))) return { file: found, shown: [] }
  if (isByRealName || path.basename(found) === path.basename(real)) return { file: real, shown: [] }
  return { file: found, shown: [found] }
}

function searchFoldersOf(interpreter: ExposedProgram | undefined, project: string): string[] {
  if (interpreter === undefined || interpreter.refusal !== undefined) return []
  const own = isBelow(interpreter.file, [project, ...systemFolders]) ? [] : [path.dirname(interpreter.file)]
  return [...new Set([...own, ...interpreter.searchFolders])]
}

function outside(project: string, folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((folder) => !isBelow(folder, [project, ...systemFolders]))
}
