import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isServerName, serverNames } from '../../src/import/names.ts'

const cases: readonly (readonly [wanted: readonly string[], names: readonly string[]])[] = [
  [
    ['notes', 'Docs_2', 'a-b'],
    ['notes', 'Docs_2', 'a-b'],
  ],
  [
    ['Company Docs', 'Café "Notes" (v2)'],
    ['company-docs', 'cafe-notes-v2'],
  ],
  [
    ['a b', 'a-b', 'A  B', 'a.b'],
    ['a-b-2', 'a-b', 'a-b-3', 'a-b-4'],
  ],
  [
    ['日本語', '', '__proto__', 'constructor'],
    ['server', 'server-2', 'server-3', 'server-4'],
  ],
  [
    ['same', 'same'],
    ['same', 'same-2'],
  ],
  [[`${'long '.repeat(10)}x`], ['long-long-long-long-long-long-lo']],
]

describe('Names of servers', () => {
  it.each(cases)('%j become %j', (wanted, names) => {
    expect(serverNames(wanted)).toEqual(names)
  })

  it('are names, each once, and stay where they can', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'a b', 'A-B', 'a-2'))),
        (wanted) => {
          const names = serverNames(wanted)
          expect(names).toHaveLength(wanted.length)
          expect(new Set(names).size).toBe(names.length)
          expect(names.every(isServerName)).toBe(true)
          for (const name of new Set(wanted))
            if (isServerName(name)) expect(names[wanted.indexOf(name)]).toBe(name)
        },
      ),
    )
  })

  it('are found in time when a hundred thousand become the same', () => {
    const wanted = Array.from({ length: 100_000 }, (_, index) => '!'.repeat((index % 7) + 1))
    const long = wanted.map((_, index) => `${'a'.repeat(29)}${(index % 999).toString(36)}`)
    const names = serverNames([...wanted, ...long])
    expect(new Set(names).size).toBe(200_000)
    expect(names.every(isServerName)).toBe(true)
  })
})
