import { parse as parseToml } from '@iarna/toml'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serialize } from '../../src/compile/serialize.ts'

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((each) => each.isWellFormed())
/** The reader of TOML takes a table named like a property of every object (`toString`) for one that is there already. */
const key = text.filter((each) => !(each in {}))
const document = fc.dictionary(
  key,
  fc.oneof(
    text,
    fc.array(text, { maxLength: 4 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      text,
    ),
  ),
  { noNullPrototype: true },
)

const awkward = {
  windows: 'C:\\Users\\new\\x',
  quotes: `"' ''' """`,
  controls: '\u0001\u001b\u007f\t\r\n',
  unicode: 'é😀\u202e\ufeff',
  'key with "quotes" and \\': '',
}

describe('serialize', () => {
  it.each(['json', 'toml'] as const)(
    'writes %s that another parser reads back as the same document',
    (format) => {
      const parse = format === 'json' ? JSON.parse : parseToml
      fc.assert(
        fc.property(document, (value) => {
          expect(structuredClone(parse(serialize(format, value)))).toEqual(value)
        }),
      )
      expect(structuredClone(parse(serialize(format, awkward)))).toEqual(awkward)
    },
  )

  it.each(['json', 'toml'] as const)('ends %s with one line feed', (format) => {
    expect(serialize(format, { a: 'b' })).toMatch(/[^\n]\n$/)
  })
})
