import type { EntryPlaces } from '../compile/installed-file.ts'
import type { Json } from '../compile/serialize.ts'
import type { Target } from '../compile/target.ts'
import { pointerOf } from './edit/pointer.ts'
import { type Entry, fingerprint, isObject, isSame } from './entries.ts'

/** A chosen harness that reads a file, and what it needs there. */
export interface Reader {
  readonly target: Target
  readonly entries: readonly Entry[]
  readonly places: readonly EntryPlaces[]
}

/** Why no one text suits two readers. */
export type Disagreement =
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly readers: readonly [Target, Target] }
  /** It would read an entry that the spec leaves out for it. */
  | {
      readonly kind: 'leftOut'
      readonly path: readonly string[]
      readonly reader: Target
      readonly writer: Target
    }

export interface WrittenEntry {
  readonly entry: Entry
  /** The first of those who need it. */
  readonly writer: Target
}

/**
 * Encodes the literals of one reader so that every reader hands on the text itself: by the way of one of them that the
 * others read as the same. Where there is none, by its own, which `joinReaders` then finds to differ.
 */
export function jointEncoder(own: Target, readers: readonly Target[]): Target['literals']['encode'] {
  return (text, field) => {
    const ways = readers.map(({ literals }) => literals.encode(text, field))
    const shared = ways.find((way) =>
      readers.every(({ literals }, index) => ways[index] === way || literals.read?.(way, field) === text),
    )
    return shared ?? own.literals.encode(text, field)
  }
}

/**
 * The entries that suit all readers of a file: of an entry that several need, all keys of each, where they agree on the
 * value. Pure.
 */
export function joinReaders(readers: readonly Reader[]): {
  readonly written: readonly WrittenEntry[]
  readonly disagreements: readonly Disagreement[]
} {
  const joined = new Map<string, WrittenEntry>()
  const disagreements: Disagreement[] = []
  for (const { target, entries } of readers) {
    for (const entry of entries) {
      const key = keyOf(entry)
      const other = joined.get(key)
      if (other === undefined) {
        joined.set(key, { entry, writer: target })
        continue
      }
      const { value, differing } = union(other.entry.value, entry.value)
      joined.set(key, { entry: { ...entry, value }, writer: other.writer })
      for (const name of differing) {
        const path = name === undefined ? entry.path : [...entry.path, name]
        disagreements.push({ kind: 'value', path, readers: [other.writer, target] })
      }
    }
  }
  const all = [...joined.values()]
  return {
    written: all,
    disagreements: [...disagreements, ...readers.flatMap((reader) => leftOutOf(reader, all))],
  }
}

function keyOf({ kind, path, value }: Entry): string {
  return kind === 'member' ? pointerOf(path) : `${pointerOf(path)} ${fingerprint(value)}`
}

/** All keys of both, and those on which they differ; of values that are no tables, undefined stands for the whole. */
function union(one: Json, other: Json): { value: Json; differing: readonly (string | undefined)[] } {
  if (isSame(one, other)) return { value: one, differing: [] }
  if (!isObject(one) || !isObject(other)) return { value: one, differing: [undefined] }
  const shared = Object.keys(one).filter((key) => Object.hasOwn(other, key))
  return {
    value: { ...other, ...one },
    differing: shared.filter((key) => !isSame(one[key], other[key])),
  }
}

/** The entries of others in the tables that this reader reads, and does not want. */
export function leftOutOf({ target, entries, places }: Reader, all: readonly WrittenEntry[]): Disagreement[] {
  const own = new Set(entries.map(keyOf))
  const tables = new Set(places.filter(({ kind }) => kind === 'keys').map(({ path }) => pointerOf(path)))
  return all
    .filter(({ entry }) => entry.kind === 'member' && tables.has(pointerOf(entry.path.slice(0, -1))))
    .filter(({ entry }) => !own.has(keyOf(entry)))
    .map(({ entry, writer }) => ({ kind: 'leftOut', path: entry.path, reader: target, writer }))
}
