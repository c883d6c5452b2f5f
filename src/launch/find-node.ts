import { realpathSync } from 'node:fs'
import path from 'node:path'
import { type Exposure, exposeProgram } from './expose-program.ts'
import { findAllOutside, findProgram } from './find-program.ts'
import { harnessAnswer } from './harness-version.ts'
import { compareVersions } from './judge-version.ts'
import { passes, placesTo } from './paths.ts'

export interface FoundNode {
  readonly file: string
  /** Undefined when it did not tell. */
  readonly version: string | undefined
}

/**
 * The Node.js for a script: the named one, else the first that is new enough of those beside the script, which package
 * managers install together, and of every `node` on PATH. None from the project, where an agent could have put it, and
 * none that does not work in the sandbox.
 *
 * @param script absolute
 * @returns the one that fits, and all that were asked on the way
 */
export async function findNode(
  script: string,
  oldest: string,
  named: string | undefined,
  search: Exposure,
): Promise<{ readonly node?: FoundNode; readonly asked: readonly FoundNode[] }> {
  const asked: FoundNode[] = []
  for (const file of distinct(candidates(script, named, search))) {
    const { version } = await harnessAnswer([file], search.searchPath, search.project)
    const node = { file, version }
    asked.push(node)
    if (version !== undefined && compareVersions(version, oldest) >= 0) return { node, asked }
  }
  return { asked }
}

function candidates(script: string, named: string | undefined, search: Exposure): string[] {
  if (named !== undefined) {
    const file = findProgram(path.resolve(search.workingDirectory, named), search)
    return file === undefined ? [] : [file]
  }
  const beside = placesTo(script).map((place) => path.join(path.dirname(place), 'node'))
  const outside = beside.filter((file) => findProgram(file, search) !== undefined)
  return [...outside, ...findAllOutside('node', search)].filter(
    (file) => !passes(file, search.project) && exposeProgram(file, search).refusal === undefined,
  )
}

/** Several names may lead to one program. */
function distinct(files: readonly string[]): string[] {
  const byRealFile = new Map(files.toReversed().map((file) => [realpathSync(file), file]))
  return files.filter((file) => byRealFile.get(realpathSync(file)) === file)
}
