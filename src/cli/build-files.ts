import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { targets } from '../../targets/index.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { type FileOutcome, type InstallRequest, install } from '../install/install.ts'
import type { Scope } from '../install/places.ts'
import { findOutside, type ProgramSearch, pathOutside } from '../launch/find-program.ts'
import { findProject, isOfStranger } from '../spec/find.ts'
import type { LoadResult } from '../spec/load.ts'
import { shown as shownName } from '../text/shown.ts'
import type { BuildOptions } from './build.ts'
import {
  describeChanges,
  describeFiles,
  describeTakenOver,
  describeVerified,
  differences,
} from './describe-files.ts'
import { findPlace, realHome } from './place.ts'
import { printDiagnostics } from './report.ts'
import { chooseTargets, load } from './spec.ts'
import type { Terminal } from './terminal.ts'

/** As `git diff --exit-code` and formatters have it, but none of the codes for errors. */
const driftStatus = 3

interface Chosen {
  readonly targets: readonly Target[]
  readonly diagnostics: readonly Diagnostic[]
}

/** `bridle build` into the user's own files. */
export async function buildFiles(
  terminal: Terminal,
  { spec, source, diagnostics }: LoadResult,
  chosen: Chosen,
  options: BuildOptions & { readonly isNamed: boolean },
): Promise<number> {
  const before = [...diagnostics, ...chosen.diagnostics]
  if (spec === undefined || (hasErrors(before) && options.keepGoing !== true)) {
    printDiagnostics(terminal, 'err', before, source)
    return 1
  }
  const place = options.user === true ? undefined : findPlace(terminal, spec)
  const scope = place === undefined ? userScope(terminal) : projectScope(terminal, place.project)
  return report(terminal, options, scope, before, source, {
    spec: place?.spec ?? spec,
    chosen: chosen.targets,
    isNamed: options.isNamed,
  })
}

/** `bridle build --remove`: works from the record of earlier builds, so that the spec may be gone or broken. */
export async function removeFromFiles(
  terminal: Terminal,
  targetNames: readonly string[],
  options: BuildOptions,
): Promise<number> {
  const chosen = chooseTargets(targetNames, undefined)
  if (chosen.diagnostics.length > 0) {
    printDiagnostics(terminal, 'err', chosen.diagnostics)
    return 1
  }
  const scope =
    options.user === true ? userScope(terminal) : projectScope(terminal, await findBuilt(terminal, options))
  return report(terminal, options, scope, [], undefined, {
    spec: undefined,
    chosen: chosen.targets,
    isNamed: targetNames.length > 0,
  })
}

/** The project as a build finds it; where there is no spec any more, the folder upward with a record of a build. */
async function findBuilt(terminal: Terminal, options: BuildOptions): Promise<string> {
  const { source } = await load(terminal, options)
  const [folder, home] = [realpathSync(terminal.workingDirectory), realHome(terminal)]
  return findProject(folder, source === undefined ? withRecord(folder) : realpathSync(source.folder), home)
}

function withRecord(folder: string): string {
  for (let place = folder; ; place = path.dirname(place)) {
    const record = path.join(place, '.bridle/state.json')
    if (existsSync(record)) return isOfStranger(record, folder) ? folder : place
    if (path.dirname(place) === place) return folder
  }
}

function userScope({ home, environment }: Terminal): Scope {
  return { kind: 'user', home, environment }
}

function projectScope(terminal: Terminal, folder: string): Scope {
  return { kind: 'project', folder, workingDirectory: realpathSync(terminal.workingDirectory) }
}

async function report(
  terminal: Terminal,
  options: BuildOptions,
  scope: Scope,
  before: readonly Diagnostic[],
  source: LoadResult['source'],
  what: Pick<InstallRequest, 'spec' | 'chosen' | 'isNamed'>,
): Promise<number> {
  const isPreview = options.diff === true || options.check === true
  const search = searchOf(terminal, scope)
  const result = await install({
    ...what,
    scope,
    targets,
    isPreview,
    isVerified: options.verify === true,
    adopt: options.adopt === true,
    keepGoing: options.keepGoing === true,
    home: terminal.home,
    environment: { ...terminal.environment, PATH: pathOutside(search.searchPath, search.project) },
    findProgram: (name) => findOutside(name, search),
  })
  const diagnostics = [...before, ...result.diagnostics]
  const sources = diagnostics.length === 0 ? [] : result.sources
  printDiagnostics(terminal, 'err', diagnostics, source, ...sources)
  const failed = hasErrors(diagnostics)
  const changed = result.files.filter(({ changes }) => changes.length > 0)
  await printDifferences(terminal, options, changed, result.held)
  if (!isPreview) terminal.out(describeFiles(result.files, failed))
  else terminal.out(options.check === true ? describeChanges(result.files) : describeTakenOver(result.files))
  if (result.verified !== undefined) terminal.out(describeVerified(result.verified))
  const edited = what.spec === undefined ? 0 : result.editedEntries
  if (options.check === true && isDrift(diagnostics, edited, changed.length)) return driftStatus
  return failed ? 1 : 0
}

/** Of all files with `--diff`, else of those in which something of the user's goes. */
async function printDifferences(
  terminal: Terminal,
  options: BuildOptions,
  changed: readonly FileOutcome[],
  held: readonly FileOutcome[],
): Promise<void> {
  const isAdopting = ({ changes }: FileOutcome) => changes.some(({ adopted }) => adopted)
  const shown = options.diff === true ? changed : changed.filter(isAdopting)
  for (const file of shown) terminal.out(await differences(file, terminal.colors.out))
  for (const file of options.diff === true ? held : []) {
    terminal.out(
      `${shownName(file.shown)}: with \`--adopt\`\n${await differences(file, terminal.colors.out)}`,
    )
  }
}

/** Whether files differ from the spec, and nothing else is wrong: an entry that was changed by hand is an error too. */
function isDrift(diagnostics: readonly Diagnostic[], edited: number, changed: number): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return errors === edited && edited + changed > 0
}

function searchOf(terminal: Terminal, scope: Scope): ProgramSearch {
  const workingDirectory = realpathSync(terminal.workingDirectory)
  const project =
    scope.kind === 'project'
      ? scope.folder
      : findProject(workingDirectory, workingDirectory, realHome(terminal))
  return { searchPath: terminal.environment['PATH'] ?? '', workingDirectory, project }
}
