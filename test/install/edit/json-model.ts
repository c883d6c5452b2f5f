import { visit } from 'jsonc-parser'
import type { Json } from '../../../src/compile/serialize.ts'
import type { Edit } from '../../../src/install/edit/document.ts'

/** The value after an edit, as one would write it down who knows nothing of texts. */
export function applied(
  value: Json | undefined,
  { path: [key, ...path], element, value: wanted }: Edit,
): Json {
  if (key === undefined)
    return element === undefined ? (wanted ?? null) : appliedToList(value, element, wanted)
  const table: { readonly [key: string]: Json } = isTable(value) ? value : {}
  if (wanted === undefined && (!isTable(value) || !Object.hasOwn(table, key))) return value ?? null
  const inner = Object.hasOwn(table, key) ? table[key] : undefined
  const rest = Object.entries(table).filter(([other]) => other !== key)
  if (wanted === undefined && element === undefined && path.length === 0) return Object.fromEntries(rest)
  return Object.fromEntries([
    ...rest,
    [key, applied(inner, { path, ...(element === undefined ? {} : { element }), value: wanted })],
  ])
}

function appliedToList(value: Json | undefined, element: Json, wanted: Json | undefined): Json {
  if (value !== undefined && !Array.isArray(value)) return value
  const list: readonly Json[] = Array.isArray(value) ? value : []
  const index = list.findLastIndex((each) => isSame(each, element))
  if (wanted === undefined) return index === -1 ? list : list.toSpliced(index, 1)
  return index === -1 ? [...list, wanted] : list
}

function isSame(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function isTable(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function comments(text: string): string[] {
  const found: string[] = []
  visit(text, { onComment: (offset, length) => found.push(text.slice(offset, offset + length)) })
  return found
}

/** Whether the text is another one with some characters left out. */
export function isSubsequence(part: string, whole: string): boolean {
  let offset = 0
  for (const character of part) {
    const found = whole.indexOf(character, offset)
    if (found === -1) return false
    offset = found + character.length
  }
  return true
}
