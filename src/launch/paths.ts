import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { contains } from '../host/paths.ts'

/** Always visible inside a sandbox, read-only. */
export const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32']

/** The folder itself and its parents up to `last`; none when it does not lie in `last`. */
export function ancestors(folder: string, last: string): string[] {
  if (folder === last) return [folder]
  return contains(last, folder) ? [folder, ...ancestors(path.dirname(folder), last)] : []
}

const mostLinks = 40 // as the Linux kernel follows at most

/** The names of a file from the given one to the real one, both included, each a link to the next. The file exists. */
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

/**
 * Whether the way from a path to its real file touches the folder anywhere: a link on it, be it of a folder further up,
 * may lead there or come from there. Of a path that does not exist, as far as it does. The folder is a real path.
 */
export function passes(file: string, folder: string): boolean {
  const names = file.split('/')
  let place = '/'
  for (let links = 0; names.length > 0 && links <= mostLinks; ) {
    const name = names.shift() ?? ''
    place = path.join(place, name)
    if (contains(folder, place)) return true
    if (name === '' || name === '..' || !isLink(place)) continue
    links += 1
    const target = readlinkSync(place)
    names.unshift(...target.split('/'))
    place = target.startsWith('/') ? '/' : path.dirname(place)
  }
  return names.length > 0
}

function isLink(place: string): boolean {
  try {
    return lstatSync(place).isSymbolicLink()
  } catch {
    return false
  }
}
