import { closeSync, constants, fstatSync, openSync, readdirSync } from 'node:fs'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { contains } from '../host/paths.ts'
import type { Mount } from './arguments.ts'
import type { Holdings } from './holdings.ts'
import { actAs, type Identity } from './identity.ts'
import { isPlaceholder, isSticky, makePlaceholder, markPlaceholder } from './placeholders.ts'
import { SandboxRefusal } from './sandbox.ts'
import { unprotectable } from './unprotectable.ts'

/** A path that the inside may not change. */
export interface ProtectedPath {
  /** Relative to the folder that is opened, normalised. */
  readonly path: string
  readonly whenAbsent: WhenAbsent
}

/**
 * What becomes of a protected path that does not exist. `held`: a placeholder keeps it from being created (of a nested
 * path whose parent is absent, the parent). `held alone`: of such a nested path the parent is made, and removed at the end
 * if it is empty then, so that the rest of it can be created. `empty file`: it is created, and stays. `open`: it can be
 * created, and so can its parent, unless another path has it held.
 */
export type WhenAbsent = 'held' | 'held alone' | 'empty file' | 'open'

/** Of a folder on the way to a protected path: `made` is what it becomes for one that is held alone. */
type Absence = WhenAbsent | 'made'

/**
 * Opens a folder read-write and, over it, its protected paths read-only. Every folder on the way to a protected path
 * becomes a mount point too, since those cannot be renamed: `mv .git x` would carry the masks away and leave room for
 * a new `.git`. No link is followed below the folder; one on the way is a refusal.
 *
 * Not closed: when somebody on the host replaces a protected file by renaming another onto it (`git config`, editors),
 * the kernel takes the mount off in every namespace, and the new file stands open for the rest of the run.
 *
 * @param owner with whose rights it is done, and whose the placeholders are, when not this process's
 */
export function openMasked(
  folder: string,
  protectedPaths: readonly ProtectedPath[],
  holdings: Holdings,
  owner?: Identity,
): Mount[] {
  const descriptor = holdings.open(folder, constants.O_DIRECTORY)
  const root: Place = { descriptor, path: folder, kind: 'folder' }
  try {
    const masks = actAs(owner, () => openMasks(root, treeOf(protectedPaths), holdings))
    return [mount(root, 'read-write'), ...masks]
  } catch (error) {
    throw error instanceof Vanished ? unprotectable(folder, error) : error
  }
}

interface Place {
  readonly descriptor: number
  readonly path: string
  readonly kind: 'folder' | 'file' | 'placeholder'
}

function openMasks(parent: Place, tree: Tree, holdings: Holdings): Mount[] {
  return [...tree].flatMap(([name, branch]) => openBranch(parent, name, branch, holdings))
}

function openBranch(parent: Place, name: string, { below, whenAbsent }: Branch, holdings: Holdings): Mount[] {
  for (let attempt = 0; attempt < 100; attempt++) {
    const place = openOrMake(parent, name, whenAbsent, holdings)
    if (!place) return []
    const onTheWay = place.kind === 'folder' && below.size > 0
    if (!onTheWay) return [mount(place, 'read-only')]
    try {
      return [mount(place, 'read-write'), ...openMasks(place, below, holdings)]
    } catch (error) {
      if (!(error instanceof Vanished)) throw error
      if (whenAbsent !== 'made') throw unprotectable(place.path, error)
    }
  }
  throw new SandboxRefusal(refuseUnrest(`${parent.path}/${name}`))
}

/** The open folder was removed by another run, at whose end it was empty: it has to be made again. */
class Vanished extends Error {}

function mount({ descriptor, path }: Place, access: Mount['access']): Mount {
  return { descriptor, destination: path, access }
}

/** By name; nothing below a name: the whole is protected. */
interface Tree extends Map<string, Branch> {}

interface Branch {
  readonly below: Tree
  readonly whenAbsent: Absence
}

function treeOf(protectedPaths: readonly ProtectedPath[]): Tree {
  const tree: Tree = new Map()
  for (const { path, whenAbsent } of protectedPaths) {
    if (protectedPaths.some((other) => other.path !== path && contains(other.path, path))) continue
    const names = path.split('/')
    const onTheWay = onTheWayTo[whenAbsent]
    names.reduce(
      (branch, name, at) => enter(branch, name, at < names.length - 1 ? onTheWay : whenAbsent),
      tree,
    )
  }
  return tree
}

const onTheWayTo: Readonly<Record<WhenAbsent, Absence>> = {
  held: 'held',
  'held alone': 'made',
  'empty file': 'held',
  open: 'open',
}

/** The strictest of all that is said of a name counts. */
const strictness: readonly Absence[] = ['open', 'made', 'empty file', 'held alone', 'held']

function enter(tree: Tree, name: string, whenAbsent: Absence): Tree {
  const known = tree.get(name) ?? { below: new Map(), whenAbsent }
  const isStricter = strictness.indexOf(whenAbsent) > strictness.indexOf(known.whenAbsent)
  tree.set(name, isStricter ? { ...known, whenAbsent } : known)
  return known.below
}

/** Other runs make and remove placeholders at the same time, so what was there may be gone at the next look. */
function openOrMake(parent: Place, name: string, whenAbsent: Absence, holdings: Holdings): Place | undefined {
  for (let attempt = 0; attempt < 100; attempt++) {
    const found = openEntry(parent, name, holdings)
    const place = found && whenAbsent === 'made' ? share(found, parent, name, holdings) : found
    if (!place && !make(parent, name, whenAbsent)) return undefined
    if (place && (place.kind !== 'placeholder' || hold(parent, name, place, holdings))) return place
  }
  throw new SandboxRefusal(refuseUnrest(`${parent.path}/${name}`))
}

/** Opens one name in an open folder, as openat(2) does: the way to the folder is not looked up again. */
function openEntry(parent: Place, name: string, holdings: Holdings): Place | undefined {
  const path = `${parent.path}/${name}`
  try {
    const descriptor = holdings.open(entryOf(parent, name), constants.O_NOFOLLOW)
    const stat = fstatSync(descriptor)
    if (stat.isSymbolicLink()) throw new SandboxRefusal(refuseLink(path))
    if (!stat.isDirectory()) return { descriptor, path, kind: 'file' }
    return { descriptor, path, kind: isPlaceholder(stat, folderOf(descriptor)) ? 'placeholder' : 'folder' }
  } catch (error) {
    if (error instanceof SandboxRefusal) throw error
    if (codeOf(error) === 'ENOENT') return undefined
    throw unprotectable(path, error)
  }
}

/**
 * Gives whether there is something now. Where this process may not create, the agent, who is the same user, may neither,
 * unless the folder is its own: it would give itself the right.
 */
function make(parent: Place, name: string, whenAbsent: Absence): boolean {
  if (whenAbsent === 'open') return false
  const path = entryOf(parent, name)
  try {
    if (whenAbsent === 'empty file') closeSync(openSync(path, 'wx'))
    else makePlaceholder(path)
    return true
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return true
    if (code === 'ENOENT') throw new Vanished(`${parent.path} is gone`)
    if (code === 'EROFS' || (code === 'EACCES' && !isOwn(parent))) return false
    throw unprotectable(`${parent.path}/${name}`, error)
  }
}

/**
 * A folder that a run made on the way to placeholders is known by its sticky bit, like these. Every run that uses it
 * removes it at the end, which fails as long as something is in it: placeholders of others, or what the agent put there.
 */
function share(place: Place, parent: Place, name: string, holdings: Holdings): Place {
  const isMade = place.kind !== 'file' && isSticky(fstatSync(place.descriptor))
  if (!isMade || (place.kind === 'placeholder' && readdirSync(folderOf(place.descriptor)).length > 0))
    return place
  holdings.addFolder(entryOf(parent, name))
  return { ...place, kind: 'folder' }
}

function isOwn({ descriptor }: Place): boolean {
  return fstatSync(descriptor).uid === process.geteuid?.()
}

/** Gives whether the placeholder is there to stay. */
function hold(parent: Place, name: string, { descriptor, path }: Place, holdings: Holdings): boolean {
  try {
    const mark = markPlaceholder(folderOf(descriptor))
    if (mark === undefined) return false
    holdings.addFolder(entryOf(parent, name))
    holdings.addFolder(mark)
    return true
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw new SandboxRefusal(refuseForeign(path))
    if (codeOf(error) === 'EROFS') return true
    throw unprotectable(path, error)
  }
}

function entryOf({ descriptor }: Place, name: string): string {
  return `${folderOf(descriptor)}/${name}`
}

function folderOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
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

function refuseForeign(path: string) {
  return diagnostic(
    'BRIDLE603',
    'error',
    `${path} is kept from being created by a launch of another user, whose end would open it to the agent.`,
    {
      help: 'Try again when that launch has ended. If there is none, the folder was left by one that was killed: remove it.',
    },
  )
}

function refuseUnrest(path: string) {
  return diagnostic('BRIDLE602', 'error', `${path} is made and removed again and again by another program.`, {
    help: 'It has to be protected from the agent. Try again when the other program has ended.',
  })
}
