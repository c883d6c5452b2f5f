import type { Json } from '../../compile/serialize.ts'

/** The same text for equal values, whatever the order of their keys; different texts for different values. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_, part: Json) => (isObject(part) ? sorted(part) : part))
}

function sorted(object: { readonly [key: string]: Json }): Json {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
