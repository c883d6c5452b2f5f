import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What git on the host would run or believe: relative paths to protect, in the project and in a repository beside it. */
export interface GitProtection {
  readonly protectedPaths: readonly string[]
  /** The repository of a linked worktree or of a submodule, which lies elsewhere. */
  readonly repository?: { readonly folder: string; readonly protectedPaths: readonly string[] }
}

/**
 * Git runs programs that `config` (fsmonitor, aliases, filters) and `hooks` of a repository name. A project without
 * `.git` stays without: a repository made inside would be believed by the next `git status` outside, a prompt's say.
 *
 * Not closed: a repository made in a subfolder and added to the index, and a `commondir` made in the main repository;
 * the next `git status` outside believes both (git 2.39).
 */
export function protectGit(project: string): GitProtection {
  const git = join(project, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return { protectedPaths: dangers(git).map((path) => join('.git', path)) }
  const repository = stat?.isFile() ? repositoryOf(git) : undefined
  return { protectedPaths: ['.git'], ...(repository && { repository }) }
}

/** Follows a `.git` file to the repository that its worktrees share (gitrepository-layout(5)). */
function repositoryOf(gitFile: string): GitProtection['repository'] {
  const gitFolder = readPath(gitFile, /^gitdir: (.+)$/m, join(gitFile, '..'))
  if (!gitFolder) return undefined
  const shared = readPath(join(gitFolder, 'commondir'), /^(.+)$/m, gitFolder) ?? gitFolder
  return isRepository(shared) ? { folder: shared, protectedPaths: dangers(shared) } : undefined
}

function readPath(file: string, pattern: RegExp, base: string): string | undefined {
  const path = existsSync(file) ? pattern.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  return path && resolve(base, path)
}

/** Of a repository, with its worktrees and submodules; relative to it. */
function dangers(repository: string): string[] {
  return [
    'config',
    'hooks',
    ...redirections(repository),
    ...folders(join(repository, 'worktrees')).flatMap((name) =>
      redirections(join(repository, 'worktrees', name)).map((path) => join('worktrees', name, path)),
    ),
    ...submodules(repository, 'modules').flatMap((module) =>
      dangers(join(repository, module)).map((path) => join(module, path)),
    ),
  ]
}

/** Files that lead git elsewhere, where they exist. */
function redirections(folder: string): string[] {
  return ['commondir', 'gitdir', 'config.worktree'].filter((name) => existsSync(join(folder, name)))
}

/** The repositories below a folder; the names of submodules may have slashes. */
function submodules(repository: string, below: string): string[] {
  return folders(join(repository, below))
    .map((name) => join(below, name))
    .flatMap((path) => (isRepository(join(repository, path)) ? [path] : submodules(repository, path)))
}

function isRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
}

function folders(path: string): string[] {
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
}
