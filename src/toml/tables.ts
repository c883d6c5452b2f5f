import type { Fault, Header, Key, Pair, Place, Scalar, Statement, Value } from './syntax.ts'

/** What the statements of a text say together. */
export type Item = Scalar | List | Table

export interface List extends Place {
  readonly kind: 'list'
  readonly items: readonly Item[]
}

/** A table; its place is where it is defined for the first time. */
export interface Table extends Place {
  readonly kind: 'table'
  readonly entries: ReadonlyMap<string, Entry>
}

/** The key as it is written where the entry begins. */
export interface Entry {
  readonly key: Key
  readonly value: Item
}

/**
 * Puts the statements together. Of what is defined twice the first stays, and each other one is a fault with both places.
 * The rules are those of https://toml.io/en/v1.1.0#table and #keys.
 */
export function buildTable(statements: readonly Statement[]): {
  readonly root: Table
  readonly faults: readonly Fault[]
} {
  const builder = new Builder()
  for (const statement of statements) {
    if (statement.kind === 'header') builder.open(statement)
    else builder.define(builder.current, statement)
  }
  return builder
}

/** How a table came to be, which decides what may still be added to it. */
type Origin = 'header' | 'above a header' | 'dotted key' | 'inline'

interface GrowingTable extends Table {
  readonly entries: Map<string, GrowingEntry>
  origin: Origin
}

interface GrowingEntry extends Entry {
  readonly value: Scalar | GrowingList | GrowingTable
}

interface GrowingList extends List {
  readonly items: GrowingEntry['value'][]
  /** Elements can be added with `[[…]]`. */
  readonly isOfTables: boolean
}

class Builder {
  readonly root = newTable({ start: 0, end: 0 }, 'header')
  readonly faults: Fault[] = []
  /** The table to which the next pairs belong. */
  current = this.root

  open(header: Header) {
    const table = header.isElement ? this.element(header) : this.named(header)
    // What follows a header that may not be here is looked at by itself.
    this.current = table ?? newTable(header, 'header')
  }

  private named(header: Header): GrowingTable | undefined {
    const parent = this.above(header)
    const key = header.keys.at(-1)
    if (parent === undefined || key === undefined) return undefined
    const entry = parent.entries.get(key.name)
    if (entry === undefined) return add(parent, key, newTable(header, 'header'))
    if (entry.value.kind !== 'table' || entry.value.origin !== 'above a header') {
      return this.refuse(header, header.keys, entry.key)
    }
    entry.value.origin = 'header'
    return entry.value
  }

  private element(header: Header): GrowingTable | undefined {
    const parent = this.above(header)
    const key = header.keys.at(-1)
    if (parent === undefined || key === undefined) return undefined
    const { start, end } = header
    const fresh: GrowingList = { kind: 'list', items: [], isOfTables: true, start, end }
    const { value, key: first } = parent.entries.get(key.name) ?? {
      value: add(parent, key, fresh),
      key,
    }
    if (value.kind !== 'list' || !value.isOfTables) return this.refuse(header, header.keys, first)
    const table = newTable(header, 'header')
    value.items.push(table)
    return table
  }

  /** The table in which a header puts its own; tables on the way are made where they are not there. */
  private above(header: Header): GrowingTable | undefined {
    let table = this.root
    for (const [index, key] of header.keys.slice(0, -1).entries()) {
      const entry = table.entries.get(key.name)
      const value = entry === undefined ? add(table, key, newTable(key, 'above a header')) : entry.value
      const next = value.kind === 'list' && value.isOfTables ? value.items.at(-1) : value
      if (next?.kind !== 'table' || next.origin === 'inline') {
        return this.refuse(key, header.keys.slice(0, index + 1), entry?.key ?? key)
      }
      table = next
    }
    return table
  }

  define(table: GrowingTable, { keys, value }: Pair) {
    // Nearly every key has one part, and a large file has many.
    const parent = keys.length === 1 ? table : this.dotted(table, keys)
    const key = keys.at(-1)
    if (parent === undefined || key === undefined) return
    const entry = parent.entries.get(key.name)
    if (entry === undefined) add(parent, key, this.itemOf(value))
    else this.refuse(key, keys, entry.key)
  }

  /** The table in which a dotted key puts its value; tables on the way are made where they are not there. */
  private dotted(table: GrowingTable, keys: readonly Key[]): GrowingTable | undefined {
    let parent = table
    for (const [index, key] of keys.slice(0, -1).entries()) {
      const entry = parent.entries.get(key.name)
      const value = entry === undefined ? add(parent, key, newTable(key, 'dotted key')) : entry.value
      if (value.kind !== 'table' || value.origin !== 'dotted key') {
        return this.refuse(key, keys.slice(0, index + 1), entry?.key ?? key)
      }
      parent = value
    }
    return parent
  }

  private itemOf(value: Value): GrowingEntry['value'] {
    if (value.kind === 'scalar') return value
    const { start, end } = value
    if (value.kind === 'array') {
      const items = value.items.map((item) => this.itemOf(item))
      return { kind: 'list', items, isOfTables: false, start, end }
    }
    const table = newTable(value, 'dotted key')
    for (const pair of value.pairs) this.define(table, pair)
    close(table)
    return table
  }

  private refuse({ start, end }: Place, keys: readonly Key[], first: Place): undefined {
    const path = keys.map(({ name }) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join('.')
    this.faults.push({
      kind: 'duplicate',
      message: `\`${path}\` is defined twice.`,
      help: 'Keep one of the two, or write both parts in one place.',
      start,
      end,
      first,
    })
  }
}

/** Nothing can be added to an inline table, nor to the tables in it. */
function close(table: GrowingTable) {
  if (table.origin === 'inline') return
  table.origin = 'inline'
  for (const { value } of table.entries.values()) if (value.kind === 'table') close(value)
}

function newTable({ start, end }: Place, origin: Origin): GrowingTable {
  return { kind: 'table', entries: new Map(), origin, start, end }
}

function add<Value extends GrowingEntry['value']>(table: GrowingTable, key: Key, value: Value): Value {
  table.entries.set(key.name, { key, value })
  return value
}
