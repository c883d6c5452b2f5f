import { hash } from 'node:crypto'
import type { EntryPlaces } from '../compile/installed-file.ts'
import type { Json, JsonObject } from '../compile/serialize.ts'
import { canonicalJson } from './edit/canonical-json.ts'
import { pointerOf } from './edit/pointer.ts'

/** One part of a document that is Bridle's own. */
export interface Entry {
  /** `member`: the value at the path; `element`: an element of the array at the path. */
  readonly kind: 'member' | 'element'
  readonly path: readonly string[]
  readonly value: Json
}

/**
 * The entries of a document. Throws when a part of it lies outside of every place: then the target says too little of
 * its own files, and what it writes could not be taken out again.
 */
export function entriesOf(document: JsonObject, places: readonly EntryPlaces[]): Entry[] {
  const outside = firstOutside(document, [], places)
  if (outside !== undefined) throw new Error(`${pointerOf(outside)} lies outside of every entry`)
  return places.flatMap((place) => entriesAt(place, valueAt(document, place.path)))
}

function entriesAt({ kind, path }: EntryPlaces, value: Json | undefined): Entry[] {
  if (value === undefined) return []
  if (kind === 'value') return [{ kind: 'member', path, value }]
  if (kind === 'keys' && isObject(value)) {
    return Object.entries(value).map(([key, member]) => ({
      kind: 'member',
      path: [...path, key],
      value: member,
    }))
  }
  return isArray(value) ? value.map((element) => ({ kind: 'element', path, value: element })) : []
}

function firstOutside(
  value: Json,
  at: readonly string[],
  places: readonly EntryPlaces[],
): readonly string[] | undefined {
  const place = places.find(({ path }) => pointerOf(path) === pointerOf(at))
  if (place !== undefined && fits(place, value)) return undefined
  const leadsOn = places.some(({ path }) => path.length > at.length && at.every((key, i) => key === path[i]))
  if (!leadsOn || !isObject(value)) return at
  return Object.entries(value)
    .map(([key, member]) => firstOutside(member, [...at, key], places))
    .find((found) => found !== undefined)
}

function fits({ kind }: EntryPlaces, value: Json): boolean {
  return kind === 'value' || (kind === 'keys' ? isObject(value) : isArray(value))
}

function valueAt(document: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = document
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value)
}

/** `Array.isArray` does not narrow a read-only array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Whether two values mean the same; the order of keys says nothing. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (isArray(one)) {
    return isArray(other) && one.length === other.length && one.every((item, i) => isSame(item, other[i]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}

/** By which an entry is known again: nothing of what it says can be read from it. */
export function fingerprint(value: Json): string {
  return hash('sha256', canonicalJson(value))
}
