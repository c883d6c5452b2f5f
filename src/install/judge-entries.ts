import type { Json } from '../compile/serialize.ts'
import type { EditableDocument, TextRange } from './edit/document.ts'
import { pathOf, pointerOf } from './edit/pointer.ts'
import { type Entry, fingerprint, isArray } from './entries.ts'
import { type FileRecord, noRecord } from './state.ts'

export interface JudgeInput {
  readonly document: Pick<EditableDocument, 'valueAt' | 'says' | 'keysAt' | 'rangeAt'>
  readonly wanted: readonly Entry[]
  /** What an earlier build has put into the file. */
  readonly record: FileRecord | undefined
  /** Whether entries that are not Bridle's are taken over. */
  readonly adopt: boolean
  /** The tables whose keys are names of servers, as JSON pointers. */
  readonly tables: readonly string[]
  /** How each reader of the file rewrites the name of a server: names that meet are one to it. */
  readonly folds: readonly ((name: string) => string)[]
}

/** What is to be done about each entry, and what is Bridle's own afterwards. */
export interface Judgement {
  readonly changes: readonly Change[]
  readonly record: Pick<FileRecord, 'members' | 'elements'>
  /** Entries that are not Bridle's to change. With any, nothing may be written. */
  readonly conflicts: readonly Conflict[]
}

export interface Change {
  readonly kind: 'added' | 'changed' | 'removed'
  /** Of a removal, with the value that goes. */
  readonly entry: Entry
  /** What stands there until now. */
  readonly before: Json | undefined
  /** Whether it was somebody else's until now. */
  readonly adopted: boolean
}

export interface Conflict {
  /** `foreign`: never Bridle's; `edited`: changed by hand since; `folded`: it would become one with ours. */
  readonly kind: 'foreign' | 'edited' | 'folded'
  readonly path: readonly string[]
  /** The name of ours that it meets. */
  readonly name: string
  /** Whether the spec wants the entry, or wants it away. */
  readonly wanted: boolean
  readonly range: TextRange | undefined
}

/**
 * Whose each entry is, and what becomes of it. Pure.
 *
 * A member is Bridle's own when it is as recorded, or equals what is wanted, with no key in it twice. An element is only
 * when it is recorded: one that the user wrote before stays when ours goes.
 */
export function judgeEntries(input: JudgeInput): Judgement {
  const members = judgeMembers(input)
  const elements = judgeElements(input)
  return {
    changes: [...members.changes, ...elements.changes],
    record: { members: members.record, elements: elements.record },
    conflicts: [...members.conflicts, ...foldedInto(input, members)],
  }
}

interface Part {
  readonly changes: readonly Change[]
  readonly record: Readonly<Record<string, readonly string[]>>
}

function judgeMembers({ document, wanted, record, adopt }: JudgeInput): Part & Pick<Judgement, 'conflicts'> {
  const recorded = record?.members ?? {}
  const values = new Map(
    wanted.filter(({ kind }) => kind === 'member').map(({ path, value }) => [pointerOf(path), value]),
  )
  const changes: Change[] = []
  const conflicts: Conflict[] = []
  for (const pointer of new Set([...Object.keys(recorded), ...values.keys()])) {
    const path = pathOf(pointer)
    const [value, known] = [values.get(pointer), recorded[pointer]]
    if (value !== undefined && document.says(path, value)) continue
    const found = document.valueAt(path)
    if (found === undefined && value === undefined) continue
    // Bridle writes no key twice, and readers differ in which one they take.
    const isOurs =
      found === undefined || (known?.includes(fingerprint(found)) === true && document.says(path, found))
    if (isOurs || adopt) {
      const kind = found === undefined ? 'added' : value === undefined ? 'removed' : 'changed'
      const entry: Entry = { kind: 'member', path, value: value ?? found ?? null }
      changes.push({ kind, entry, before: found, adopted: !isOurs })
    } else {
      conflicts.push({
        kind: known === undefined ? 'foreign' : 'edited',
        path,
        name: path.at(-1) ?? '',
        wanted: value !== undefined,
        range: document.rangeAt({ path }),
      })
    }
  }
  const prints = [...values].map(([pointer, value]) => [pointer, [fingerprint(value)]])
  return { changes, record: Object.fromEntries(prints), conflicts }
}

function judgeElements(input: JudgeInput): Part {
  const recorded = input.record?.elements ?? {}
  const elements = input.wanted.filter(({ kind }) => kind === 'element')
  const pointers = new Set([...Object.keys(recorded), ...elements.map(({ path }) => pointerOf(path))])
  const lists = [...pointers].map((pointer) => {
    const values = elements.filter(({ path }) => pointerOf(path) === pointer).map(({ value }) => value)
    return [pointer, judgeList(input.document, pathOf(pointer), values, new Set(recorded[pointer]))] as const
  })
  return {
    changes: lists.flatMap(([, { changes }]) => changes),
    record: Object.fromEntries(
      lists.flatMap(([pointer, { ours }]) => (ours.length > 0 ? [[pointer, ours]] : [])),
    ),
  }
}

function judgeList(
  document: JudgeInput['document'],
  path: readonly string[],
  wanted: readonly Json[],
  recorded: ReadonlySet<string>,
): { changes: Change[]; ours: string[] } {
  const list = document.valueAt(path)
  const found = byFingerprint(isArray(list) ? list : [])
  const values = byFingerprint(wanted)
  const missing = [...values].filter(([print]) => !found.has(print))
  const leaving = [...found].filter(([print]) => recorded.has(print) && !values.has(print))
  const change = (kind: Change['kind'], value: Json, before: Json | undefined): Change => ({
    kind,
    entry: { kind: 'element', path, value },
    before,
    adopted: false,
  })
  const changes = [
    ...missing.map(([, value]) => change('added', value, undefined)),
    ...leaving.map(([, value]) => change('removed', value, value)),
  ]
  return { changes, ours: [...values.keys()].filter((print) => recorded.has(print) || !found.has(print)) }
}

function byFingerprint(list: readonly Json[]): Map<string, Json> {
  return new Map(list.map((value) => [fingerprint(value), value]))
}

/** Entries of other people whose name a reader makes equal to one of ours: only one of the two would be left. */
function foldedInto(
  { document, wanted, record = noRecord, tables, folds }: JudgeInput,
  members: Part,
): Conflict[] {
  return tables.flatMap((table) => {
    const path = pathOf(table)
    const isOurs = (name: string) => {
      const pointer = pointerOf([...path, name])
      return Object.hasOwn(members.record, pointer) || Object.hasOwn(record.members, pointer)
    }
    const names = wanted
      .filter((entry) => entry.kind === 'member' && pointerOf(entry.path.slice(0, -1)) === table)
      .map((entry) => entry.path.at(-1) ?? '')
    if (names.length === 0) return []
    const found = document.keysAt(path)
    return folds.flatMap((fold) => {
      const folded = new Map(names.map((name) => [fold(name), name]))
      return found.flatMap((other): Conflict[] => {
        const name = folded.get(fold(other))
        if (name === undefined || isOurs(other)) return []
        const at = [...path, other]
        return [{ kind: 'folded', path: at, name, wanted: true, range: document.rangeAt({ path: at }) }]
      })
    })
  })
}
