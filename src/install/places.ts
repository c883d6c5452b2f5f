import path from 'node:path'
import type { FileSyntax, InstalledFile, UserProgram } from '../compile/installed-file.ts'
import type { Target } from '../compile/target.ts'
import type { Environment } from '../host/environment.ts'
import { contains } from '../host/paths.ts'
import { specNames } from '../spec/find.ts'
import type { Spec } from '../spec/spec.ts'

/** Whose files a build writes. Every path is absolute. */
export type Scope = ProjectScope | UserScope

export interface ProjectScope {
  readonly kind: 'project'
  /** Without symlinks. */
  readonly folder: string
  readonly workingDirectory: string
}

export interface UserScope {
  readonly kind: 'user'
  readonly home: string
  readonly environment: Environment
}

/** Where a document of a target is installed. */
export interface InstallPlace {
  readonly target: Target
  readonly installed: InstalledFile
  /** Absolute, with its links. */
  readonly file: string
  readonly syntax: FileSyntax
  /** When the harness reads it. */
  readonly readWhen: string
  /** The program that changes the file, where Bridle does not do so itself. */
  readonly program?: UserProgram
}

/** Where the documents of a target go; one that has no place in this scope is left out. */
export function placesOf(target: Target, scope: Scope): InstallPlace[] {
  return target.files.flatMap((installed) => {
    const place = scope.kind === 'project' ? inProject(installed, scope) : ofUser(installed, scope)
    return place === undefined ? [] : [{ target, installed, ...place }]
  })
}

type Located = Omit<InstallPlace, 'target' | 'installed'>

function inProject({ project }: InstalledFile, { folder }: ProjectScope): Located | undefined {
  if (project === undefined) return undefined
  return { file: path.join(folder, project.path), syntax: project.syntax, readWhen: project.readWhen }
}

function ofUser({ user }: InstalledFile, { home, environment }: UserScope): Located | undefined {
  if (user === undefined) return undefined
  const file = 'executable' in user ? user.reads : user
  const named = file.variable === undefined ? undefined : environment[file.variable] || undefined
  const folder = named === undefined ? path.join(home, file.folder) : path.resolve(home, named)
  return {
    file: path.join(folder, file.path),
    syntax: file.syntax,
    readWhen: user.readWhen,
    ...('executable' in user && { program: user }),
  }
}

/** The file of a spec, absolute, where there is one: a spec can also come from a program. */
export function specFileOf({ source }: Spec): string {
  return path.join(source.folder, path.basename(source.file))
}

/** The name of a file in the state: it depends on the machine only for the user's own files. */
export function stateNameOf(file: string, scope: Scope): string {
  return scope.kind === 'user' ? file : path.relative(scope.folder, file).split(path.sep).join('/')
}

export function fileOf(stateName: string, scope: Scope): string {
  return scope.kind === 'user' ? stateName : path.join(scope.folder, stateName)
}

/** Whether a state may speak of this path: it may come from anybody who can write the file in which it stands. */
export function isOwnPath(stateName: string, scope: Scope): boolean {
  if (scope.kind === 'user') return path.isAbsolute(stateName) && path.normalize(stateName) === stateName
  const file = path.resolve(scope.folder, stateName)
  const isInside = file !== scope.folder && contains(scope.folder, file)
  return (
    isInside &&
    stateNameOf(file, scope) === stateName &&
    file !== stateFileOf(scope) &&
    !isOfGitOrSpec(file, scope.folder)
  )
}

/** Whether a file of a project, both absolute, is the spec or what git acts on. Some systems know no case in names. */
export function isOfGitOrSpec(file: string, project: string): boolean {
  const names = path.relative(project, file).toLowerCase().split(path.sep)
  return names.includes('.git') || specNames.some((name) => names.includes(name))
}

/** The file in which the state stands. */
export function stateFileOf(scope: Scope): string {
  if (scope.kind === 'project') return path.join(scope.folder, '.bridle/state.json')
  const configured = scope.environment['XDG_STATE_HOME'] ?? ''
  const folder = path.isAbsolute(configured) ? configured : path.join(scope.home, '.local/state')
  return path.join(folder, 'bridle/state.json')
}

/** A file as messages name it: relative to the working directory, or from the home folder. */
export function shownFile(file: string, scope: Scope): string {
  if (scope.kind === 'project') {
    const relative = path.relative(scope.workingDirectory, file)
    // A line that began with a colon could be a workflow command to GitHub.
    const shown = relative.startsWith(':') ? `./${relative}` : relative
    return shown.length < file.length ? shown : file
  }
  return contains(scope.home, file) ? `~/${path.relative(scope.home, file)}` : file
}
