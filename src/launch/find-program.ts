import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'
import { ancestors, passes } from './paths.ts'

/** Where programs are looked for. */
export interface ProgramSearch {
  /** As in PATH. */
  readonly searchPath: string
  /** Absolute; relative commands start from it. */
  readonly workingDirectory: string
  /** Programs installed in its `node_modules/.bin` folders are found too, after those on PATH. Without symlinks. */
  readonly project: string
}

/** Finds a command the way a shell would, then in the `node_modules/.bin` folders up to the project. Absolute. */
export function findProgram(command: string, search: ProgramSearch): string | undefined {
  return candidates(command, search).find(isExecutableFile)
}

/**
 * Finds a program by its name on PATH, passing over all that lies in the project or is reached through it: an agent
 * could have put it there.
 */
export function findOutside(name: string, search: ProgramSearch): string | undefined {
  return findAllOutside(name, search)[0]
}

/** The same of every folder of PATH, in its order. */
export function findAllOutside(name: string, { searchPath, project }: ProgramSearch): string[] {
  return onPath(name, searchPath).filter((file) => isExecutableFile(file) && !passes(file, project))
}

/**
 * PATH without what is relative and without the folders of the project, for a program that is started outside of any
 * sandbox: scripts find their interpreter by it, and npx and npm put folders of the project in front.
 */
export function pathOutside(searchPath: string, project: string): string {
  const folders = searchPath.split(':').filter((folder) => path.isAbsolute(folder))
  return folders.filter((folder) => !passes(path.resolve(folder), project)).join(':')
}

/** Whether there is something of that name, be it a folder or a file that cannot be executed. */
export function isThere(command: string, search: ProgramSearch): boolean {
  return candidates(command, search).some((file) => statOf(file) !== undefined)
}

function candidates(command: string, { searchPath, workingDirectory, project }: ProgramSearch): string[] {
  if (command.includes('/')) return [path.resolve(workingDirectory, command)]
  const inPackages = ancestors(workingDirectory, project).map((folder) =>
    path.join(folder, 'node_modules/.bin', command),
  )
  return [...onPath(command, searchPath), ...inPackages]
}

/** A relative or empty entry of PATH would be the working directory, where anybody may have put anything. */
function onPath(name: string, searchPath: string): string[] {
  const folders = searchPath.split(':').filter((folder) => path.isAbsolute(folder))
  return folders.map((folder) => path.join(folder, name))
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
