import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import { type FileSyntax, strictJson } from '../../../src/compile/installed-file.ts'
import type { Json } from '../../../src/compile/serialize.ts'
import type { Edit, EditableDocument, EntryPlace, Origins } from '../../../src/install/edit/document.ts'
import { parseJson } from '../../../src/install/edit/json.ts'

/** What the most lenient reader takes. */
export const lenientJson: FileSyntax = {
  format: 'json',
  comments: true,
  trailingCommas: true,
  byteOrderMark: true,
}

/** The document of a text that has no fault. */
export function documentOf(text: string, syntax: FileSyntax = lenientJson): EditableDocument {
  const parsed = parseJson(text, syntax)
  if ('fault' in parsed) throw new Error(`${parsed.fault.message} ${JSON.stringify(parsed.fault.range)}`)
  return parsed.document
}

export interface Edited {
  readonly text: string
  readonly origins: Origins
}

/** The text after edits that are not refused. */
export function edit(
  text: string,
  edits: readonly Edit[],
  origins: Origins = {},
  syntax: FileSyntax = lenientJson,
): Edited {
  const result = documentOf(text, syntax).edit(edits, origins)
  if ('refusal' in result) throw new Error(result.refusal.message)
  return result
}

export function set(path: readonly string[], value: Json): Edit {
  return { path, value }
}

export function remove(...path: readonly string[]): Edit {
  return { path, value: undefined }
}

export function addElement(path: readonly string[], element: Json): Edit {
  return { path, element, value: element }
}

/** The edit that takes out what another puts in. */
export function removal({ path, element }: EntryPlace): Edit {
  return element === undefined ? { path, value: undefined } : { path, element, value: undefined }
}

/** What an independent reader finds in the text; undefined where that is not JSON of this syntax. */
export function independentValue(text: string, { comments, trailingCommas }: FileSyntax): Json | undefined {
  const errors: ParseError[] = []
  const options = { disallowComments: !comments, allowTrailingComma: trailingCommas }
  const root = parseTree(text.replace(/^\uFEFF/, ''), errors, options)
  return root === undefined || errors.length > 0 ? undefined : jsonOfNode(root)
}

/** Its own reader would set the prototype of an object that has a key `__proto__`. */
function jsonOfNode({ type, value, children = [] }: Node): Json {
  if (type === 'array') return children.map(jsonOfNode)
  if (type !== 'object') return value
  return Object.fromEntries(
    children.flatMap(({ children: [key, member] = [] }) =>
      key === undefined || member === undefined ? [] : [[String(key.value), jsonOfNode(member)] as const],
    ),
  )
}

export { strictJson }
