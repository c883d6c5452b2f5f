import path from 'node:path'
import type { Emission } from '../compile/compile.ts'
import type { Target } from '../compile/target.ts'
import { type Entry, entriesOf } from './entries.ts'
import { type FileSyntax, strictJson, toml, type UserProgram } from './installed-file.ts'
import { fileOf, type InstallPlace, placesOf, type Scope, stateNameOf } from './places.ts'
import type { FileRecord, State } from './state.ts'

/** A file of which a build takes care, and for whom. */
export interface FileTask {
  /** Absolute, with its links. */
  readonly file: string
  /** Its name in the state. */
  readonly stateName: string
  readonly record: FileRecord | undefined
  readonly syntax: FileSyntax
  readonly program: UserProgram | undefined
  /** The chosen targets that read it. Without any, everything of Bridle's leaves it, unless somebody is left. */
  readonly readers: readonly InstallPlace[]
  /** The ids of targets for which it was written before, and which nothing is said about now. */
  readonly left: readonly string[]
}

export interface TaskRequest {
  readonly scope: Scope
  readonly state: State
  /** Every target that there is. */
  readonly targets: readonly Target[]
  readonly chosen: readonly Target[]
  /** Whether the user named them: then nothing becomes of others. */
  readonly isNamed: boolean
}

/**
 * The files of the chosen targets, and those from which an unchosen target's entries have to go. A file that several
 * read is written for all of them, also for those that were not named this time. Pure.
 */
export function buildTasks({ scope, state, targets, chosen, isNamed }: TaskRequest): FileTask[] {
  const known = targets.flatMap((target) => placesOf(target, scope))
  const own = known.filter(({ target }) => chosen.includes(target))
  const files = [...new Set(own.map(({ file }) => file))]
  const current = files.map((file): FileTask => {
    const stateName = stateNameOf(file, scope)
    const record = state.files[stateName]
    const others = isNamed ? (record?.targets ?? []) : []
    const readers = known.filter(
      (place) => place.file === file && (chosen.includes(place.target) || others.includes(place.target.id)),
    )
    return { file, stateName, record, readers, left: [], ...formOf(file, readers) }
  })
  if (isNamed) return current
  const ids = new Set(chosen.map(({ id }) => id))
  const abandoned = Object.entries(state.files).filter(
    ([name, record]) => !files.includes(fileOf(name, scope)) && !record.targets.some((id) => ids.has(id)),
  )
  return [...current, ...abandoned.map(([name, record]) => leavingTask(name, record, [], known, scope))]
}

/** The files from which the entries of the chosen targets, or of all when none was named, have to go. Pure. */
export function removalTasks({ scope, state, targets, chosen, isNamed }: TaskRequest): FileTask[] {
  const known = targets.flatMap((target) => placesOf(target, scope))
  const ids = new Set(chosen.map(({ id }) => id))
  return Object.entries(state.files).flatMap(([name, record]) => {
    const left = isNamed ? record.targets.filter((id) => !ids.has(id)) : []
    return left.length === record.targets.length && isNamed
      ? []
      : [leavingTask(name, record, left, known, scope)]
  })
}

function leavingTask(
  stateName: string,
  record: FileRecord,
  left: readonly string[],
  known: readonly InstallPlace[],
  scope: Scope,
): FileTask {
  const file = fileOf(stateName, scope)
  const places = known.filter((place) => place.file === file && record.targets.includes(place.target.id))
  return { file, stateName, record, readers: [], left, ...formOf(file, places) }
}

/** What all readers of a file take; of a file that no target knows, what every reader of its format does. */
function formOf(file: string, places: readonly InstallPlace[]): Pick<FileTask, 'syntax' | 'program'> {
  const [first, ...others] = places
  if (first === undefined) {
    return { syntax: path.extname(file) === '.toml' ? toml : strictJson, program: undefined }
  }
  const syntax = others.reduce((one, { syntax: other }) => inCommon(one, other), first.syntax)
  return { syntax, program: first.program }
}

function inCommon(one: FileSyntax, other: FileSyntax): FileSyntax {
  return {
    format: one.format,
    comments: one.comments && other.comments,
    trailingCommas: one.trailingCommas && other.trailingCommas,
    byteOrderMark: one.byteOrderMark && other.byteOrderMark,
  }
}

/** What a target wants in one of its files; nothing where it emits no such document. */
export function wantedBy({ installed }: InstallPlace, emission: Emission): Entry[] {
  const document = emission.files.find((file) => file.path === installed.document)
  return document === undefined ? [] : entriesOf(document.document, installed.entries)
}
