import { existsSync, lstatSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'

/** What a spec is called. */
export const specNames = ['bridle.yaml', 'bridle.json', 'bridle.toml'] as const

/** Names under which people look for a spec in vain. */
const nearNames = ['bridle.yml', '.bridle.yaml', '.bridle.json', '.bridle.toml'] as const

/** Where a spec was found, or why there is none. */
export type Found = { readonly file: string } | { readonly diagnostic: Diagnostic }

/**
 * Looks for the spec from the working directory upward, no further than the root of the git repository or the home
 * folder, and to none that another user has put in the way. Paths are absolute.
 */
export function findSpec(cwd: string, home: string): Found {
  const folders = foldersUpward(cwd, home)
  for (const folder of folders) {
    const found = specIn(folder)
    if (found === undefined) continue
    return 'file' in found && isOfStranger(found.file, cwd) ? { diagnostic: ofStranger(found.file) } : found
  }
  return {
    diagnostic: notFound(`No spec was found in \`${cwd}\`${folders.length > 1 ? ' or above' : ''}.`, folders),
  }
}

/**
 * Whether a file that was found from the working directory upward belongs to somebody who has no part in either: in /tmp
 * everybody can put one above the folders of others. Root's own files are nobody's trap.
 */
export function isOfStranger(file: string, cwd: string): boolean {
  const owner = statOf(file)?.uid
  const known = [0, process.geteuid?.(), statOf(cwd)?.uid]
  return process.platform !== 'win32' && owner !== undefined && !known.includes(owner)
}

function ofStranger(file: string): Diagnostic {
  return diagnostic(
    'BRIDLE101',
    'error',
    `No spec of yours was found: \`${file}\` belongs to another user.`,
    {
      help: 'If you trust it, name it with `--config FILE`; else write one of your own with `bridle init`.',
    },
  )
}

/** Where the user's own spec lies. */
export function userSpecFolder(configHome: string | undefined, home: string): string {
  return path.join(configHome || path.join(home, '.config'), 'bridle')
}

/** Looks for the spec of the user in its folder. */
export function findUserSpec(folder: string): Found {
  return specIn(folder) ?? { diagnostic: notFound(`No spec was found in \`${folder}\`.`, [folder]) }
}

/**
 * The folder that an agent works in: the root of the git repository of the working directory, else the folder of the
 * spec. The home folder is nobody's project, even when it is a repository.
 */
export function findProject(cwd: string, specFolder: string, home: string): string {
  const root = foldersUpward(cwd, home).at(-1)
  return root !== undefined && root !== home && isGitRoot(root, cwd) ? root : specFolder
}

function foldersUpward(cwd: string, home: string): string[] {
  const folders = [cwd]
  for (let folder = cwd; !isGitRoot(folder, cwd) && folder !== home; ) {
    const parent = path.dirname(folder)
    if (parent === folder) break
    folders.push(parent)
    folder = parent
  }
  return folders
}

function isGitRoot(folder: string, cwd: string): boolean {
  const file = path.join(folder, '.git')
  return existsSync(file) && !isOfStranger(file, cwd)
}

function specIn(folder: string): Found | undefined {
  const there = specNames.map((name) => path.join(folder, name)).filter(isThere)
  // A folder of such a name is how a running sandbox keeps the second spec from being created.
  const files = there.filter((file) => !isFolder(file))
  const [file, ...others] = files.length > 0 ? files : there
  if (file === undefined) return undefined
  if (others.length === 0) return { file }
  const names = [file, ...others].map((each) => path.basename(each))
  return {
    diagnostic: diagnostic('BRIDLE102', 'error', `\`${folder}\` has ${names.join(' and ')}.`, {
      help: 'Keep one of them, or name the one that is meant with `--config`.',
    }),
  }
}

/** A broken link is there: reading it tells what is wrong with it. */
function isThere(file: string): boolean {
  return statOf(file) !== undefined
}

function isFolder(file: string): boolean {
  return statOf(file)?.isDirectory() === true
}

/** Nothing is found in a folder that may not be searched. */
function statOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function notFound(message: string, folders: readonly string[]): Diagnostic {
  const near = folders.flatMap((folder) => nearNames.map((name) => path.join(folder, name))).find(isThere)
  return diagnostic('BRIDLE101', 'error', message, {
    help:
      near === undefined
        ? 'Write one with `bridle init`, or name one with `--config FILE`.'
        : `There is ${near}: rename it to one of ${specNames.join(', ')}, or name it with \`--config FILE\`.`,
  })
}
