import type { Json } from '../../compile/serialize.ts'
import { canonicalJson } from './canonical-json.ts'
import {
  type JsonContainer,
  type JsonMember,
  type JsonNode,
  type JsonTree,
  jsonOf,
  keyOf,
  says,
} from './json-tree.ts'
import { type ContainerPlan, isSetting, type ListPlan, type Plan, type TablePlan } from './plan.ts'

/**
 * Whether the edited file says what the plan wants, told without a look at how it was edited: all that the plan does
 * not name stands there as it was written, in its order, and behind it what was added.
 */
export function isCarriedOut(before: JsonTree, after: JsonTree, plan: ContainerPlan): boolean {
  return agrees({ before, after }, before.root, after.root, plan)
}

interface Trees {
  readonly before: JsonTree
  readonly after: JsonTree
}

/** What has to stand at one place in a container. */
type Expected =
  | { readonly kind: 'as it was'; readonly written: string }
  | { readonly kind: 'new'; readonly key: string | undefined; readonly value: Json }
  | { readonly kind: 'changed'; readonly key: string; readonly node: JsonNode; readonly plan: ContainerPlan }

function agrees(
  trees: Trees,
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  plan: ContainerPlan,
): boolean {
  if (before === undefined) return isNew(trees, after, isSetting(plan) ? createdJson(plan) : undefined)
  if (after === undefined) return isEmptied(trees, before, plan)
  const expected = expectedOf(trees, before, plan)
  if (expected === undefined) return writtenOf(trees.before, before) === writtenOf(trees.after, after)
  if (before.kind !== after.kind || after.kind === 'scalar') return false
  let index = 0
  for (const each of expected) {
    const member = after.members[index]
    if (member !== undefined && stands(trees, member, each)) index++
    else if (each.kind !== 'changed' || !isEmptied(trees, each.node, each.plan)) return false
  }
  return index === after.members.length
}

function isNew({ after }: Trees, node: JsonNode | undefined, value: Json | undefined): boolean {
  if (node === undefined || value === undefined) return node === undefined && value === undefined
  return says(after.text, node, value)
}

/** Whether nothing of what was there may be left, so that what held it may be gone itself. */
function isEmptied(trees: Trees, node: JsonNode, plan: ContainerPlan): boolean {
  if (node.kind === 'scalar' || node.members.length === 0) return false
  const expected = expectedOf(trees, node, plan)
  return expected?.every((each) => each.kind === 'changed' && isEmptied(trees, each.node, each.plan)) ?? false
}

function stands(trees: Trees, member: JsonMember, expected: Expected): boolean {
  const { after } = trees
  if (expected.kind === 'as it was') {
    return after.text.slice(member.start, member.value.end) === expected.written
  }
  const key = member.keyEnd === undefined ? undefined : keyOf(after.text, member)
  if (key !== expected.key) return false
  if (expected.kind === 'new') return says(after.text, member.value, expected.value)
  return agrees(trees, expected.node, member.value, expected.plan)
}

/** undefined: the plan is for something else than this node is, and changes nothing. */
function expectedOf({ before }: Trees, node: JsonNode, plan: ContainerPlan): Expected[] | undefined {
  if (plan.kind === 'list') return node.kind === 'array' ? expectedElements(before, node, plan) : undefined
  return node.kind === 'object' ? expectedMembers(before, node, plan) : undefined
}

function expectedMembers(before: JsonTree, object: JsonContainer, plan: TablePlan): Expected[] {
  const missing = new Map(plan.keys)
  const staying = object.members.flatMap((member): Expected[] => {
    const key = keyOf(before.text, member)
    const part = plan.keys.get(key)
    missing.delete(key)
    if (part === undefined) return [{ kind: 'as it was', written: writtenOf(before, member) }]
    if (part.kind !== 'value') return [{ kind: 'changed', key, node: member.value, plan: part }]
    return part.value === undefined ? [] : [{ kind: 'new', key, value: part.value }]
  })
  const added = [...missing].flatMap(([key, part]): Expected[] => {
    const value = isSetting(part) ? createdJson(part) : undefined
    return value === undefined ? [] : [{ kind: 'new', key, value }]
  })
  return [...staying, ...added]
}

function expectedElements(before: JsonTree, array: JsonContainer, plan: ListPlan): Expected[] {
  const missing = new Map(plan.elements)
  const staying = array.members.toReversed().flatMap((member): Expected[] => {
    const canonical = canonicalJson(jsonOf(before.text, member.value))
    const isRemoved = missing.has(canonical) && missing.get(canonical) === undefined
    missing.delete(canonical)
    return isRemoved ? [] : [{ kind: 'as it was', written: writtenOf(before, member) }]
  })
  const added = [...missing.values()].filter((value) => value !== undefined)
  return [...staying.reverse(), ...added.map((value): Expected => ({ kind: 'new', key: undefined, value }))]
}

function createdJson(plan: Plan): Json | undefined {
  if (plan.kind === 'value') return plan.value
  if (plan.kind === 'list') return [...plan.elements.values()].filter((value) => value !== undefined)
  return Object.fromEntries(
    [...plan.keys].flatMap(([key, part]) => {
      const value = isSetting(part) ? createdJson(part) : undefined
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

function writtenOf({ text }: JsonTree, part: JsonNode | JsonMember): string {
  return text.slice(part.start, 'value' in part ? part.value.end : part.end)
}
