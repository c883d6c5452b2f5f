import type { Json } from '../../compile/serialize.ts'
import type { Scalar } from '../../toml/syntax.ts'
import type { Item, Table } from '../../toml/tables.ts'

/** What stands at a path of keys; of the empty path the table itself. */
export function itemAt(root: Table, path: readonly string[]): Item | undefined {
  let item: Item | undefined = root
  for (const key of path) item = item?.kind === 'table' ? item.entries.get(key)?.value : undefined
  return item
}

/**
 * The value as JSON has it. What JSON does not have (dates, integers beyond 2^53, infinity, not a number) becomes
 * `{ toml: "…" }`, which differs from everything that Bridle writes.
 */
export function jsonOf(item: Item): Json {
  if (item.kind === 'scalar') return jsonOfScalar(item)
  if (item.kind === 'list') return item.items.map(jsonOf)
  return Object.fromEntries([...item.entries].map(([key, { value }]) => [key, jsonOf(value)]))
}

function jsonOfScalar({ value }: Scalar): Json {
  if (typeof value === 'object') return { toml: value.moment }
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) {
    return { toml: String(value) }
  }
  return value
}
