import { existsSync } from 'node:fs'
import path from 'node:path'
import { contains, isBelow } from '../host/paths.ts'
import { ancestors, systemFolders } from './paths.ts'

/**
 * The folder in which a program is installed, with the libraries that it needs, when its path tells: the packages of
 * npm, or a prefix with `bin` and `lib` such as nvm and venv make. Never one that holds a person's other things.
 */
export function installFolder(file: string, home: string): string | undefined {
  if (isBelow(file, systemFolders)) return undefined
  const packages = file.indexOf('/node_modules/')
  if (packages !== -1) return `${file.slice(0, packages)}/node_modules`
  const prefix = path.dirname(path.dirname(file))
  const isPrefix =
    path.basename(path.dirname(file)) === 'bin' &&
    ['lib', 'pyvenv.cfg'].some((name) => existsSync(path.join(prefix, name)))
  return isPrefix && !isPersonal(prefix, home) ? prefix : undefined
}

/** What a script outside the system folders needs: its package and the packages of it, else the file alone. */
export function scriptFolders(real: string, home: string): string[] {
  if (isBelow(real, systemFolders)) return []
  const folder = installFolder(real, home)
  if (folder !== undefined) return [folder]
  const above = ancestors(path.dirname(real), '/')
  const ownPackage = above.find((each) => existsSync(path.join(each, 'package.json')))
  if (ownPackage === undefined || isPersonal(ownPackage, home)) return [real]
  // A workspace keeps the packages of its members further up.
  const shared = ancestors(path.dirname(ownPackage), '/').map((each) => path.join(each, 'node_modules'))
  return [ownPackage, ...shared.filter((each) => existsSync(each))]
}

/** Programs that start another one, which lies beside them. */
const companions: Readonly<Record<string, readonly string[]>> = { uvx: ['uv'], uv: ['uvx'] }

export function companionsOf(real: string): string[] {
  if (isBelow(real, systemFolders)) return []
  return (companions[path.basename(real)] ?? [])
    .map((name) => path.join(path.dirname(real), name))
    .filter((file) => existsSync(file))
}

const personalFolders = ['', '.local', '.config', '.cache']

/** A home folder, one in which it lies, or one of those in it that all programs share. */
function isPersonal(folder: string, home: string): boolean {
  return contains(folder, home) || personalFolders.some((name) => folder === path.join(home, name))
}
