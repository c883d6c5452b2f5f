import { type Entry, entryAt, type Node } from '../../spec/tree.ts'

/** Older versions of the schema write `registry_type`. */
export function entryOf(node: Node, key: string): Entry | undefined {
  const found = entryAt(node, key)
  if (found !== undefined || node.kind !== 'mapping') return found
  return node.entries.find((entry) => camelCase(entry.key) === key)
}

export function nodeAt(node: Node, key: string): Node | undefined {
  return entryOf(node, key)?.value
}

export function camelCase(key: string): string {
  return key.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : []
}

export function isTrue(node: Node, key: string): boolean {
  const value = nodeAt(node, key)
  return value?.kind === 'scalar' && value.value === true
}
