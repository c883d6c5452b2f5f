import { lstatSync } from 'node:fs'
import path from 'node:path'
import { contains } from '../host/paths.ts'
import { ancestors } from './paths.ts'

/**
 * What `npx bridle` would run and read the next time, outside of a sandbox: the package that runs now, and every
 * installation on the way from these folders up to the project. A link cannot be kept from being replaced but by
 * protecting the folder that it stands in.
 *
 * @param folders absolute
 * @param ownPackage the folder of the package that runs
 * @returns absolute paths in the project; not the project itself, where Bridle is its own project
 */
export function ownInstallations(project: string, folders: readonly string[], ownPackage: string): string[] {
  const starts = [...folders, path.dirname(ownPackage)]
  const onTheWay = new Set(starts.flatMap((folder) => ancestors(folder, project)))
  const running = ownPackage !== project && contains(project, ownPackage) ? [ownPackage] : []
  return [...running, ...[...onTheWay].flatMap(installedIn)]
}

function installedIn(folder: string): string[] {
  const installed = lstatSync(path.join(folder, 'node_modules/bridle'), { throwIfNoEntry: false })
  if (installed === undefined) return []
  const runs = installed.isSymbolicLink() ? ['node_modules'] : ['node_modules/bridle', 'node_modules/.bin']
  return [...runs, '.npmrc'].map((name) => path.join(folder, name))
}
