import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/compile/serialize.ts'
import { tomlText } from '../../toml/arbitrary.ts'
import {
  changedServer,
  documentOf,
  edit,
  isInsertion,
  remove,
  server,
  set,
  smallServer,
  untouched,
} from './toml-support.ts'

/** A document into which servers can go. */
const editable = tomlText.filter((text) => isTable(documentOf(text).valueAt(['mcp_servers']) ?? {}))

function isTable(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toml' in value)
}

/** No generated document has them. */
const names = ['ours', 'zwei', 'with a.dot']
const values: fc.Arbitrary<Json> = fc.constantFrom(
  server,
  changedServer,
  smallServer,
  {},
  { env: { A: '1' } },
)

describe('Whatever the document,', () => {
  it('an entry that comes and goes leaves the bytes as they were, in any order and after any change', () => {
    const steps = fc.array(fc.tuple(fc.nat(2), fc.option(values, { nil: undefined })), { maxLength: 6 })
    const last = fc.shuffledSubarray([0, 1, 2], { minLength: 3 })
    fc.assert(
      fc.property(editable, steps, last, (text, changes, order) => {
        let current = untouched(text)
        for (const [index, value] of changes) {
          const path = ['mcp_servers', names[index] ?? '']
          current = edit(current, { path, value })
          expect(documentOf(current.text).valueAt(path)).toEqual(value)
          expect(edit(current, { path, value })).toEqual(current)
        }
        for (const index of order) current = edit(current, remove(names[index] ?? ''))
        expect(current).toEqual(untouched(text))
      }),
      { numRuns: 200 },
    )
  })

  it('several edits at once are as good as one after the other', () => {
    fc.assert(
      fc.property(editable, values, (text, value) => {
        const edits = names.map((name) => set(name, value))
        const atOnce = edit(untouched(text), ...edits)
        expect(edits.reduce((current, each) => edit(current, each), untouched(text))).toEqual(atOnce)
        expect(edit(atOnce, ...names.map(remove))).toEqual(untouched(text))
      }),
    )
  })

  it('an entry is put in at one place', () => {
    fc.assert(
      fc.property(editable, values, (text, value) => {
        const { text: after, origins } = edit(untouched(text), set('ours', value))
        if (Object.keys(origins).length === 0) expect(isInsertion(text, after)).toBe(true)
      }),
    )
  })

  it('any table in it can be changed and removed, and the rest says what it said', () => {
    fc.assert(
      fc.property(tomlText, values, (text, value) => {
        for (const path of pathsOf(documentOf(text).valueAt([]) ?? {})) {
          const changed = edit(untouched(text), { path, value })
          expect(documentOf(changed.text).valueAt(path)).toEqual(value)
          expect(edit(changed, { path, value })).toEqual(changed)
          edit(changed, { path, value: undefined })
        }
      }),
    )
  })
})

/** Of everything that has a key, but for what is inside arrays. That the rest stays is what the editor's guard checks. */
function pathsOf(value: Json): string[][] {
  if (!isTable(value)) return []
  return Object.entries(value).flatMap(([key, each]) => [
    [key],
    ...pathsOf(each).map((path) => [key, ...path]),
  ])
}
