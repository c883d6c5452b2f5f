import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { applyPlan } from './apply.ts'
import { parseJson } from './edit/json.ts'
import { pointerOf } from './edit/pointer.ts'
import { parseToml } from './edit/toml.ts'
import type { Entry } from './entries.ts'
import { homeAsProject } from './home-as-project.ts'
import type { Change } from './judge-entries.ts'
import { withLock } from './lock.ts'
import { stateFileOf } from './places.ts'
import type { FilePlan } from './plan-file.ts'
import { type PlanRequest, planInstall } from './plan-install.ts'
import type { Parse, PlannedFile } from './plan-task.ts'
import { readBack } from './read-back.ts'
import type { FileRecord } from './state.ts'
import { brokenState, otherSpec, readStateFile, removeStateLeftovers } from './state-file.ts'

export interface InstallRequest extends PlanRequest {
  /** Whether the installed harnesses are asked what they read, before anything is written. */
  readonly isVerified?: boolean
  readonly environment: Environment
  readonly home: string
}

export interface InstallResult {
  readonly diagnostics: readonly Diagnostic[]
  /** The texts of the files, by the names that the findings use. */
  readonly sources: readonly { readonly file: string; readonly text: string }[]
  /** The files that are, or would be, as the spec wants them. */
  readonly files: readonly FileOutcome[]
  /** In a preview: the files in which entries of others stand in the way, as they would be if those were taken over. */
  readonly held: readonly FileOutcome[]
  /** How many entries of Bridle's were changed by hand and stay so; an error each. */
  readonly editedEntries: number
  /** The titles of the harnesses that have read back what they were to read; absent when none was to be asked. */
  readonly verified?: readonly string[]
}

export interface FileOutcome {
  /** As the user knows it. */
  readonly shown: string
  /** The texts before and after; undefined: no file. Of a file that its harness changes, both are the same. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly changes: readonly Change[]
  /** Entries that stood there as the spec has them, without a record, and are Bridle's from now on. */
  readonly takenOver: readonly Pick<Entry, 'kind' | 'path' | 'value'>[]
  /** The harness's own program that makes the changes. */
  readonly program?: string
  /** When its readers read it, each as one sentence. */
  readonly readWhen: readonly string[]
}

/**
 * Brings the user's config files to what the spec says: own entries are added, changed and taken out, everything else
 * stays byte for byte. Nothing is thrown for what the user can mend.
 */
export async function install(request: InstallRequest): Promise<InstallResult> {
  const refusal = homeAsProject(request.scope, request.home)
  if (refusal !== undefined) return failure(refusal)
  if (request.isPreview) return work(request)
  const locked = await withLock(stateFileOf(request.scope), () => work(request))
  if ('result' in locked) return locked.result
  const help = 'wait for it to end, or stop it, and start the build again'
  return failure(diagnostic('BRIDLE410', 'error', locked.failure, { help }))
}

async function work(request: InstallRequest): Promise<InstallResult> {
  const { scope } = request
  if (!request.isPreview) removeStateLeftovers(scope)
  const stateFile = readStateFile(scope)
  if ('error' in stateFile) return failure(stateFile.error)
  const other = request.spec && otherSpec(stateFile, request.spec, scope)
  if (other !== undefined) return failure(other)
  const plan = planInstall(request, stateFile.state, parse)
  const told = request.isVerified === true ? await readBackAll(plan.files, request) : undefined
  const found = [...brokenState(stateFile, scope), ...plan.diagnostics, ...(told?.diagnostics ?? [])]
  const isMisread = found.some(({ code, severity }) => code === 'BRIDLE412' && severity === 'error')
  const isWritten = !request.isPreview && !isMisread && (request.keepGoing || !hasErrors(found))
  const failures = isWritten ? await applyPlan(plan, stateFile, { ...request, parse }) : []
  return {
    diagnostics: [...found, ...failures],
    sources: plan.sources,
    files: isMisread || hasErrors(failures) ? [] : plan.files.flatMap((file) => outcomeOf(file, file.plan)),
    held: plan.held.flatMap((file) => outcomeOf(file, file.adoption)),
    editedEntries: plan.editedEntries,
    ...(told && !isMisread && { verified: told.verified }),
  }
}

/** Each reader of a file by itself: it is the whole file to each. */
async function readBackAll(
  files: readonly PlannedFile[],
  { environment, findProgram }: InstallRequest,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly verified: readonly string[] }> {
  const diagnostics: Diagnostic[] = []
  const verified: string[] = []
  for (const { task, wanted = [] } of files) {
    for (const { target, installed } of task.readers) {
      if (installed.entries.every(({ kind }) => kind !== 'keys')) continue
      const found = await readBack({
        target,
        installed,
        entries: wanted,
        isAlone: task.readers.length === 1,
        environment,
        findProgram,
      })
      diagnostics.push(...found)
      if (found.length === 0 && wanted.length > 0) verified.push(target.title)
    }
  }
  return { diagnostics, verified }
}

function failure(diagnostic: Diagnostic): InstallResult {
  return { diagnostics: [diagnostic], sources: [], files: [], held: [], editedEntries: 0 }
}

const parse: Parse = (text, syntax) =>
  syntax.format === 'json' ? parseJson(text, syntax) : parseToml(text, syntax)

function outcomeOf(
  { shown, task, text, wanted = [] }: PlannedFile,
  plan: FilePlan | undefined,
): FileOutcome[] {
  if (plan === undefined) return []
  const { program, readers } = task
  return [
    {
      shown,
      before: text,
      after: plan.text,
      changes: plan.changes,
      takenOver: takenOver(wanted, task.record, plan),
      ...(program && { program: program.executable }),
      readWhen: [...new Set(readers.map(({ readWhen }) => readWhen))],
    },
  ]
}

/** An element is not: one that stood there before stays the user's. */
function takenOver(
  wanted: readonly Entry[],
  record: FileRecord | undefined,
  { changes, record: after }: FilePlan,
): readonly Entry[] {
  const known = new Set([
    ...Object.keys(record?.members ?? {}),
    ...changes.map(({ entry }) => pointerOf(entry.path)),
  ])
  const ours = after?.members ?? {}
  return wanted.filter(({ kind, path }) => {
    const pointer = pointerOf(path)
    return kind === 'member' && Object.hasOwn(ours, pointer) && !known.has(pointer)
  })
}
