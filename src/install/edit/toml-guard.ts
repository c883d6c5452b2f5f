import { parse, TomlDate, type TomlTable, type TomlValue } from 'smol-toml'
import type { Json } from '../../compile/serialize.ts'
import type { Item, Table } from '../../toml/tables.ts'
import { canonicalJson } from './canonical-json.ts'
import type { EditResult } from './document.ts'
import type { Plan, TablePlan } from './plan.ts'
import type { TomlText } from './toml-text.ts'

/**
 * Reads an edited text with a parser that has no part in the editing (smol-toml), and compares it with what the old text
 * said and the plan changes. Undefined: it says just that.
 *
 * @throws Error when it does not, which is a bug of ours
 */
export function disagreement(old: TomlText, edited: string, plan: TablePlan): EditResult | undefined {
  if (says(edited, old.root, plan)) return undefined
  if (says(old.text, old.root, { kind: 'table', keys: new Map() })) {
    throw new Error('an edited TOML file does not say what it should')
  }
  const message = 'Two readers of TOML do not agree on what the file says.'
  return { refusal: { message, range: { offset: 0, length: 0 } } }
}

function says(text: string, root: Table, plan: TablePlan): boolean {
  const read = readElsewhere(text)
  return read !== undefined && isTableOf(read, root, plan)
}

function readElsewhere(text: string): TomlTable | undefined {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' })
  } catch {
    return undefined
  }
}

/** Whether the table read elsewhere is ours after the plan. Tables around entries may be there or not when empty. */
function isTableOf(read: TomlTable, table: Table | undefined, plan: TablePlan | undefined): boolean {
  const isKnown = (key: string) => table?.entries.has(key) === true || plan?.keys.has(key) === true
  if (!Object.keys(read).every(isKnown)) return false
  for (const [key, next] of plan?.keys ?? []) {
    if (!isPlanned(read[key], table?.entries.get(key)?.value, next)) return false
  }
  for (const [key, { value }] of table?.entries ?? []) {
    if (plan?.keys.has(key) !== true && !isItem(read[key], value)) return false
  }
  return true
}

function isPlanned(read: TomlValue | undefined, item: Item | undefined, plan: Plan): boolean {
  if (plan.kind === 'table') {
    const table = item?.kind === 'table' ? item : undefined
    const found = read ?? noTable
    return isTable(found) && isTableOf(found, table, plan)
  }
  if (plan.kind === 'list' || plan.value === undefined) return read === undefined
  return read !== undefined && isSame(read, plan.value)
}

/** Without the properties of every object, which would be taken for keys. */
const noTable: TomlTable = Object.create(null)

function isSame(read: TomlValue, written: Json): boolean {
  return typeof read !== 'bigint' && canonicalJson(read as Json) === canonicalJson(written)
}

function isItem(read: TomlValue | undefined, item: Item): boolean {
  if (item.kind === 'table') return isTable(read) && isTableOf(read, item, undefined)
  if (item.kind === 'list') {
    const { items } = item
    return (
      Array.isArray(read) && read.length === items.length && items.every((each, i) => isItem(read[i], each))
    )
  }
  const { value } = item
  if (typeof value !== 'object') return Object.is(read, value)
  return read instanceof TomlDate && read.toISOString() === new TomlDate(value.moment).toISOString()
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}
