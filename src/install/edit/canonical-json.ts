import type { Json } from '../../compile/serialize.ts'

/** The same text for equal values, whatever the order of their keys; different texts for different values. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
