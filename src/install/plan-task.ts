import type { Compilation } from '../compile/compile.ts'
import type { FileSyntax } from '../compile/installed-file.ts'
import type { Target } from '../compile/target.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import type { ParseResult } from './edit/document.ts'
import { pointerOf } from './edit/pointer.ts'
import type { Entry } from './entries.ts'
import { conflictFinding, faultFinding, fileFinding, type NamedFile, noProgramFinding } from './findings.ts'
import { joinReaders, type Reader } from './joint.ts'
import { shownFile } from './places.ts'
import { type FileInput, type FilePlan, planFile } from './plan-file.ts'
import { disagreementFindings, readersOf, type SharingContext } from './shared-files.ts'
import { refusalToReplace, type Snapshot, takeSnapshot } from './snapshot.ts'
import type { FileTask } from './tasks.ts'

export type Parse = (text: string, syntax: FileSyntax) => ParseResult

export interface PlannedFile extends NamedFile {
  readonly task: FileTask
  /** Absent when the file cannot be used. */
  readonly snapshot?: Snapshot
  /** Absent when the file cannot be used. */
  readonly plan?: FilePlan
  /** What would become of it with `adopt`; only for a preview, and only where entries of others stand against it. */
  readonly adoption?: FilePlan
  /** What is to stand in it for each of its readers. */
  readonly wanted?: readonly Entry[]
  /** The program that changes the file, absolute; absent when there is none, or when it was not found. */
  readonly executable?: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface TaskContext extends SharingContext {
  /** Undefined: everything of Bridle's is taken out. */
  readonly spec: Spec | undefined
  /** Whether entries that are not Bridle's are taken over. */
  readonly adopt: boolean
  /** Whether nothing is to be written. */
  readonly isPreview: boolean
  /** Whether files against which nothing stands are written although others are not. */
  readonly keepGoing: boolean
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
  const readers = readersOf(task, context.spec, compiled)
  const joined = joinReaders(readers)
  const wanted = joined.written.map(({ entry }) => entry)
  const isForeign = task.program !== undefined
  const input: FileInput = {
    text,
    parse: (content) => parse(content, task.syntax),
    isForeign,
    wanted,
    record: task.record,
    adopt: context.adopt,
    tables: tablesOf(readers),
    folds: readers.map(({ target }) => target.names.fold),
  }
  const plan = planFile(input)
  const isHeld = context.isPreview && plan.conflicts.length > 0
  const isReplaced = plan.text !== text && !isForeign
  const refusal = isReplaced ? refusalToReplace(snapshot) : undefined
  const { spec } = context
  const isCalled = isForeign && plan.changes.length > 0
  const executable = isCalled ? context.findProgram(task.program.executable) : undefined
  const diagnostics = [
    ...(spec ? disagreementFindings(file, task, spec, context, readers, joined) : []),
    ...(plan.fault ? [faultFinding(file, plan.fault, context.keepGoing)] : []),
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
    ...(isHeld && { adoption: planFile({ ...input, adopt: true }) }),
    ...(executable !== undefined && { executable }),
  }
}

/** Other targets need the entries: they stay, and only the record changes. */
function keepAll({ record }: FileTask, text: string | undefined): FilePlan {
  return { text, record, changes: [], conflicts: [] }
}

function tablesOf(readers: readonly Reader[]): string[] {
  const places = readers.flatMap((reader) => reader.places)
  return [...new Set(places.filter(({ kind }) => kind === 'keys').map(({ path }) => pointerOf(path)))]
}
