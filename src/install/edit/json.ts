import type { FileSyntax } from '../../compile/installed-file.ts'
import { canonicalJson } from './canonical-json.ts'
import type {
  Edit,
  EditableDocument,
  EditResult,
  EntryPlace,
  Origins,
  ParseResult,
  TextRange,
} from './document.ts'
import { changesOf } from './json-change.ts'
import { isCarriedOut } from './json-check.ts'
import { parseTree } from './json-parse.ts'
import { elementsOf, type JsonTree, jsonOf, keysOf, memberAt, nodeAt, says } from './json-tree.ts'
import { planOf } from './plan.ts'
import { pathOf } from './pointer.ts'
import { withChanges } from './text-change.ts'

/**
 * A JSON file, read as strictly as its own reader does; a file without a value, be it empty or absent, can be edited
 * too. What is written is strict JSON in the style of the file.
 */
export function parseJson(text: string, syntax: FileSyntax): ParseResult {
  const tree = parseTree(text, syntax)
  if ('fault' in tree) return tree
  const document: EditableDocument = {
    valueAt(path) {
      const node = nodeAt(tree, path)
      return node && jsonOf(text, node)
    },
    says(path, value) {
      const node = nodeAt(tree, path)
      return node !== undefined && says(text, node, value)
    },
    keysAt(path) {
      const node = nodeAt(tree, path)
      return node?.kind === 'object' ? [...keysOf(text, node).members.keys()] : []
    },
    rangeAt: (place) => rangeAt(tree, place),
    edit: (edits, origins) => edited(tree, syntax, edits, origins),
  }
  return { document }
}

function rangeAt(tree: JsonTree, { path, element }: EntryPlace): TextRange | undefined {
  const node = nodeAt(tree, path)
  if (element !== undefined) {
    const elements = node?.kind === 'array' ? elementsOf(tree.text, node) : undefined
    return rangeOf(elements?.get(canonicalJson(element))?.value)
  }
  const member = memberAt(tree, path)
  return rangeOf(member === undefined ? node : { start: member.start, end: member.keyEnd ?? member.start })
}

function rangeOf(part: { readonly start: number; readonly end: number } | undefined): TextRange | undefined {
  return part && { offset: part.start, length: part.end - part.start }
}

function edited(tree: JsonTree, syntax: FileSyntax, edits: readonly Edit[], before: Origins): EditResult {
  const plan = planOf(edits)
  const { changes, origins, refusals } = changesOf(tree, plan, before)
  const refusal = refusals.toSorted((a, b) => a.range.offset - b.range.offset)[0]
  if (refusal !== undefined) return { refusal }
  if (changes.length === 0) return { text: tree.text, origins: originsInUse(tree, origins) }
  const text = withChanges(tree.text, changes)
  const after = parseTree(text, syntax)
  if ('fault' in after || !isCarriedOut(tree, after, plan)) {
    throw new Error('the edited JSON would not say what it should')
  }
  return { text, origins: originsInUse(after, origins) }
}

/** Those of containers that hold something, in the order of their pointers. */
function originsInUse(tree: JsonTree, origins: Origins): Origins {
  const used = Object.entries(origins).filter(([pointer]) => {
    const node = nodeAt(tree, pathOf(pointer))
    return node !== undefined && node.kind !== 'scalar' && node.members.length > 0
  })
  return Object.fromEntries(used.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
