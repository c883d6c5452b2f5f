import { constants, fstatSync } from 'node:fs'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import type { Mount } from './arguments.ts'
import type { Holdings } from './holdings.ts'
import type { Identity } from './identity.ts'
import { isPlaceholder, makePlaceholder } from './placeholders.ts'
import { contains } from './project.ts'
import { SandboxRefusal } from './sandbox.ts'

/**
 * Opens a folder read-write and, over it, its protected paths read-only. Every folder on the way to a protected path
 * becomes a mount point too, since those cannot be renamed: `mv .git x` would carry the masks away and leave room for
 * a new `.git`. No link is followed below the folder; one on the way is a refusal.
 *
 * Not closed: when somebody on the host replaces a protected file by renaming another onto it (`git config`, editors),
 * the kernel takes the mount off in every namespace, and the new file stands open for the rest of the run.
 *
 * @param protectedPaths relative to the folder, normalised
 * @param owner whose the placeholders are, when not this process's
 */
export function openMasked(
  folder: string,
  protectedPaths: readonly string[],
  holdings: Holdings,
  owner?: Identity,
): Mount[] {
  const descriptor = holdings.open(folder, constants.O_DIRECTORY)
  const root: Place = { descriptor, path: folder, kind: 'folder' }
  return [mount(root, 'read-write'), ...openMasks(root, treeOf(protectedPaths), holdings, owner)]
}

interface Place {
  readonly descriptor: number
  readonly path: string
  readonly kind: 'folder' | 'file' | 'placeholder'
}

function openMasks(parent: Place, tree: Tree, holdings: Holdings, owner: Identity | undefined): Mount[] {
  return [...tree].flatMap(([name, below]) => {
    const place = openEntry(parent, name, holdings) ?? occupy(parent, name, holdings, owner)
    if (!place) return []
    if (place.kind === 'placeholder') holdings.addPlaceholder(place.path)
    const onTheWay = place.kind === 'folder' && below.size > 0
    if (!onTheWay) return [mount(place, 'read-only')]
    return [mount(place, 'read-write'), ...openMasks(place, below, holdings, owner)]
  })
}

function mount({ descriptor, path }: Place, access: Mount['access']): Mount {
  return { descriptor, destination: path, access }
}

/** Name → what is protected below it; nothing below it: the whole. */
interface Tree extends Map<string, Tree> {}

function treeOf(paths: readonly string[]): Tree {
  const tree: Tree = new Map()
  const whole = paths.filter((path) => !paths.some((other) => other !== path && contains(other, path)))
  for (const path of whole) path.split('/').reduce(enter, tree)
  return tree
}

function enter(tree: Tree, name: string): Tree {
  const below: Tree = tree.get(name) ?? new Map()
  tree.set(name, below)
  return below
}

/** Opens one name in an open folder, as openat(2) does: the way to the folder is not looked up again. */
function openEntry(parent: Place, name: string, holdings: Holdings): Place | undefined {
  const path = `${parent.path}/${name}`
  try {
    const descriptor = holdings.open(entryOf(parent, name), constants.O_NOFOLLOW)
    const stat = fstatSync(descriptor)
    if (stat.isSymbolicLink()) throw new SandboxRefusal(refuseLink(path))
    return {
      descriptor,
      path,
      kind: isPlaceholder(stat) ? 'placeholder' : stat.isDirectory() ? 'folder' : 'file',
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Where this process may not create, the agent, who is the same user, may neither. */
function occupy(
  parent: Place,
  name: string,
  holdings: Holdings,
  owner: Identity | undefined,
): Place | undefined {
  try {
    makePlaceholder(entryOf(parent, name), owner)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EACCES' || code === 'EROFS') return undefined
    if (code !== 'EEXIST') throw error
  }
  return openEntry(parent, name, holdings)
}

function entryOf({ descriptor }: Place, name: string): string {
  return `/proc/self/fd/${descriptor}/${name}`
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function refuseLink(path: string) {
  return diagnostic(
    'BRIDLE603',
    'error',
    `${path} is a symbolic link, so it cannot be protected from the agent.`,
    {
      help: 'What it leads to is trusted outside of the sandbox. Look where that is, and put the file itself in its place.',
    },
  )
}
