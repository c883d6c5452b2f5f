import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { type TargetId, targets } from '../../targets/index.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { install as installFiles } from '../install/install.ts'
import type { Scope } from '../install/places.ts'
import { findOutside, pathOutside } from '../launch/find-program.ts'
import { findProject } from '../spec/find.ts'
import type { Spec } from '../spec/spec.ts'
import { chosenTargets } from './targets.ts'

export interface InstallOptions {
  /** By default those that the spec chooses. */
  readonly targets?: readonly TargetId[]
  /** The user's own files in place of the project's, which are those of the git repository of the spec's folder. */
  readonly user?: boolean
  /** Write nothing, and give what would become of each file. */
  readonly preview?: boolean
  /** Take everything of Bridle's out again. */
  readonly remove?: boolean
  /** Take over entries of the same names that are not Bridle's. */
  readonly adopt?: boolean
  /** Write the files that are clean although others are not. */
  readonly keepGoing?: boolean
}

export interface Installation {
  /** What stands against it, in the spec and in the files. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * The files that are, or in a preview would be, as the spec wants them. A preview gives those against which nothing
   * stands, also where a build without `keepGoing` would write none because of others.
   */
  readonly files: readonly InstalledFileOutcome[]
}

export interface InstalledFileOutcome {
  /** The file as messages name it: from the working directory, or from the home folder. */
  readonly shown: string
  /** The texts before and after; undefined: no file. Of a file that its harness changes, both are the same. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly changes: readonly {
    readonly kind: 'added' | 'changed' | 'removed'
    /** Where the entry stands: the keys on the way, and of an element of an array the array. */
    readonly entry: { readonly path: readonly string[] }
  }[]
  /** Entries that stood there as the spec has them, and are Bridle's from now on. */
  readonly takenOver: readonly { readonly path: readonly string[] }[]
  /** The harness's own program that makes the changes, where Bridle does not edit the file itself. */
  readonly program?: string
  /** When its readers read it, each as one sentence. */
  readonly readWhen: readonly string[]
}

/**
 * Brings the user's config files to what the spec says, as `bridle build` does: own entries are added, changed and
 * taken out, everything else stays byte for byte. All targets or none, unless `keepGoing` says otherwise. Nothing is
 * thrown for what the user can mend.
 */
export async function install(spec: Spec, options: InstallOptions = {}): Promise<Installation> {
  const { user = false, preview = false, remove = false, adopt = false, keepGoing = false } = options
  const home = realPath(process.env['HOME'] || homedir())
  const folder = realPath(spec.source.folder)
  const project = findProject(folder, folder, home)
  const scope: Scope = user
    ? { kind: 'user', home, environment: process.env }
    : { kind: 'project', folder: project, workingDirectory: realPath(process.cwd()) }
  const workingDirectory = realPath(process.cwd())
  const untrusted = user ? findProject(workingDirectory, workingDirectory, home) : project
  const search = { searchPath: process.env['PATH'] ?? '', workingDirectory, project: untrusted }
  const { diagnostics, files } = await installFiles({
    spec: remove ? undefined : { ...spec, source: { ...spec.source, folder } },
    chosen: chosenTargets(spec, options.targets),
    isNamed: options.targets !== undefined,
    targets,
    scope,
    isPreview: preview,
    adopt,
    keepGoing,
    home,
    environment: { ...process.env, PATH: pathOutside(search.searchPath, untrusted) },
    findProgram: (name) => findOutside(name, search),
  })
  return { diagnostics, files }
}

function realPath(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder
}
