import type { Json } from '../../compile/serialize.ts'
import type { JsonStyle } from './json-style.ts'

/** A value to write; tables that an edit makes on its way are maps, which keep the order of every key. */
export type Written = Json | ReadonlyMap<string, Written>

/** A member to write; without a key an element of an array. */
export interface Addition {
  readonly key: string | undefined
  readonly value: Written
}

/**
 * The text of a member.
 *
 * @param indentation of the line that it begins; undefined: everything stands on one line
 */
export function memberText(
  { key, value }: Addition,
  style: JsonStyle,
  indentation: string | undefined,
): string {
  const prefix = key === undefined ? '' : JSON.stringify(key) + style.colon
  return prefix + valueText(value, style, indentation)
}

/** The text of a value, likewise. */
export function valueText(value: Written, style: JsonStyle, indentation: string | undefined): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isArray = isList(value)
  const inner = indentation === undefined ? undefined : indentation + style.unit
  const members = additionsOf(value).map((member) => memberText(member, style, inner))
  const [open, close] = isArray ? '[]' : '{}'
  if (members.length === 0) return `${open}${close}`
  if (inner === undefined) {
    const padding = isArray ? '' : style.padding
    return open + padding + members.join(`,${style.gap}`) + padding + close
  }
  const begin = style.lineEnd + inner
  return open + begin + members.join(`,${begin}`) + style.lineEnd + indentation + close
}

function isList(value: Written): value is readonly Json[] {
  return Array.isArray(value)
}

function isTable(value: Written): value is ReadonlyMap<string, Written> {
  return value instanceof Map
}

function additionsOf(value: Exclude<Written, null | boolean | number | string>): Addition[] {
  if (isList(value)) return value.map((item) => ({ key: undefined, value: item }))
  const entries: Iterable<[string, Written]> = isTable(value) ? value : Object.entries(value)
  return Array.from(entries, ([key, each]) => ({ key, value: each }))
}
