import type { DocumentFault, Origins } from './document.ts'
import { clearFile, fillFile, originOfFile } from './json-file.ts'
import { layOut } from './json-layout.ts'
import { startOfGap } from './json-style.ts'
import {
  elementsOf,
  type JsonContainer,
  type JsonMember,
  type JsonNode,
  type JsonTree,
  keysOf,
  says,
} from './json-tree.ts'
import { isBlank } from './json-trivia.ts'
import type { Addition, Written } from './json-write.ts'
import { type ContainerPlan, isSetting, type ListPlan, type TablePlan } from './plan.ts'
import { pointerOf } from './pointer.ts'
import type { TextChange } from './text-change.ts'

/** The changes that carry out a plan, and the origins of what was empty or absent until now, old ones included. */
export interface JsonChanges {
  readonly changes: readonly TextChange[]
  readonly origins: Origins
  /** Why the plan cannot be carried out; then nothing may be written. */
  readonly refusals: readonly DocumentFault[]
}

export function changesOf(tree: JsonTree, plan: ContainerPlan, origins: Origins): JsonChanges {
  const work: Work = { tree, origins: new Map(Object.entries(origins)), changes: [], refusals: [] }
  changeFile(work, plan)
  return { ...work, origins: Object.fromEntries(work.origins) }
}

interface Work {
  readonly tree: JsonTree
  readonly origins: Map<string, string | null>
  readonly changes: TextChange[]
  readonly refusals: DocumentFault[]
}

function changeFile(work: Work, plan: ContainerPlan): void {
  const { tree, origins, changes } = work
  const { root } = tree
  if (root === undefined) {
    if (!isSetting(plan)) return
    changes.push(fillFile(tree, created(work, plan, [])))
    origins.set('', originOfFile(tree))
  } else if (matches(work, root, plan, []) && changeContainer(work, [root], plan, []) === 'gone') {
    changes.push(clearFile(tree, root, origins.get('') ?? null))
  }
}

/** What is to be written where nothing is; each table and array on the way did not exist. */
function created(work: Work, plan: ContainerPlan, path: readonly string[]): Written {
  work.origins.set(pointerOf(path), null)
  if (plan.kind === 'list') return [...plan.elements.values()].filter((value) => value !== undefined)
  const members = new Map<string, Written>()
  for (const [key, part] of plan.keys) {
    if (part.kind !== 'value') {
      if (isSetting(part)) members.set(key, created(work, part, [...path, key]))
    } else if (part.value !== undefined) members.set(key, part.value)
  }
  return members
}

/** Whether the node is what the plan is for; a refusal where the plan needs it. */
function matches(
  work: Work,
  node: JsonNode,
  plan: ContainerPlan,
  path: readonly string[],
): node is JsonContainer {
  const kind = plan.kind === 'table' ? 'object' : 'array'
  if (node.kind === kind) return true
  if (isSetting(plan)) {
    const key = path.at(-1)
    const what = key === undefined ? 'The value of the file' : `The value of ${JSON.stringify(key)}`
    const length = node.kind === 'scalar' ? node.end - node.start : 1
    const message = `${what} must be an ${kind}, and is none.`
    work.refusals.push({ message, range: { offset: node.start, length } })
  }
  return false
}

/** Carries out the plan of the last of the containers; it is gone when it was made by Bridle and holds nothing more. */
function changeContainer(
  work: Work,
  containers: readonly JsonContainer[],
  plan: ContainerPlan,
  path: readonly string[],
): 'kept' | 'gone' {
  const { tree, origins } = work
  const container = containers.at(-1)
  if (container === undefined) return 'kept'
  const drafted: Draft = { removed: new Set(), replaced: new Map(), added: [] }
  if (plan.kind === 'list') changeElements(tree, container, plan, drafted)
  else changeKeys(work, containers, container, plan, path, drafted)

  const { removed, added } = drafted
  const pointer = pointerOf(path)
  if (removed.size > 0 && removed.size === container.members.length && added.length === 0) {
    const outcome = emptied(tree.text, container, origins.get(pointer))
    if (outcome === 'gone') return outcome
    if (outcome !== undefined) {
      work.changes.push(outcome)
      return 'kept'
    }
  }
  const isFirst = container.members.length === 0 && added.length > 0 && !origins.has(pointer)
  if (isFirst && isBlank(tree.text.slice(container.start + 1, container.end - 1))) {
    origins.set(pointer, tree.text.slice(container.start, container.end))
  }
  for (const change of layOut(tree, containers, drafted)) work.changes.push(change)
  return 'kept'
}

interface Draft {
  readonly removed: Set<JsonMember>
  readonly replaced: Map<JsonMember, Written>
  readonly added: Addition[]
}

function changeElements(tree: JsonTree, array: JsonContainer, plan: ListPlan, draft: Draft): void {
  const elements = elementsOf(tree.text, array)
  for (const [canonical, value] of plan.elements) {
    const element = elements.get(canonical)
    if (value === undefined) {
      if (element !== undefined) draft.removed.add(element)
    } else if (element === undefined) draft.added.push({ key: undefined, value })
  }
}

function changeKeys(
  work: Work,
  containers: readonly JsonContainer[],
  object: JsonContainer,
  plan: TablePlan,
  path: readonly string[],
  draft: Draft,
): void {
  const { text } = work.tree
  const { members, repeated } = keysOf(text, object)
  for (const [key, part] of plan.keys) {
    const member = members.get(key)
    const twin = repeated.get(key)
    if (twin !== undefined) work.refusals.push(standsTwice(key, twin))
    else if (member === undefined) {
      const value =
        part.kind === 'value' ? part.value : isSetting(part) ? created(work, part, [...path, key]) : undefined
      if (value !== undefined) draft.added.push({ key, value })
    } else if (part.kind !== 'value') {
      const inner = [...path, key]
      const { value } = member
      if (!matches(work, value, part, inner)) continue
      if (changeContainer(work, [...containers, value], part, inner) === 'gone') draft.removed.add(member)
    } else if (part.value === undefined) draft.removed.add(member)
    else if (!says(text, member.value, part.value)) draft.replaced.set(member, part.value)
  }
}

function standsTwice(key: string, { start, keyEnd }: JsonMember): DocumentFault {
  return {
    message: `The key ${JSON.stringify(key)} stands twice in one object, and readers differ in which one they take.`,
    range: { offset: start, length: (keyEnd ?? start) - start },
  }
}

/**
 * What becomes of a container whose last member goes. Comments in it are the user's, so that it stays; without one its
 * origin comes back: nothing, or its blanks.
 */
function emptied(
  text: string,
  container: JsonContainer,
  origin: string | null | undefined,
): 'gone' | TextChange | undefined {
  const { start, end, members } = container
  const behind = members.at(-1)
  const gaps = [
    ...members.flatMap(({ start: begin, value, comma }, index) => [
      text.slice(startOfGap(container, index), begin),
      text.slice(value.end, comma ?? value.end),
    ]),
    text.slice(behind?.comma === undefined ? behind?.value.end : behind.comma + 1, end - 1),
  ]
  if (origin === undefined || !gaps.every(isBlank)) return undefined
  const isContainer = origin !== null && /^[{[]/.test(origin)
  if (!isContainer) return 'gone'
  const blanks = origin.slice(1, -1)
  return isBlank(blanks) ? { start: start + 1, end: end - 1, text: blanks } : undefined
}
