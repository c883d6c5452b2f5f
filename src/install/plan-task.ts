import { type Compilation, compile, type Emission } from '../compile/compile.ts'
import { selectServers } from '../compile/select.ts'
import type { Target } from '../compile/target.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import type { ParseResult } from './edit/document.ts'
import { pointerOf } from './edit/pointer.ts'
import type { Entry } from './entries.ts'
import {
  conflictFinding,
  disagreementFinding,
  faultFinding,
  fileFinding,
  lossFinding,
  type NamedFile,
  noProgramFinding,
} from './findings.ts'
import type { FileSyntax } from './installed-file.ts'
import { joinReaders, jointEncoder, leftOutOf, type Reader } from './joint.ts'
import { lossesOf } from './other-readers.ts'
import { placesOf, type Scope, shownFile } from './places.ts'
import { type FilePlan, planFile } from './plan-file.ts'
import { refusalToReplace, type Snapshot, takeSnapshot } from './snapshot.ts'
import { type FileTask, wantedBy } from './tasks.ts'

export type Parse = (text: string, syntax: FileSyntax) => ParseResult

export interface PlannedFile extends NamedFile {
  readonly task: FileTask
  /** Absent when the file cannot be used. */
  readonly snapshot?: Snapshot
  /** Absent when the file cannot be used. */
  readonly plan?: FilePlan
  /** What is to stand in it for each of its readers. */
  readonly wanted?: readonly Entry[]
  /** The program that changes the file, absolute; absent when there is none, or when it was not found. */
  readonly executable?: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface TaskContext {
  readonly scope: Scope
  /** Every target that there is. */
  readonly targets: readonly Target[]
  readonly chosen: readonly Target[]
  /** Undefined: everything of Bridle's is taken out. */
  readonly spec: Spec | undefined
  /** Whether entries that are not Bridle's are taken over. */
  readonly adopt: boolean
  /** The absolute path of a program of the user's, outside of every project. */
  readonly findProgram: (name: string) => string | undefined
}

/** What becomes of one file, or what stands against it. */
export function planTask(
  task: FileTask,
  context: TaskContext,
  compiled: ReadonlyMap<Target, Compilation>,
  parse: Parse,
): PlannedFile {
  const targets = [
    ...new Set([...task.readers.map(({ target }) => target.id), ...(task.record?.targets ?? [])]),
  ]
  const snapshot = takeSnapshot(task.file, context.scope)
  const unread: NamedFile = { shown: shownFile(task.file, context.scope), text: undefined, targets }
  if ('code' in snapshot) return { ...unread, task, diagnostics: [fileFinding(unread, snapshot)] }
  const text = snapshot.found?.text
  const file: NamedFile = { ...unread, text }
  if (task.left.length > 0) return { ...file, task, snapshot, plan: keepAll(task, text), diagnostics: [] }
  const readers = task.readers.map((place): Reader => {
    const emission = emissionFor(place.target, task, context.spec, compiled)
    return {
      target: place.target,
      entries: emission === undefined ? [] : wantedBy(place, emission),
      places: place.installed.entries,
    }
  })
  const joined = joinReaders(readers)
  const wanted = joined.written.map(({ entry }) => entry)
  const isForeign = task.program !== undefined
  const plan = planFile({
    text,
    parse: (content) => parse(content, task.syntax),
    isForeign,
    wanted,
    record: task.record,
    adopt: context.adopt,
    tables: tablesOf(readers),
    folds: readers.map(({ target }) => target.names.fold),
  })
  const isReplaced = plan.text !== text && !isForeign
  const refusal = isReplaced ? refusalToReplace(snapshot) : undefined
  const { spec } = context
  const isCalled = isForeign && plan.changes.length > 0
  const executable = isCalled ? context.findProgram(task.program.executable) : undefined
  const diagnostics = [
    ...(spec ? jointFindings(file, task, spec, context, readers, joined) : []),
    ...(plan.fault ? [faultFinding(file, plan.fault)] : []),
    ...plan.conflicts.map((conflict) => conflictFinding(file, conflict, spec)),
    ...(refusal ? [fileFinding(file, refusal)] : []),
    ...(isCalled && executable === undefined ? [noProgramFinding(file, task.program)] : []),
  ]
  return {
    ...file,
    task,
    snapshot,
    plan,
    wanted,
    diagnostics,
    ...(executable !== undefined && { executable }),
  }
}

/** As compiled already; where several read the file, with texts that all of them read as the same. */
function emissionFor(
  target: Target,
  { readers }: FileTask,
  spec: Spec | undefined,
  compiled: ReadonlyMap<Target, Compilation>,
): Emission | undefined {
  const emission = compiled.get(target)?.emission
  if (readers.length < 2 || emission === undefined || spec === undefined) return emission
  const encode = jointEncoder(
    target,
    readers.map((place) => place.target),
  )
  return compile(spec, { ...target, literals: { ...target.literals, encode } }, 'standalone').emission
}

/** Other targets need the entries: they stay, and only the record changes. */
function keepAll({ record }: FileTask, text: string | undefined): FilePlan {
  return { text, record, changes: [], conflicts: [] }
}

function tablesOf(readers: readonly Reader[]): string[] {
  const places = readers.flatMap((reader) => reader.places)
  return [...new Set(places.filter(({ kind }) => kind === 'keys').map(({ path }) => pointerOf(path)))]
}

/** What several readers of one file have against each other, and what becomes of the entries with readers not chosen. */
function jointFindings(
  file: NamedFile,
  task: FileTask,
  spec: Spec,
  { scope, targets, chosen }: TaskContext,
  readers: readonly Reader[],
  { written, disagreements }: ReturnType<typeof joinReaders>,
): Diagnostic[] {
  const writers = readers.map(({ target }) => target)
  const others = targets.filter((target) => !writers.includes(target) && isRead(task, target, scope))
  const isChosen = (target: Target) => chosen.includes(target) || Object.hasOwn(spec.targets, target.id)
  const entries = written.map(({ entry }) => entry)
  const names = new Set(entries.map(({ path }) => path.at(-1) ?? ''))
  const leftOut = others.filter(isChosen).flatMap((target) => {
    const own = new Set(selectServers(spec, target, 'standalone').map(({ name }) => name))
    const wanted = entries.filter(({ path }) => own.has(path.at(-1) ?? ''))
    return leftOutOf({ target, entries: wanted, places: readers.flatMap(({ places }) => places) }, written)
  })
  const lost = others
    .filter((target) => !isChosen(target))
    .flatMap((target) => {
      const losses = lossesOf(spec, target, writers, names)
      return losses.length === 0 ? [] : [lossFinding(file, target, losses, spec)]
    })
  return [...[...disagreements, ...leftOut].map((each) => disagreementFinding(file, each, spec)), ...lost]
}

/** Whether a harness reads this file of a project, as its own or beside it. */
function isRead({ file, stateName }: FileTask, target: Target, scope: Scope): boolean {
  if (scope.kind === 'user') return false
  return target.alsoReads.includes(stateName) || placesOf(target, scope).some((place) => place.file === file)
}
