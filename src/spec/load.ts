import path from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { shownPath } from '../host/paths.ts'
import { readText } from '../host/read-text.ts'
import { findSpec, findUserSpec, userSpecFolder } from './find.ts'
import { readSpec } from './read.ts'
import type { Source, Spec } from './spec.ts'

export interface LoadOptions {
  /** Absolute. */
  readonly cwd: string
  /** The home folder, absolute. */
  readonly home: string
  /** The spec, when it was named: relative to `cwd`. */
  readonly config?: string | undefined
  /** The spec of the user instead of the project's. */
  readonly user?: boolean | undefined
  /** `$XDG_CONFIG_HOME`; by default `.config` in the home folder. */
  readonly configHome?: string | undefined
  /** The targets that there are. */
  readonly targetIds: readonly string[]
  /** Told how many characters the text has, before it is read. */
  readonly prepare?: (characters: number) => void
}

export interface LoadResult {
  /** Absent when there are errors. */
  readonly spec?: Spec
  /** Absent when no text could be read. */
  readonly source?: Source
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds the spec, reads its file and checks it. Whatever is wrong is a diagnostic; nothing is thrown. */
export async function loadSpec(options: LoadOptions): Promise<LoadResult> {
  const found = locate(options)
  if ('diagnostic' in found) return { diagnostics: [found.diagnostic] }
  const file = shownPath(found.file, options.cwd)
  const read = await readText(found.file, file, specFile)
  if ('diagnostic' in read) return { diagnostics: [read.diagnostic] }
  options.prepare?.(read.text.length)
  return readSpec(read.text, { file, folder: path.dirname(found.file), targetIds: options.targetIds })
}

function locate({ cwd, home, config, user, configHome }: LoadOptions) {
  if (config !== undefined) return { file: path.resolve(cwd, config) }
  return user ? findUserSpec(userSpecFolder(configHome, home)) : findSpec(cwd, home)
}

const specFile = {
  noun: 'a spec',
  example: 'Name the file of the spec, such as bridle.yaml.',
  missing: 'Check the name; `bridle init` writes a new spec. A link may lead nowhere.',
}
