import path from 'node:path'
import type { Emission } from '../compile/compile.ts'
import {
  type EntryPlaces,
  type FileSyntax,
  strictJson,
  toml,
  type UserProgram,
} from '../compile/installed-file.ts'
import type { Target } from '../compile/target.ts'
import { pointerOf } from './edit/pointer.ts'
import { type Entry, entriesOf } from './entries.ts'
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
    const record = recordFor(file, state.files[stateName], known)
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
  recorded: FileRecord,
  left: readonly string[],
  known: readonly InstallPlace[],
  scope: Scope,
): FileTask {
  const file = fileOf(stateName, scope)
  const record = recordFor(file, recorded, known)
  const places = known.filter((place) => place.file === file && recorded.targets.includes(place.target.id))
  return { file, stateName, record, readers: [], left, ...formOf(file, places) }
}

/**
 * What a record says of the places in which targets have entries: anybody who can write the state could have it claim
 * what the user has written elsewhere in the file. Of a file that no target knows any more all of it holds.
 */
function recordFor(
  file: string,
  record: FileRecord | undefined,
  known: readonly InstallPlace[],
): FileRecord | undefined {
  const entries = known.filter((place) => place.file === file).flatMap(({ installed }) => installed.entries)
  if (record === undefined) return undefined
  if (entries.length === 0) return path.extname(file) === '.toml' ? { ...record, elements: {} } : record
  const pointersOf = (wanted: EntryPlaces['kind']) =>
    new Set(entries.filter(({ kind }) => kind === wanted).map((place) => pointerOf(place.path)))
  const [tables, values, lists] = [pointersOf('keys'), pointersOf('value'), pointersOf('elements')]
  const isMember = (pointer: string) =>
    values.has(pointer) || tables.has(pointer.slice(0, pointer.lastIndexOf('/')))
  return {
    ...record,
    members: only(record.members, isMember),
    elements: only(record.elements, (pointer) => lists.has(pointer)),
  }
}

function only<Value>(
  record: Readonly<Record<string, Value>>,
  isKept: (key: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isKept(key)))
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
