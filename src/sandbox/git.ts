import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What git on the host would run or believe: relative paths to protect, in the project and in a repository beside it. */
export interface GitProtection {
  readonly protectedPaths: readonly string[]
  /** The repository of a linked worktree or submodule, which lies elsewhere. */
  readonly repository?: { readonly folder: string; readonly protectedPaths: readonly string[] }
}

/**
 * Git runs programs that `.git/config` (fsmonitor, aliases, filters) and `.git/hooks` name. A project without `.git`
 * stays without: a repository made inside would be believed by the next `git status` outside, a prompt's for one.
 */
export function protectGit(project: string): GitProtection {
  const git = join(project, '.git')
  const stat = lstatSync(git, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return { protectedPaths: dangerous(git).map((name) => `.git/${name}`) }
  if (!stat?.isFile()) return { protectedPaths: ['.git'] }
  const repository = repositoryOf(git)
  return { protectedPaths: ['.git'], ...(repository && { repository }) }
}

/** Of a repository's folder: the two that always matter, and those that redirect git where they exist. */
function dangerous(repository: string): string[] {
  const redirections = ['config.worktree', 'commondir', 'gitdir']
  return ['config', 'hooks', ...redirections.filter((name) => existsSync(join(repository, name)))]
}

/** Follows a `.git` file (gitrepository-layout(5)) to the common folder of the repository. */
function repositoryOf(gitFile: string): GitProtection['repository'] {
  const gitFolder = readPath(gitFile, /^gitdir: (.+)$/m, join(gitFile, '..'))
  if (!gitFolder) return undefined
  const common = readPath(join(gitFolder, 'commondir'), /^(.+)$/m, gitFolder) ?? gitFolder
  if (!['HEAD', 'objects', 'refs'].every((name) => existsSync(join(common, name)))) return undefined
  const inside = gitFolder.startsWith(`${common}/`) ? gitFolder.slice(common.length + 1) : undefined
  const own =
    inside === undefined ? [] : dangerous(gitFolder).filter((name) => existsSync(join(gitFolder, name)))
  return { folder: common, protectedPaths: [...dangerous(common), ...own.map((name) => `${inside}/${name}`)] }
}

function readPath(file: string, pattern: RegExp, base: string): string | undefined {
  if (!existsSync(file)) return undefined
  const path = pattern.exec(readFileSync(file, 'utf8'))?.[1]
  return path && resolve(base, path)
}
