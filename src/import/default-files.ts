import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Environment } from '../host/environment.ts'
import type { Scope } from './foreign.ts'
import type { DefaultPlace, Form } from './form.ts'

export interface Surroundings {
  /** Absolute, as all paths here. */
  readonly workingDirectory: string
  readonly project: string
  readonly home: string
  readonly environment: Environment
}

export interface DefaultFile {
  readonly file: string
  readonly scope: Scope
}

/** The files of a form that are there, the nearest first, and all the places where they were looked for. */
export function findDefaultFiles(
  { places }: Form,
  surroundings: Surroundings,
): { readonly found: readonly DefaultFile[]; readonly tried: readonly string[] } {
  const tried = places.flatMap((place) =>
    candidates(place, surroundings).map((candidate) => ({ place, ...candidate })),
  )
  const isThere = new Set(tried.map(({ file }) => file).filter((file) => existsSync(file)))
  const found = tried.filter(({ file, folder, place }) => {
    const other = place.unless === undefined ? undefined : path.join(folder, place.unless)
    return isThere.has(file) && !(other !== undefined && isThere.has(other))
  })
  const first = new Map([...found].reverse().map(({ file, place }) => [file, { file, scope: place.scope }]))
  const unique = found.filter((each, index) => found.findIndex(({ file }) => file === each.file) === index)
  return {
    found: unique.flatMap(({ file }) => first.get(file) ?? []),
    tried: [...new Set(tried.map(({ file }) => file))],
  }
}

function candidates(
  { path: relative, folder, variable }: DefaultPlace,
  { workingDirectory, project, home, environment }: Surroundings,
): { folder: string; file: string }[] {
  const named = variable === undefined ? undefined : environment[variable]
  const folders = folder === undefined ? [workingDirectory, project] : [named || path.join(home, folder)]
  return [...new Set(folders)].map((each) => ({ folder: each, file: path.join(each, relative) }))
}
