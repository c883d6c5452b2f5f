import { type Json, type JsonObject, serialize } from '../../compile/serialize.ts'

/** The lines of an entry as a table of its own, with tables below it, without a line break at the end. */
export function tableText(path: readonly string[], value: Json, lineBreak: string): string {
  const document = path.reduceRight((inner: Json, key) => Object.fromEntries([[key, inner]]), value)
  return serialize('toml', document as JsonObject)
    .trimEnd()
    .replaceAll('\n', lineBreak)
}

/** `a.b = { … }`, on one line. */
export function pairText(keys: readonly string[], value: Json): string {
  return `${keys.map(keyText).join('.')} = ${valueText(value)}`
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key)
}

function valueText(value: Json): string {
  if (value === null) throw new Error('TOML has no null')
  if (typeof value === 'string') return stringText(value)
  if (typeof value !== 'object') return String(value)
  if (isList(value)) return `[${value.map(valueText).join(', ')}]`
  const pairs = Object.entries(value).map(([key, each]) => pairText([key], each))
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value)
}

/** The escapes of JSON are escapes of TOML too, which wants one for U+007F besides. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007f')
}
