import type { FileSyntax } from '../../compile/installed-file.ts'
import type { Json } from '../../compile/serialize.ts'
import type { Item, Table } from '../../toml/tables.ts'
import { canonicalJson } from './canonical-json.ts'
import type {
  DocumentFault,
  Edit,
  EditResult,
  EntryPlace,
  Origins,
  ParseResult,
  TextRange,
} from './document.ts'
import { planOf, type TablePlan } from './plan.ts'
import { disagreement } from './toml-guard.ts'
import { inserted } from './toml-insert.ts'
import { withoutOld } from './toml-replace.ts'
import { faultAt, rangeOf, readToml, type TomlText } from './toml-text.ts'
import { itemAt, jsonOf } from './toml-values.ts'

/**
 * Parses TOML 1.1 to be edited: Codex 0.171.0 reads it too. Entries are tables; they are written as tables of their own
 * (`[a.b]`) wherever that is possible, and inline where the table around them is inline.
 */
export function parseToml(text: string, { byteOrderMark }: FileSyntax): ParseResult {
  if (text.startsWith('\uFEFF') && !byteOrderMark) {
    const message = 'The file begins with a byte order mark, which its reader does not take.'
    return { fault: { message, range: { offset: 0, length: 1 } } }
  }
  const parsed = readToml(text)
  if ('fault' in parsed) return parsed
  const { root } = parsed
  return {
    document: {
      valueAt: (path) => {
        const item = itemAt(root, path)
        return item && jsonOf(item)
      },
      says: (path, value) => says(root, path, value),
      keysAt: (path) => {
        const item = itemAt(root, path)
        return item?.kind === 'table' ? [...item.entries.keys()] : []
      },
      rangeAt: (place) => rangeAt(root, place),
      edit: (edits, origins) => edit(parsed, edits, origins),
    },
  }
}

function rangeAt(root: Table, { path, element }: EntryPlace): TextRange | undefined {
  if (element === undefined) {
    const parent = itemAt(root, path.slice(0, -1))
    const entry = parent?.kind === 'table' ? parent.entries.get(path.at(-1) ?? '') : undefined
    return entry && rangeOf(entry.key)
  }
  const list = itemAt(root, path)
  const wanted = canonicalJson(element)
  const isWanted = (item: Item) => canonicalJson(jsonOf(item)) === wanted
  const item = list?.kind === 'list' ? list.items.findLast(isWanted) : undefined
  return item && rangeOf(item)
}

/** What is old goes first, so that each step works on a text in which nothing moves meanwhile. */
function edit(old: TomlText, edits: readonly Edit[], origins: Origins): EditResult {
  const changing = edits.filter((each) => isChange(old.root, each))
  if (changing.length === 0) return { text: old.text, origins }
  const plan = tablePlanOf(changing)
  const refusal = refusalOf(old.root, plan)
  if (refusal !== undefined) return { refusal }
  const isThere = ({ path }: Edit) => itemAt(old.root, path) !== undefined
  const cleared = changing.some(isThere) ? withoutOld(old, plan, origins) : { text: old.text, origins }
  const isAdding = changing.some((each) => each.value !== undefined && !isThere(each))
  const result = isAdding ? inserted(readAgain(old, cleared.text), plan, cleared.origins) : cleared
  return disagreement(old, result.text, plan) ?? result
}

function readAgain(old: TomlText, text: string): TomlText {
  const parsed = text === old.text ? old : readToml(text)
  if ('fault' in parsed) throw new Error(`an edit broke a TOML file: ${parsed.fault.message}`)
  return parsed
}

function isChange(root: Table, { path, element, value }: Edit): boolean {
  if (element !== undefined || (value !== undefined && !isTable(value))) {
    throw new Error('only tables can be entries of a TOML file')
  }
  return value === undefined ? itemAt(root, path) !== undefined : !says(root, path, value)
}

/** Of a text that could be parsed: no key in it stands twice. */
function says(root: Table, path: readonly string[], value: Json): boolean {
  const item = itemAt(root, path)
  return item !== undefined && canonicalJson(jsonOf(item)) === canonicalJson(value)
}

function isTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function tablePlanOf(edits: readonly Edit[]): TablePlan {
  const plan = planOf(edits)
  if (plan.kind !== 'table') throw new Error('a TOML file is a table')
  return plan
}

/** Why an entry has no place: something on the way to it is no table. */
function refusalOf(table: Table, plan: TablePlan): DocumentFault | undefined {
  for (const [name, next] of plan.keys) {
    const entry = table.entries.get(name)
    if (entry === undefined || next.kind !== 'table') continue
    if (entry.value.kind !== 'table') {
      const kind = entry.value.kind === 'list' ? 'an array' : 'a single value'
      return faultAt(entry.key, `\`${name}\` is ${kind} where a table is expected.`)
    }
    const refusal = refusalOf(entry.value, next)
    if (refusal !== undefined) return refusal
  }
  return undefined
}
