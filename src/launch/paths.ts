import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** Always visible inside a sandbox, read-only. */
export const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32']

/** Whether the path is one of the folders or lies in one. */
export function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`))
}

/** The folder itself and its parents up to `last`; none when it does not lie in `last`. */
export function ancestors(folder: string, last: string): string[] {
  if (folder === last) return [folder]
  return isBelow(folder, [last]) ? [folder, ...ancestors(path.dirname(folder), last)] : []
}

const mostLinks = 40 // as the Linux kernel follows at most

/** Every place that is passed on the way from a path to its real file, both included. The file exists. */
export function placesTo(file: string): string[] {
  const places = [file]
  let place = file
  while (places.length < mostLinks) {
    const real = path.join(realpathSync(path.dirname(place)), path.basename(place))
    if (real !== place) places.push(real)
    if (!lstatSync(real).isSymbolicLink()) break
    place = path.resolve(path.dirname(real), readlinkSync(real))
    places.push(place)
  }
  return places
}
