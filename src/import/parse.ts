import { type FileSyntax, strictJson } from '../compile/installed-file.ts'
import { parseTree } from '../install/edit/json-parse.ts'
import type { JsonNode, JsonTree } from '../install/edit/json-tree.ts'
import { type Entry, type Node, type Parsed, type Place, type Problem, uniqueEntries } from '../spec/tree.ts'
import type { FormSyntax } from './form.ts'

export interface ParsedFile extends Parsed {
  /** What keeps the file from being strict JSON (RFC 8259), as a sentence. */
  readonly beyondJson?: Place & { readonly message: string }
}

/** Reads a file of any form, with the places of its parts; JSON with comments and trailing commas, whoever reads it. */
export async function parseFile(text: string, syntax: FormSyntax): Promise<ParsedFile> {
  if (syntax === 'toml') {
    const { problems, ...parsed } = (await import('../spec/parse-toml.ts')).parseToml(text)
    // The language has no dates, but the file of a harness may have them.
    return { ...parsed, problems: problems.filter(({ code }) => code !== 'BRIDLE111') }
  }
  return parseJson(text)
}

const everything: FileSyntax = { format: 'json', comments: true, trailingCommas: true, byteOrderMark: true }

/** The same for JSON alone. */
export function parseJson(text: string): ParsedFile {
  const tree = parseTree(text, everything)
  if ('fault' in tree) {
    const { message, range } = tree.fault
    return { problems: [{ ...placeOf(range), code: 'BRIDLE106', message }] }
  }
  if (tree.root === undefined) return { problems: [] }
  const problems: Problem[] = []
  const root = convert(tree, tree.root, problems)
  const strict = parseTree(text, strictJson)
  if (!('fault' in strict)) return { root, problems }
  const { message, range } = strict.fault
  return { root, problems, beyondJson: { ...placeOf(range), message } }
}

function placeOf({ offset, length }: { readonly offset: number; readonly length: number }): Place {
  return { start: offset, end: offset + length }
}

function convert(tree: JsonTree, node: JsonNode, problems: Problem[]): Node {
  const { start, end } = node
  if (node.kind === 'scalar')
    return { kind: 'scalar', value: JSON.parse(tree.text.slice(start, end)), start, end }
  const values = node.members.map((member) => ({ member, value: convert(tree, member.value, problems) }))
  if (node.kind === 'array') return { kind: 'list', items: values.map(({ value }) => value), start, end }
  const entries = values.map(({ member, value }): Entry => {
    const keyEnd = member.keyEnd ?? member.start
    const key: unknown = JSON.parse(tree.text.slice(member.start, keyEnd))
    return { key: String(key), value, start: member.start, end: keyEnd }
  })
  return { kind: 'mapping', entries: uniqueEntries(entries, problems), start, end }
}
