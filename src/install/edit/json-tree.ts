import type { Json } from '../../compile/serialize.ts'
import { canonicalJson } from './canonical-json.ts'

/** A value with its place: offsets into the text, the end exclusive. What it says is read from the text when asked. */
export type JsonNode = JsonScalar | JsonContainer

export interface JsonScalar {
  readonly kind: 'scalar'
  readonly start: number
  readonly end: number
}

export interface JsonContainer {
  readonly kind: 'object' | 'array'
  readonly start: number
  readonly end: number
  readonly members: readonly JsonMember[]
}

/** A member of an object, or an element of an array: that has no key, and starts with its value. */
export interface JsonMember {
  readonly start: number
  /** Where the key ends; undefined of an element. */
  readonly keyEnd: number | undefined
  readonly value: JsonNode
  /** The offset of the comma behind it; undefined of a last member without one. */
  readonly comma: number | undefined
}

/** A text and what is in it. */
export interface JsonTree {
  readonly text: string
  /** Behind the byte order mark. */
  readonly start: number
  /** undefined: there are at most blanks and comments. */
  readonly root: JsonNode | undefined
}

/** The value of a node; of a key that stands twice, the last one. */
export function jsonOf(text: string, node: JsonNode): Json {
  if (node.kind === 'scalar') return JSON.parse(text.slice(node.start, node.end))
  if (node.kind === 'array') return node.members.map(({ value }) => jsonOf(text, value))
  // Entries become properties of the object's own, `__proto__` too.
  return Object.fromEntries(
    node.members.map((member) => [keyOf(text, member), jsonOf(text, member.value)] as const),
  )
}

/** Whether the node says this value and no key of it stands twice. */
export function says(text: string, node: JsonNode, value: Json): boolean {
  if (node.kind === 'scalar') return isScalar(value) && jsonOf(text, node) === value
  if (isScalar(value)) return false
  const { members } = node
  if (isList(value)) {
    return (
      node.kind === 'array' &&
      members.length === value.length &&
      value.every((item, index) => saysMember(text, members[index], item))
    )
  }
  if (node.kind === 'array' || members.length !== Object.keys(value).length) return false
  const keys = members.map((member) => keyOf(text, member))
  return (
    new Set(keys).size === keys.length &&
    keys.every((key, index) => Object.hasOwn(value, key) && saysMember(text, members[index], value[key]))
  )
}

function saysMember(text: string, member: JsonMember | undefined, value: Json | undefined): boolean {
  return member !== undefined && value !== undefined && says(text, member.value, value)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function isScalar(value: Json): value is null | boolean | number | string {
  return typeof value !== 'object' || value === null
}

/** The key of a member of an object, without its escapes. */
export function keyOf(text: string, member: JsonMember): string {
  const key = text.slice(member.start + 1, (member.keyEnd ?? member.start) - 1)
  return key.includes('\\') ? JSON.parse(`"${key}"`) : key
}

/** The members of an object by their keys, and those whose key came before. */
export interface JsonKeys {
  readonly members: ReadonlyMap<string, JsonMember>
  /** By the key: the second member of that key. */
  readonly repeated: ReadonlyMap<string, JsonMember>
}

/** Made once for each object, so that looking up all its keys takes time in proportion to its text. */
export const keysOf = remembered((text, object): JsonKeys => {
  const members = new Map<string, JsonMember>()
  const repeated = new Map<string, JsonMember>()
  for (const member of object.members) {
    const key = keyOf(text, member)
    if (members.has(key) && !repeated.has(key)) repeated.set(key, member)
    members.set(key, member)
  }
  return { members, repeated }
})

/** The elements of an array by their canonical text; of equal ones the last. Made once for each array. */
export const elementsOf = remembered(
  (text, array): ReadonlyMap<string, JsonMember> =>
    new Map(array.members.map((element) => [canonicalJson(jsonOf(text, element.value)), element])),
)

function remembered<Index>(make: (text: string, container: JsonContainer) => Index) {
  const indexes = new WeakMap<JsonContainer, Index>()
  return (text: string, container: JsonContainer): Index => {
    const index = indexes.get(container) ?? make(text, container)
    indexes.set(container, index)
    return index
  }
}

/** The member under a path of keys; undefined when there is none. */
export function memberAt({ text, root }: JsonTree, path: readonly string[]): JsonMember | undefined {
  let member: JsonMember | undefined
  let node = root
  for (const key of path) {
    member = node?.kind === 'object' ? keysOf(text, node).members.get(key) : undefined
    node = member?.value
  }
  return member
}

/** The value under a path of keys; of the empty path the root. */
export function nodeAt(tree: JsonTree, path: readonly string[]): JsonNode | undefined {
  return path.length === 0 ? tree.root : memberAt(tree, path)?.value
}
