import type { Json } from '../../compile/serialize.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Edit } from './document.ts'
import { pointerOf } from './pointer.ts'

/** What is to become of a part of a document: the edits as a tree along their paths. */
export type Plan = ValuePlan | ContainerPlan
export type ContainerPlan = TablePlan | ListPlan

export interface ValuePlan {
  readonly kind: 'value'
  /** undefined removes the entry. */
  readonly value: Json | undefined
}

export interface TablePlan {
  readonly kind: 'table'
  readonly keys: ReadonlyMap<string, Plan>
}

export interface ListPlan {
  readonly kind: 'list'
  /** By the canonical text of the element; undefined removes it. */
  readonly elements: ReadonlyMap<string, Json | undefined>
}

/**
 * The edits as the plan of a whole document; of several edits of one place the last counts.
 *
 * @throws Error when one edit lies inside another, or one wants a table where another wants an array
 */
export function planOf(edits: readonly Edit[]): ContainerPlan {
  const holder: DraftTable = { kind: 'table', keys: new Map() }
  for (const { path, element, value } of edits) {
    const { keys } = tableAt(holder, [document, ...path].slice(0, -1))
    const key = path.at(-1) ?? document
    const there = keys.get(key)
    if (element === undefined) {
      if (there !== undefined && there.kind !== 'value') throw overlap(path)
      keys.set(key, { kind: 'value', value })
    } else {
      const list = there ?? { kind: 'list', elements: new Map() }
      if (list.kind !== 'list') throw overlap(path)
      list.elements.set(canonicalJson(element), value)
      keys.set(key, list)
    }
  }
  const plan = holder.keys.get(document) ?? { kind: 'table', keys: new Map() }
  if (plan.kind === 'value') throw new Error('a whole document is no entry')
  return plan
}

/** Whether anything is set, so that what is absent has to be made. */
export function isSetting(plan: Plan): boolean {
  if (plan.kind === 'value') return plan.value !== undefined
  if (plan.kind === 'list') return [...plan.elements.values()].some((value) => value !== undefined)
  return [...plan.keys.values()].some(isSetting)
}

type Draft = ValuePlan | DraftTable | DraftList
interface DraftTable extends TablePlan {
  readonly keys: Map<string, Draft>
}
interface DraftList extends ListPlan {
  readonly elements: Map<string, Json | undefined>
}

/** The document stands under this key of a table that holds nothing else. */
const document = ''

/** The table at the path, made where there is none. */
function tableAt(holder: DraftTable, path: readonly string[]): DraftTable {
  let table = holder
  for (const key of path) {
    const next: Draft = table.keys.get(key) ?? { kind: 'table', keys: new Map() }
    if (next.kind !== 'table') throw overlap(path.slice(1))
    table.keys.set(key, next)
    table = next
  }
  return table
}

function overlap(path: readonly string[]): Error {
  return new Error(`two edits of ${pointerOf(path)} exclude each other`)
}
