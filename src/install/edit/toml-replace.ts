import type { Json } from '../../compile/serialize.ts'
import { readStatements } from '../../toml/read.ts'
import type { InlineTable, Pair, Place } from '../../toml/syntax.ts'
import type { Origins } from './document.ts'
import type { TablePlan } from './plan.ts'
import { pointerOf } from './pointer.ts'
import { type TextChange, withChanges } from './text-change.ts'
import { lineBreakOf, startOfEmptyLineAbove, startOfText } from './toml-lines.ts'
import { entriesOf, findParts, type Line, type Part, type Section } from './toml-parts.ts'
import type { TomlText } from './toml-text.ts'
import { pairText, tableText } from './toml-write.ts'

/**
 * Takes out the entries that the plan removes, and writes those that it changes in the place of their first part. What
 * is not there yet is left to be inserted. Comments inside an entry go with it; those above its header stay.
 */
export function withoutOld(
  { text, statements }: TomlText,
  plan: TablePlan,
  origins: Origins,
): { readonly text: string; readonly origins: Origins } {
  const parts = findParts(text, statements, plan).entries
  const changes: TextChange[] = []
  const thinned = new Map<InlineTable, Thinned>()
  for (const { path, entry } of entriesOf(plan)) {
    const [first, ...others] = parts.get(entry) ?? []
    if (first === undefined) continue
    const isChanged = entry.value !== undefined
    if (entry.value !== undefined) changes.push(replacement(text, first, path, entry.value))
    for (const part of isChanged ? others : [first, ...others]) {
      if (part.kind !== 'member') changes.push(removal(text, part))
      else {
        const pointer = pointerOf(path.slice(0, -part.keys.length))
        const { members } = thinned.get(part.table) ?? { members: new Set() }
        thinned.set(part.table, { pointer, members: members.add(part.pair) })
      }
    }
  }
  const left: Record<string, string | null> = { ...origins }
  for (const [table, { pointer, members }] of thinned) {
    changes.push(...withoutMembers(text, table, members, emptyTable(origins[pointer])))
    if (members.size === table.pairs.length) delete left[pointer]
  }
  return { text: tidied(text, withChanges(text, changes), changes), origins: left }
}

/** The origin where it is an empty inline table and nothing else: it stands in a file that others can write too. */
function emptyTable(origin: string | null | undefined): string {
  const [statement, ...others] = readStatements(`x=${origin}`, 2).statements
  const value = statement?.kind === 'pair' && others.length === 0 ? statement.value : undefined
  const isEmpty = value?.kind === 'inline table' && value.pairs.length === 0
  return isEmpty && origin && value.end === `x=${origin}`.length ? origin : '{}'
}

/** An inline table from which members go, and its JSON pointer. */
interface Thinned {
  readonly pointer: string
  readonly members: Set<Pair>
}

function replacement(text: string, part: Part, path: readonly string[], value: Json): TextChange {
  if (part.kind !== 'section') {
    const { start, end } = part.pair
    return { start, end, text: pairText(part.keys, value) }
  }
  const { start, end } = part
  const lineBreak = lineBreakOf(text)
  const last = text.endsWith('\n', end) ? lineBreak : ''
  return { start, end, text: tableText(path, value, lineBreak) + last }
}

/** With an empty line above a header, which was put there with it. */
function removal(text: string, { kind, start, end }: Section | Line): TextChange {
  return { start: kind === 'section' ? startOfEmptyLineAbove(text, start) : start, end, text: '' }
}

/** Takes a comma with each member: the one in front of the last ones, else that behind it. Comments between them stay. */
function withoutMembers(
  text: string,
  { pairs, commas, start, end }: InlineTable,
  members: ReadonlySet<Pair>,
  empty: string,
): TextChange[] {
  if (members.size === pairs.length) return [{ start, end, text: empty }]
  const lastKept = pairs.findLastIndex((pair) => !members.has(pair))
  const isPlain = (one?: Pair, next?: Pair) => one && next && !text.slice(one.end, next.start).includes('#')
  const isTailPlain = pairs.slice(lastKept + 1).every((pair, i) => isPlain(pairs[lastKept + i], pair))
  const removed = pairs.flatMap((pair, index): Place[] => {
    if (!members.has(pair)) return []
    const [above, next, comma] = [pairs[index - 1], pairs[index + 1], commas[index]]
    if (index > lastKept && isTailPlain && above) return [{ start: above.end, end: pair.end }]
    if (index < lastKept && isPlain(pair, next) && next) return [{ start: pair.start, end: next.start }]
    return comma === undefined ? [pair] : [pair, { start: comma, end: comma + 1 }]
  })
  return removed.map(({ start: from, end: to }) => ({ start: from, end: to, text: '' }))
}

/** A text that ended without a line break goes on doing so, and one that began with text. */
function tidied(old: string, text: string, changes: readonly TextChange[]): string {
  const start = startOfText(old)
  const isStartGone = changes.some((change) => change.start === start && change.text === '')
  const isEndGone = changes.some(({ end, text: written }) => end === old.length && written === '')
  const trimmed = isEndGone && !old.endsWith('\n') ? text.replace(/\r?\n$/, '') : text
  return isStartGone ? trimmed.slice(0, start) + trimmed.slice(start).replace(/^\r?\n/, '') : trimmed
}
