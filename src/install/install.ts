import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { applyPlan } from './apply.ts'
import type { Change } from './judge-entries.ts'
import { withLock } from './lock.ts'
import { stateFileOf } from './places.ts'
import { type PlanRequest, planInstall } from './plan-install.ts'
import type { Parse, PlannedFile } from './plan-task.ts'
import { readBack } from './read-back.ts'
import { brokenState, otherSpec, readStateFile, removeStateLeftovers } from './state-file.ts'

export interface InstallRequest extends PlanRequest {
  /** Whether nothing is to be written. */
  readonly isPreview: boolean
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
}

export interface FileOutcome {
  /** As the user knows it. */
  readonly shown: string
  /** The texts before and after; undefined: no file. Of a file that its harness changes, both are the same. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly changes: readonly Change[]
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
  const parse = await loadParser()
  const plan = planInstall(request, stateFile.state, parse)
  const found = [
    ...brokenState(stateFile, scope),
    ...plan.diagnostics,
    ...(request.isVerified === true ? await readBackAll(plan.files, request) : []),
  ]
  const isMisread = found.some(({ code, severity }) => code === 'BRIDLE412' && severity === 'error')
  const isWritten = !request.isPreview && !isMisread && (request.keepGoing || !hasErrors(found))
  const failures = isWritten ? await applyPlan(plan, stateFile, { ...request, parse }) : []
  return {
    diagnostics: [...found, ...failures],
    sources: plan.sources,
    files: isMisread || hasErrors(failures) ? [] : plan.files.flatMap(outcomeOf),
  }
}

/** Each reader of a file by itself: it is the whole file to each. */
async function readBackAll(
  files: readonly PlannedFile[],
  { environment, findProgram }: InstallRequest,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const { task, wanted = [] } of files) {
    for (const { target, installed } of task.readers) {
      if (installed.entries.every(({ kind }) => kind !== 'keys')) continue
      found.push(
        ...(await readBack({
          target,
          installed,
          entries: wanted,
          isAlone: task.readers.length === 1,
          environment,
          findProgram,
        })),
      )
    }
  }
  return found
}

function failure(diagnostic: Diagnostic): InstallResult {
  return { diagnostics: [diagnostic], sources: [], files: [] }
}

/** The parsers are loaded here and not by every command. */
async function loadParser(): Promise<Parse> {
  const [{ parseJson }, { parseToml }] = await Promise.all([
    import('./edit/json.ts'),
    import('./edit/toml.ts'),
  ])
  return (text, syntax) => (syntax.format === 'json' ? parseJson(text, syntax) : parseToml(text, syntax))
}

function outcomeOf({ shown, task, text, plan }: PlannedFile): FileOutcome[] {
  if (plan === undefined) return []
  const { program, readers } = task
  return [
    {
      shown,
      before: text,
      after: plan.text,
      changes: plan.changes,
      ...(program && { program: program.executable }),
      readWhen: [...new Set(readers.map(({ readWhen }) => readWhen))],
    },
  ]
}
