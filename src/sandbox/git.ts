import { existsSync, lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { ProtectedPath, WhenAbsent } from './masks.ts'
import { unprotectable } from './unprotectable.ts'
import { readSmallFile, Walk } from './walk.ts'

/** What git on the host would run or believe: paths to protect, in the project and in a repository beside it. */
export interface GitProtection {
  readonly protectedPaths: readonly ProtectedPath[]
  /** The repository of a linked worktree or of a submodule, which lies elsewhere. */
  readonly repository?: { readonly folder: string; readonly protectedPaths: readonly ProtectedPath[] }
}

/**
 * A project without `.git` stays without: a repository made inside would be believed by the next `git status` outside,
 * a prompt's say. Throws a SandboxRefusal where it is not the work of git, such as a link in it.
 *
 * Not closed, because a mask would break git or the project's own tools inside (git 2.39):
 * - a repository made in a subfolder, or a bare one without `.git`: the next git command there believes its
 *   configuration;
 * - a `commondir` made in the main repository, see below;
 * - commands planted in the state of a rebase (`rebase-merge`, `sequencer`), which `git rebase --continue` runs;
 * - files of the project to which the configuration itself leads (`include.path`, `core.hooksPath` of Husky).
 */
export function protectGit(project: string): GitProtection {
  const git = join(project, '.git')
  const stat = lookAt(git)
  if (stat?.isDirectory()) return { protectedPaths: below('.git', dangersIn(git)) }
  const repository = stat?.isFile() ? repositoryOf(git) : undefined
  return {
    protectedPaths: [{ path: '.git', whenAbsent: 'held' }],
    ...(repository && { repository: { folder: repository, protectedPaths: dangersIn(repository) } }),
  }
}

interface Danger {
  readonly name: string
  readonly whenAbsent: WhenAbsent
  readonly reason: string
}

/** gitrepository-layout(5) */
const dangers: { readonly ofRepository: readonly Danger[]; readonly ofWorktree: readonly Danger[] } = {
  ofRepository: [
    { name: 'hooks', whenAbsent: 'held', reason: 'programs that git runs' },
    { name: 'config', whenAbsent: 'empty file', reason: 'names programs: fsmonitor, aliases, filters' },
    {
      name: 'config.worktree',
      whenAbsent: 'empty file',
      reason:
        'the same, with extensions.worktreeConfig (`git sparse-checkout` sets it); git stops at a folder',
    },
    {
      name: 'commondir',
      whenAbsent: 'open',
      reason: 'leads to another configuration; git stops at anything in its place that is no path',
    },
  ],
  ofWorktree: [
    { name: 'config.worktree', whenAbsent: 'empty file', reason: 'as of a repository' },
    { name: 'commondir', whenAbsent: 'open', reason: 'leads to another configuration' },
    { name: 'gitdir', whenAbsent: 'open', reason: 'leads to the worktree' },
  ],
}

/** Of a repository, with its worktrees and submodules; relative to it. */
function dangersIn(repository: string, walk = new Walk()): ProtectedPath[] {
  const [worktrees, modules] = [join(repository, 'worktrees'), join(repository, 'modules')]
  const elsewhere = [
    ...foldersIn(worktrees, walk).map((folder) => [folder, dangers.ofWorktree.map(protect)] as const),
    ...foldersIn(modules, walk).flatMap((folder) => modulesIn(folder, walk)),
  ]
  return [
    ...dangers.ofRepository.map(protect),
    ...elsewhere.flatMap(([folder, protectedPaths]) => below(relative(repository, folder), protectedPaths)),
  ]
}

/**
 * What a folder below `modules` has to be protected from: it is the repository of a submodule, or has some below it, since
 * names may have slashes. An agent can move away what makes a repository, and put it where it makes one of a folder
 * above. So anything of a repository's makes one, and others are looked for below it, even under the names of its own
 * folders if they have a configuration: that has a mask in every run.
 */
function modulesIn(folder: string, walk: Walk): (readonly [string, ProtectedPath[]])[] {
  const { folders, links, others } = walk.list(folder)
  const isModule = [...folders, ...links, ...others].some((name) => partsOfRepository.includes(name))
  if (!isModule) return foldersIn(folder, walk).flatMap((one) => modulesIn(one, walk))
  const strange = folders.filter(
    (name) => !foldersOfRepository.includes(name) || lookAt(join(folder, name, 'config')),
  )
  return [
    [folder, dangersIn(folder, walk)],
    ...walk.enter(folder, strange).flatMap((one) => modulesIn(one, walk)),
  ]
}

const partsOfRepository = ['config', 'hooks', 'HEAD', 'objects']

/** gitrepository-layout(5), and what git LFS, git-svn, and halted commands leave. */
const foldersOfRepository = [
  ...['objects', 'refs', 'hooks', 'info', 'logs', 'modules', 'worktrees', 'branches', 'remotes', 'reftable'],
  ...['lfs', 'svn', 'rebase-merge', 'rebase-apply', 'sequencer'],
]

/** The folders in one where git makes nothing but folders. A link would lead to what stays open to the agent. */
function foldersIn(folder: string, walk: Walk): string[] {
  const { folders, links } = walk.list(folder)
  if (links[0] !== undefined) throw unprotectable(join(folder, links[0]), new Error('it is a symbolic link'))
  return walk.enter(folder, folders)
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw unprotectable(path, error)
  }
}

function protect({ name, whenAbsent }: Danger): ProtectedPath {
  return { path: name, whenAbsent }
}

function below(folder: string, protectedPaths: readonly ProtectedPath[]): ProtectedPath[] {
  return protectedPaths.map(({ path, whenAbsent }) => ({ path: join(folder, path), whenAbsent }))
}

/**
 * Follows a `.git` file to the repository with its configuration. Anybody can write such a file, in an archive to be
 * unpacked, say, and name any repository of the user's in it. So the repository must name the project in turn; git
 * inside finds none otherwise.
 */
function repositoryOf(gitFile: string): string | undefined {
  const gitFolder = real(readPath(gitFile, /^gitdir: (.+)$/m))
  if (!gitFolder) return undefined
  const shared = real(readPath(join(gitFolder, 'commondir'), /^(.+)$/m))
  const repository = shared ?? gitFolder
  const belongs = shared ? isWorktreeOf(shared, gitFolder, gitFile) : isSubmodule(gitFolder, gitFile)
  return belongs && isRepository(repository) ? repository : undefined
}

/** A folder elsewhere that only says so does not count: what stands in the repository itself does. */
function isWorktreeOf(repository: string, gitFolder: string, gitFile: string): boolean {
  return (
    dirname(gitFolder) === join(repository, 'worktrees') &&
    real(readPath(join(gitFolder, 'gitdir'), /^(.+)$/m)) === real(gitFile)
  )
}

/** With extensions.worktreeConfig, `core.worktree` has moved. */
function isSubmodule(gitFolder: string, gitFile: string): boolean {
  return ['config', 'config.worktree'].some((name) => {
    const worktree = readPath(join(gitFolder, name), /^\[core\]\n(?:\t.*\n)*?\tworktree = (.+)$/m)
    return worktree !== undefined && real(worktree) === real(dirname(gitFile))
  })
}

/** A path in a file of git's, which is relative to the folder of the file. */
function readPath(file: string, pattern: RegExp): string | undefined {
  const path = pattern.exec(readSmallFile(file) ?? '')?.[1]
  return path && resolve(dirname(file), path)
}

function real(path: string | undefined): string | undefined {
  return path !== undefined && existsSync(path) ? realpathSync(path) : undefined
}

function isRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
}
