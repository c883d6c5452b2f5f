import type { Code } from '../diagnostics/codes.ts'

/** A stretch of the text: offsets in UTF-16 code units, the end exclusive. */
export interface Place {
  readonly start: number
  readonly end: number
}

/**
 * What YAML, JSON and TOML have in common: the values of a text with their places. Aliases and merge keys are resolved,
 * so that one node can stand in several collections.
 */
export type Node = ScalarNode | MappingNode | ListNode

export interface ScalarNode extends Place {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
}

export interface MappingNode extends Place {
  readonly kind: 'mapping'
  readonly entries: readonly Entry[]
}

export interface ListNode extends Place {
  readonly kind: 'list'
  readonly items: readonly Node[]
}

/** A key of a mapping and its value; the place is that of the key. */
export interface Entry extends Place {
  readonly key: string
  readonly value: Node
}

/** The outcome of parsing. A text with a syntax error has no root; neither has an empty one. */
export interface Parsed {
  readonly root?: Node
  readonly problems: readonly Problem[]
}

export interface Problem extends Place {
  readonly code: Code
  readonly message: string
  readonly help?: string
  readonly first?: Place
}

/**
 * Deeper texts are refused before they are parsed: the parsers recurse, and Node aborts the whole process when a
 * regular expression is compiled at the end of the stack (seen with yaml 2.9.1 on 20,000 nested lists).
 * The language itself is six levels deep.
 */
export const deepestNesting = 100

const mostSyntaxErrors = 10

/** The first syntax error of each line, and not too many: others are nearly always consequences of these. */
export function tellingErrors(errors: readonly Problem[], text: string): Problem[] {
  const conflict = mergeConflict(text)
  if (conflict !== undefined) return [conflict]
  const sorted = errors.toSorted((a, b) => a.start - b.start)
  const isOnNewLine = ({ start }: Problem, index: number) => {
    const previous = sorted[index - 1]
    return previous === undefined || /[\r\n]/.test(text.slice(previous.start, start))
  }
  return sorted.filter(isOnNewLine).slice(0, mostSyntaxErrors)
}

/** The first marker of a merge that git could not do by itself; what else is wrong follows from it. */
function mergeConflict(text: string): Problem | undefined {
  const start = text.search(/^<{7}(?: .*)?$/m)
  if (start === -1 || !/^>{7}(?: .*)?$/m.test(text.slice(start))) return undefined
  return {
    start,
    end: start + 7,
    code: 'BRIDLE106',
    message: 'A merge conflict begins here.',
    help: 'Keep what is meant of the two sides, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.',
  }
}

/** A bracket that nothing closes. */
export function unclosed(text: string, start: number): Problem {
  const bracket = text[start] === '[' ? '[' : '{'
  const message = `This \`${bracket}\` is not closed.`
  const help = `Write \`${bracket === '[' ? ']' : '}'}\` where the ${bracket === '[' ? 'list' : 'mapping'} ends.`
  return { start, end: start + 1, code: 'BRIDLE106', message, help }
}

export function tooDeep(offset: number): Problem {
  return {
    start: offset,
    end: offset + 1,
    code: 'BRIDLE106',
    message: `The text is nested more than ${deepestNesting} levels deep.`,
    help: 'A spec needs six levels. Is this the right file?',
  }
}

/** The entries without those whose key came before; each of these is a problem that names both places. */
export function uniqueEntries(entries: readonly Entry[], problems: Problem[]): Entry[] {
  const first = new Map<string, Entry>()
  for (const entry of entries) {
    const earlier = first.get(entry.key)
    if (earlier === undefined) first.set(entry.key, entry)
    else {
      problems.push({
        start: entry.start,
        end: entry.end,
        code: 'BRIDLE107',
        message: `The key ${JSON.stringify(entry.key)} stands twice in one mapping.`,
        help: 'Keep one of the two, or rename it.',
        first: earlier,
      })
    }
  }
  return [...first.values()]
}

/** The entry of a mapping with this key. */
export function entryAt(node: Node, key: string): Entry | undefined {
  if (node.kind !== 'mapping') return undefined
  const { entries } = node
  if (entries.length <= quicklySearched) return entries.find((entry) => entry.key === key)
  const index = entryIndexes.get(node) ?? new Map(entries.map((entry) => [entry.key, entry]))
  entryIndexes.set(node, index)
  return index.get(key)
}

/** The item of a list that is this text. */
export function itemAt(node: ListNode, text: string): Node | undefined {
  const { items } = node
  const isText = (item: Node) => item.kind === 'scalar' && item.value === text
  if (items.length <= quicklySearched) return items.find(isText)
  const index = itemIndexes.get(node) ?? indexItems(items)
  itemIndexes.set(node, index)
  return index.get(text)
}

/** More is looked up in an index, so that looking up everything takes time in proportion to the text. */
const quicklySearched = 16
const entryIndexes = new WeakMap<MappingNode, ReadonlyMap<string, Entry>>()
const itemIndexes = new WeakMap<ListNode, ReadonlyMap<unknown, Node>>()

/** The first of each text. */
function indexItems(items: readonly Node[]): ReadonlyMap<unknown, Node> {
  const scalars = items.filter((item) => item.kind === 'scalar')
  return new Map(scalars.toReversed().map((item) => [item.value, item]))
}
