import type { InlineTable } from '../../toml/syntax.ts'
import type { Origins } from './document.ts'
import type { TablePlan } from './plan.ts'
import { pointerOf } from './pointer.ts'
import { type TextChange, withChanges } from './text-change.ts'
import { isBlankLine, lineBreakOf, startOfText } from './toml-lines.ts'
import { entriesOf, findParts, type Parts, type PlannedEntry } from './toml-parts.ts'
import type { TomlText } from './toml-text.ts'
import { itemAt } from './toml-values.ts'
import { pairText, tableText } from './toml-write.ts'

/**
 * Writes the entries of the plan that are not there yet: as tables behind the others of their kind, or into the inline
 * table that holds those.
 */
export function inserted(
  { text, statements, root }: TomlText,
  plan: TablePlan,
  origins: Origins,
): { readonly text: string; readonly origins: Origins } {
  const missing = entriesOf(plan).filter(
    ({ path, entry }) => entry.value !== undefined && itemAt(root, path) === undefined,
  )
  const parts = findParts(text, statements, plan)
  const lineBreak = lineBreakOf(text)
  const tables = new Map<number, string[]>()
  const members = new Map<InlineTable, { readonly pointer: string; readonly texts: string[] }>()
  for (const planned of missing) {
    const { path, tables: around, entry } = planned
    const value = entry.value ?? {}
    const depth = around.findLastIndex((table) => parts.inlineTables.has(table))
    const inline = parts.inlineTables.get(around[depth] ?? plan)
    if (inline !== undefined) {
      const there = members.get(inline) ?? { pointer: pointerOf(path.slice(0, depth)), texts: [] }
      members.set(inline, there)
      there.texts.push(pairText(path.slice(depth), value))
    } else {
      const offset = offsetFor(text, planned, parts)
      const there = tables.get(offset) ?? []
      tables.set(offset, there)
      there.push(tableText(path, value, lineBreak))
    }
  }
  const emptied = [...members].filter(([{ pairs }]) => pairs.length === 0)
  const fresh = emptied.map(([{ start, end }, { pointer }]) => [pointer, text.slice(start, end)] as const)
  const changes = [
    ...[...tables].map(([offset, texts]) => tablesAt(text, offset, texts)),
    ...[...members].map(([table, { texts }]) => membersIn(table, texts.join(', '))),
  ]
  return { text: withChanges(text, changes), origins: { ...origins, ...Object.fromEntries(fresh) } }
}

/** Behind the last table beside which it belongs, when an empty line sets that apart; else at the end of the text. */
function offsetFor(text: string, { tables }: PlannedEntry, { lastSections }: Parts): number {
  const parent: TablePlan | undefined = tables.at(-1)
  const end = parent && lastSections.get(parent)
  return end !== undefined && text.endsWith('\n', end) && isBlankLine(text, end) ? end : text.length
}

/** Each table has an empty line above it, but not at the start of the text. */
function tablesAt(text: string, offset: number, tables: readonly string[]): TextChange {
  const lineBreak = lineBreakOf(text)
  const change = (inserted: string) => ({ start: offset, end: offset, text: inserted })
  if (offset === startOfText(text)) return change(tables.join(lineBreak + lineBreak) + lineBreak)
  if (text.endsWith('\n', offset))
    return change(tables.map((table) => lineBreak + table + lineBreak).join(''))
  return change(tables.map((table) => lineBreak + lineBreak + table).join(''))
}

function membersIn({ pairs, start, end }: InlineTable, members: string): TextChange {
  const last = pairs.at(-1)
  return last === undefined
    ? { start, end, text: `{ ${members} }` }
    : { start: last.end, end: last.end, text: `, ${members}` }
}
