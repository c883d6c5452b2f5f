import { realpathSync } from 'node:fs'
import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { isSame } from './entries.ts'
import { fileOf, type Scope } from './places.ts'
import type { InstallPlan } from './plan-install.ts'
import type { Parse, PlannedFile } from './plan-task.ts'
import { changeThroughProgram, type ProgramCall, type ProgramChange, undoChanges } from './run-program.ts'
import { takeSnapshot } from './snapshot.ts'
import { between, type State, serializeState } from './state.ts'
import { restoreStateFile, type StateFile, stateRefusal, writeStateFile } from './state-file.ts'
import { type FileWrite, removeFolders, removeLeftover, writeFiles } from './write-files.ts'

export interface ApplyContext {
  readonly scope: Scope
  readonly parse: Parse
  /** What a program that changes the user's servers is given, and where it is started. */
  readonly environment: Environment
  readonly home: string
}

/**
 * Carries a plan out, all of it or nothing.
 *
 * Killed at any moment, each file is the old one or the new one, and the next build repairs the rest. That is so because
 * the state is written in two steps: before the first file is touched it says that what stands in the files now *and*
 * what will is Bridle's, and after the last one it says only what does. Whatever was reached in between, each entry in a
 * file is one of the two, so that the next build may change it or take it out; temporary files have fixed names, and the
 * next build removes them.
 */
export async function applyPlan(
  plan: InstallPlan,
  stateFile: StateFile,
  context: ApplyContext,
): Promise<readonly Diagnostic[]> {
  const { scope } = context
  for (const { snapshot } of plan.files) if (snapshot) removeLeftover(snapshot.real)
  const writes = plan.files.flatMap(writeOf)
  const calls = plan.files.flatMap((file) => callOf(file, context))
  const isTouched = writes.length + calls.length > 0
  if (!isTouched && isStored(plan.state, stateFile)) return []
  const refusals = stateRefusal(stateFile, scope)
  if (refusals.length > 0) return refusals
  if (isTouched) {
    const announced = writeStateFile(stateFile, between(stateFile.state, plan.state), scope)
    if (hasErrors(announced)) return announced
    const failures = await writeAll(writes, calls, context)
    if (hasErrors(failures)) return [...failures, ...restoreStateFile(stateFile, scope)]
  }
  removeAbandonedFolders(stateFile.state, plan.state, scope)
  return writeStateFile(stateFile, plan.state, scope)
}

interface Call extends ProgramCall {
  readonly file: PlannedFile
  readonly changes: readonly ProgramChange[]
}

function writeOf({ task, shown, snapshot, plan }: PlannedFile): FileWrite[] {
  if (task.program || snapshot === undefined || plan === undefined || plan.text === snapshot.found?.text)
    return []
  // Rules come before the servers that they are about, and go after them, also when Bridle is killed between the two.
  const isFirst = plan.changes.some(({ kind, entry }) => kind === 'added' && entry.kind === 'element')
  return [{ file: task.file, shown, snapshot, text: plan.text, isFirst }]
}

function callOf(file: PlannedFile, { environment, home }: ApplyContext): Call[] {
  const { task, plan, executable } = file
  if (task.program === undefined || executable === undefined || plan?.changes.length === 0) return []
  const changes = (plan?.changes ?? []).map(({ kind, entry, before }) => ({
    name: entry.path.at(-1) ?? '',
    before,
    after: kind === 'removed' ? undefined : entry.value,
  }))
  return [{ file, changes, executable, program: task.program, environment, workingDirectory: home }]
}

function isStored(state: State, { snapshot }: StateFile): boolean {
  const text = snapshot.found?.text
  return Object.keys(state.files).length === 0 ? text === undefined : text === serializeState(state)
}

/** The programs are called between the first files and the others: all of it can be undone until the last is exchanged. */
async function writeAll(
  writes: readonly FileWrite[],
  calls: readonly Call[],
  context: ApplyContext,
): Promise<readonly Diagnostic[]> {
  const done: Call[] = []
  const failures = await writeFiles(writes, context.scope, async () => {
    for (const call of calls) {
      const found = await changeThroughProgram(call, call.changes)
      if (found.length > 0) return found
      done.push(call)
      if (!isKept(call, context)) return [notKept(call)]
    }
    return []
  })
  if (hasErrors(failures)) for (const call of done) await undoChanges(call, call.changes)
  return failures
}

/** Whether the harness has stored what it was given: it may drop what it does not know. */
function isKept({ file: { task, plan } }: Call, { scope, parse }: ApplyContext): boolean {
  const now = takeSnapshot(task.file, scope)
  if ('code' in now) return false
  const parsed = parse(now.found?.text ?? '', task.syntax)
  if ('fault' in parsed) return false
  const { document } = parsed
  return (plan?.changes ?? []).every(({ kind, entry }) =>
    isSame(document.valueAt(entry.path), kind === 'removed' ? undefined : entry.value),
  )
}

function notKept({ program, file }: Call): Diagnostic {
  return diagnostic(
    'BRIDLE409',
    'error',
    `\`${program.executable}\` did not store in \`${file.shown}\` what it was given`,
    {
      target: file.targets[0],
      help: 'what it did was undone; `bridle targets` names the version that Bridle is proved with',
    },
  )
}

/**
 * Folders that Bridle made for a file that is gone. It makes none behind a link of a project: there the state speaks of
 * what is not its own.
 */
function removeAbandonedFolders(before: State, after: State, scope: Scope): void {
  for (const [name, { folders }] of Object.entries(before.files)) {
    if (Object.hasOwn(after.files, name)) continue
    const places = folders.map((folder) => fileOf(folder, scope))
    removeFolders(scope.kind === 'user' ? places : places.filter(isWithoutLinks))
  }
}

function isWithoutLinks(folder: string): boolean {
  try {
    return realpathSync(folder) === folder
  } catch {
    return false
  }
}
