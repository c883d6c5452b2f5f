import { existsSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { failureReason } from '../text/failure.ts'
import { isOwnPath, type Scope, shownFile, specFileOf, stateFileOf } from './places.ts'
import { refusalToReplace, type Snapshot, takeSnapshot } from './snapshot.ts'
import { emptyState, parseState, type State, serializeState } from './state.ts'
import { removeFolders, removeLeftover, replaceFile } from './write-files.ts'

/** The state of earlier builds, and the file in which it stands. */
export interface StateFile {
  readonly state: State
  readonly snapshot: Snapshot
}

/** Reads the state. One that cannot be read is as good as none, and a warning says so. */
export function readStateFile(scope: Scope): StateFile | { readonly error: Diagnostic } {
  const file = stateFileOf(scope)
  const shown = shownFile(file, scope)
  const snapshot = takeSnapshot(file, scope)
  if ('code' in snapshot) {
    return {
      error: diagnostic(snapshot.code, 'error', `\`${shown}\` ${snapshot.reason}`, { help: snapshot.help }),
    }
  }
  const text = snapshot.found?.text
  const state = text === undefined ? emptyState : parseState(text, (name) => isOwnPath(name, scope))
  return { state: state ?? emptyState, snapshot }
}

/** That there is a state, but none that can be read. */
export function brokenState({ snapshot, state }: StateFile, scope: Scope): Diagnostic[] {
  if (snapshot.found === undefined || state !== emptyState) return []
  return [
    diagnostic(
      'BRIDLE411',
      'warning',
      `\`${shownFile(stateFileOf(scope), scope)}\` does not tell what earlier builds have written`,
      {
        help: 'the build takes nothing out, and only what equals it counts as its own; take the file from your history again, if you have it there',
      },
    ),
  ]
}

/**
 * That the entries were written for another spec, which is still there: building from this one would take them out, and
 * the next build from the other one would take these out.
 */
export function otherSpec({ state }: StateFile, spec: Spec, scope: Scope): Diagnostic | undefined {
  if (scope.kind === 'user' || state.spec === undefined || Object.keys(state.files).length === 0)
    return undefined
  const [recorded, built] = [path.resolve(scope.folder, state.spec), specFileOf(spec)]
  if (recorded === built || !existsSync(recorded)) return undefined
  const [other, own] = [shownFile(recorded, scope), shownFile(built, scope)]
  return diagnostic(
    'BRIDLE413',
    'error',
    `the files of this project were built from \`${other}\`, and would lose its servers to \`${own}\``,
    {
      help: `move the servers into one spec, and build from it with \`bridle build --config FILE\`; or let go of \`${other}\` first: \`bridle build --remove\` takes out what was built from it`,
    },
  )
}

/** Why the state could not be written, when that is known before anything else is. */
export function stateRefusal({ snapshot }: StateFile, scope: Scope): Diagnostic[] {
  const refusal = refusalToReplace(snapshot)
  if (refusal === undefined) return []
  const shown = shownFile(stateFileOf(scope), scope)
  return [diagnostic(refusal.code, 'error', `\`${shown}\` ${refusal.reason}`, { help: refusal.help })]
}

/** Writes the state as a whole; one in which nothing stands is no file. */
export function writeStateFile({ snapshot }: StateFile, state: State, scope: Scope): Diagnostic[] {
  const text = Object.keys(state.files).length === 0 ? undefined : serializeState(state)
  return writeStateText(snapshot, text, scope)
}

/** Gives the file the text that was read from it. */
export function restoreStateFile({ snapshot }: StateFile, scope: Scope): Diagnostic[] {
  return writeStateText(snapshot, snapshot.found?.text, scope)
}

function writeStateText(snapshot: Snapshot, text: string | undefined, scope: Scope): Diagnostic[] {
  try {
    if (text !== undefined) replaceFile(snapshot, text)
    else removeFile(snapshot.real)
    return []
  } catch (error) {
    const shown = shownFile(stateFileOf(scope), scope)
    return [
      diagnostic('BRIDLE405', 'error', `\`${shown}\` cannot be written: ${failureReason(error)}`, {
        help: 'check the permissions of the file and of its folder; the next build repairs what is missing',
      }),
    ]
  }
}

/** Removes what a killed build has left: a temporary file, and the folder without a state in it. */
export function removeStateLeftovers(scope: Scope): void {
  const snapshot = takeSnapshot(stateFileOf(scope), scope)
  if ('code' in snapshot) return
  removeLeftover(snapshot.real)
  if (snapshot.found === undefined) removeFolders([path.dirname(snapshot.real)])
}

/** With what a killed build has left, and the folder when nothing else is in it. */
function removeFile(real: string): void {
  removeLeftover(real)
  try {
    unlinkSync(real)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  removeFolders([path.dirname(real)])
}
