import { Document, isMap, isScalar, isSeq, type Node, Scalar, visit } from 'yaml'
import { type JsonObject, serialize } from '../compile/serialize.ts'
import type { ImportedSpec } from './imported.ts'

export type SpecFormat = 'yaml' | 'json' | 'toml'

export interface RenderOptions {
  readonly format: SpecFormat
  /** The first lines of YAML and TOML, without `#`. They must hold nothing that a user wrote but names. */
  readonly comment?: readonly string[]
}

/** The text of an imported spec, which `readSpec` reads as the same value; ends with a line feed. */
export function renderSpec(spec: ImportedSpec, { format, comment = [] }: RenderOptions): string {
  if (format === 'json') return serialize('json', plain(spec))
  if (format === 'toml')
    return `${comment.map((line) => `# ${line}\n`).join('')}\n${serialize('toml', plain(spec))}`
  const document = new Document(spec, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && !isPlainText(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
    Collection: (_, node) => {
      if (fitsOnLine(node)) node.flow = true
    },
  })
  document.commentBefore = comment.map((line) => ` ${line}`).join('\n')
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/** Without the properties that are undefined. */
function plain(spec: ImportedSpec): JsonObject {
  return JSON.parse(JSON.stringify(spec))
}

/** What is more than printable ASCII on one line is written with escapes, so that no editor changes it. */
function isPlainText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

const longestLine = 80

/** A list of a few short values: `[-y, notes-mcp]`. Of mappings, only an empty one and that of a verbatim text. */
function fitsOnLine(node: Node): boolean {
  if (isMap(node)) return node.items.length === 0 || node.has('verbatim')
  const texts = isSeq(node) ? node.items.map((item) => (isScalar(item) ? String(item.value) : undefined)) : []
  return (
    texts.every((text) => text !== undefined && isPlainText(text)) && texts.join(', ').length < longestLine
  )
}
