import path from 'node:path'
import { type Compilation, compile, type EmittedFile } from '../compile/compile.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { departureFindings } from './departures.ts'
import { fileFinding, noPlaceFinding } from './findings.ts'
import { placesOf, type Scope, specFileOf, stateFileOf, stateNameOf } from './places.ts'
import { type Parse, type PlannedFile, planTask, type TaskContext } from './plan-task.ts'
import { lossFindings, serversOf } from './shared-files.ts'
import type { FileRecord, State } from './state.ts'
import { buildTasks, type FileTask, removalTasks } from './tasks.ts'

export interface PlanRequest extends TaskContext {
  /** Whether the user named the chosen ones: then nothing becomes of others. */
  readonly isNamed: boolean
}

export interface InstallPlan {
  /**
   * Those against which nothing stands; of a plan that is carried out none, when something stands against any and that is
   * not to be passed over.
   */
  readonly files: readonly PlannedFile[]
  /** Those in which entries of others stand in the way, with what `adopt` would make of them. */
  readonly held: readonly PlannedFile[]
  /** How many entries of Bridle's were changed by hand, and stay as they are. */
  readonly editedEntries: number
  /** The state when they are written. */
  readonly state: State
  readonly diagnostics: readonly Diagnostic[]
  /** The texts of the files, by the names that the findings use. */
  readonly sources: readonly { readonly file: string; readonly text: string }[]
}

/** What becomes of each file, told from the spec, the state and the files as they are; these are read, not written. */
export function planInstall(request: PlanRequest, state: State, parse: Parse): InstallPlan {
  const { scope, spec, chosen } = request
  const isPartial = request.keepGoing || request.isPreview
  const tasks = spec ? buildTasks({ ...request, state }) : removalTasks({ ...request, state })
  const compiled = spec ? compileAll(spec, [...chosen, ...readersOf(tasks)]) : new Map<Target, Compilation>()
  const unplaced = [...compiled].flatMap(([target, { emission }]) =>
    chosen.includes(target) && !hasPlaces(target, scope, emission?.files ?? []) ? [target] : [],
  )
  const planned = refuseTwins(tasks.map((task) => planTask(task, request, compiled, parse)))
  const found = [
    ...[...compiled.values()].flatMap((compilation) => compilation.diagnostics),
    ...unplaced.map((target) => noPlaceFinding(target, scope.kind)),
    ...planned.flatMap((file) => file.diagnostics),
    ...(spec ? planned.flatMap((file) => lossesIn(file, planned, spec, request)) : []),
  ]
  const refused = [...compiled].filter(([, { emission }]) => emission === undefined).map(([target]) => target)
  const files = hasErrors(found) && !isPartial ? [] : unblocked(planned, [...refused, ...unplaced])
  const after = stateAfter(state, files, request)
  return {
    files,
    held: planned.filter(({ adoption }) => adoption?.conflicts.length === 0),
    editedEntries: planned
      .flatMap(({ plan }) => plan?.conflicts ?? [])
      .filter(({ kind }) => kind === 'edited').length,
    state: after,
    diagnostics: [...found, ...departureFindings(files, after, request)],
    sources: planned.flatMap(({ shown, text }) => (text === undefined ? [] : [{ file: shown, text }])),
  }
}

/** Only when a file of the same targets gets something new: a rule stands in another file than its server. */
function lossesIn(
  file: PlannedFile,
  planned: readonly PlannedFile[],
  spec: Spec,
  context: PlanRequest,
): Diagnostic[] {
  const related = planned.filter(({ targets }) => targets.some((id) => file.targets.includes(id)))
  const isNew = related.some(({ plan }) => plan?.changes.some(({ kind }) => kind !== 'removed'))
  return isNew ? lossFindings(file, file.task, spec, context, serversOf(file.wanted ?? [])) : []
}

function readersOf(tasks: readonly FileTask[]): Target[] {
  return tasks.flatMap(({ readers }) => readers.map(({ target }) => target))
}

function compileAll(spec: Spec, targets: readonly Target[]): Map<Target, Compilation> {
  return new Map([...new Set(targets)].map((target) => [target, compile(spec, target, 'standalone')]))
}

/** Whether each document has a place: a rule that is written nowhere would be a restriction that is lost. */
function hasPlaces(target: Target, scope: Scope, documents: readonly EmittedFile[]): boolean {
  const placed = new Set(placesOf(target, scope).map(({ installed }) => installed.document))
  return documents.every(({ path }) => placed.has(path))
}

/** Two names of one file, one being a link to the other: each would be written over the other. */
function refuseTwins(files: readonly PlannedFile[]): PlannedFile[] {
  const first = new Map<string, PlannedFile>()
  return files.map((file) => {
    const twin = file.snapshot && first.get(file.snapshot.real)
    if (file.snapshot && twin === undefined) first.set(file.snapshot.real, file)
    return twin === undefined ? file : refusedAs(file, twin)
  })
}

function refusedAs(file: PlannedFile, twin: PlannedFile): PlannedFile {
  const finding = fileFinding(file, {
    code: 'BRIDLE405',
    reason: `and \`${twin.shown}\` are one file, by a link`,
    help: 'remove the link: each harness has a file of its own form',
  })
  return { ...file, diagnostics: [...file.diagnostics, finding] }
}

/**
 * The files that can be written: a target for which one of its files cannot be is left out whole, since a server without
 * its rules would be worse than none; and so is every file that it shares with others.
 */
function unblocked(files: readonly PlannedFile[], refused: readonly Target[]): PlannedFile[] {
  const blocked = new Set(refused.map(({ id }) => id))
  const isBlocked = (file: PlannedFile) =>
    hasErrors(file.diagnostics) || file.targets.some((id) => blocked.has(id))
  for (let before = -1; before !== blocked.size; ) {
    before = blocked.size
    for (const file of files.filter(isBlocked)) for (const id of file.targets) blocked.add(id)
  }
  return files.filter((file) => !isBlocked(file))
}

function stateAfter(
  state: State,
  files: readonly PlannedFile[],
  { scope, spec }: Pick<PlanRequest, 'scope' | 'spec'>,
): State {
  const records = new Map<string, FileRecord>(Object.entries(state.files))
  for (const { task, snapshot, plan } of files) {
    const { stateName, record, readers, left } = task
    if (plan?.record === undefined || snapshot === undefined) {
      records.delete(stateName)
      continue
    }
    // The folder of the state comes and goes with the state.
    const own = path.dirname(stateFileOf(scope))
    const made = snapshot.missingFolders
      .filter((folder) => folder !== own)
      .map((folder) => stateNameOf(folder, scope))
    records.set(stateName, {
      ...plan.record,
      targets: [...new Set([...readers.map(({ target }) => target.id), ...left])],
      folders: [...new Set([...(record?.folders ?? []), ...made])].sort(),
    })
  }
  const built = spec && scope.kind === 'project' ? stateNameOf(specFileOf(spec), scope) : state.spec
  return { ...(built !== undefined && { spec: built }), files: Object.fromEntries(records) }
}
