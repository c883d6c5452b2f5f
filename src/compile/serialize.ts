import { stringify } from 'smol-toml'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** The text of an emitted document; ends with a line feed. */
export function serialize(format: 'json' | 'toml', document: JsonObject): string {
  return `${format === 'json' ? JSON.stringify(document, null, 2) : stringify(document).trimEnd()}\n`
}
