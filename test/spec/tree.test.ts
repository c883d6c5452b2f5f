import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entry,
  entryAt,
  itemAt,
  type ListNode,
  type MappingNode,
  type Node,
} from '../../src/spec/tree.ts'

const place = { start: 0, end: 0 }
const scalar = (value: string): Node => ({ kind: 'scalar', value, ...place })

/** A mapping of so many keys, and how often one of them was looked at. */
function counted(size: number): { node: MappingNode; looks: () => number } {
  let looks = 0
  const entries = Array.from({ length: size }, (_, index): Entry => {
    const entry = { value: scalar(String(index)), ...place }
    return Object.defineProperty(entry as Entry, 'key', {
      get: () => {
        looks++
        return `key${index}`
      },
    })
  })
  return { node: { kind: 'mapping', entries, ...place }, looks: () => looks }
}

describe('Looking up keys', () => {
  it.each([1, 16, 17, 200])('finds each of %i, and no other', (size) => {
    const { node } = counted(size)
    for (let index = 0; index < size; index++) {
      expect(entryAt(node, `key${index}`)?.value).toEqual(scalar(String(index)))
    }
    expect(entryAt(node, `key${size}`)).toBeUndefined()
    expect(entryAt(node, 'constructor')).toBeUndefined()
  })

  it('looks at each key a few times at most, however many are looked up', () => {
    const { node, looks } = counted(5_000)
    for (let index = 0; index < 5_000; index++) entryAt(node, `key${index}`)
    expect(looks()).toBeLessThan(3 * 5_000)
  })
})

describe('Looking up an item', () => {
  it('gives the first scalar that is the text, in a list of any length', () => {
    const list = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string(), fc.constant(null)), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(list, fc.constantFrom('a', 'b'), (values, text) => {
        const items = values.map(
          (value): Node => (value === null ? { kind: 'list', items: [], ...place } : scalar(value)),
        )
        const node: ListNode = { kind: 'list', items, ...place }
        expect(itemAt(node, text)).toBe(items[values.indexOf(text)])
      }),
    )
  })
})
