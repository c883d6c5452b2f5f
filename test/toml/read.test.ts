import fc from 'fast-check'
import { parse, TomlDate, type TomlValue } from 'smol-toml'
import { parseTOML } from 'toml-eslint-parser'
import { describe, expect, it } from 'vitest'
import { readStatements } from '../../src/toml/read.ts'
import type { Place } from '../../src/toml/syntax.ts'
import { buildTable, type Item } from '../../src/toml/tables.ts'
import { tomlText } from './arbitrary.ts'

/** What a text says to our reader; undefined: it is no TOML. */
function ours(text: string): unknown {
  const { statements, faults } = readStatements(text, 100)
  if (faults.length > 0) return undefined
  const { root, faults: duplicates } = buildTable(statements)
  return duplicates.length > 0 ? undefined : plain(root)
}

/** In a form that tells all differences apart and knows no order of keys. */
function plain(item: Item): unknown {
  if (item.kind === 'list') return item.items.map(plain)
  if (item.kind === 'table') return new Map([...item.entries].map(([key, { value }]) => [key, plain(value)]))
  return typeof item.value === 'object' ? dateOf(item.value.moment) : item.value
}

function dateOf(moment: string) {
  return { date: new TomlDate(moment).toISOString() }
}

/** The same of smol-toml. */
function theirs(text: string): unknown {
  try {
    return plainOf(parse(text, { integersAsBigInt: 'asNeeded' }))
  } catch {
    return undefined
  }
}

function plainOf(value: TomlValue): unknown {
  if (value instanceof TomlDate) return { date: value.toISOString() }
  if (Array.isArray(value)) return value.map(plainOf)
  if (typeof value !== 'object') return value
  return new Map(Object.entries(value).map(([key, each]) => [key, plainOf(each)]))
}

const pieces = fc.constantFrom(
  ...[
    'a',
    'b',
    'c',
    '"a"',
    "'b'",
    '"\\u0061"',
    '.',
    '.',
    '=',
    ' = ',
    ' = 1\n',
    '= {',
    ' = [',
    '[',
    '[[',
    ']',
    ']]',
  ],
  ...[
    ']\n',
    ']]\n',
    '{',
    '}',
    ',',
    ', ',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '#c',
    '# "\n',
    ' ',
    '\t',
    '"""',
    "'''",
    '"',
    "'",
  ],
  ...[
    '\\',
    '\\n',
    '\\ \n',
    '\\u00',
    '\\xe9',
    '\\e',
    '1',
    '0',
    '_',
    '-',
    '+',
    'e',
    '0x',
    '0o7',
    '0b1',
    'inf',
    'nan',
  ],
  ...['true', 'false', '1979-05-27', 'T', '07:32', ':00', '.5', 'Z', '+01:00', 'é', '\0', '\u007F', '\uFEFF'],
  ...[
    'x = 1\n',
    '[a]\n',
    '[b]\n',
    '[a.b]\n',
    '[[a]]\n',
    '[[a.b]]\n',
    'a.b = 1\n',
    'a.b.c = 2\n',
    'b = {a = 1}\n',
  ],
  ...['a = [1,\n2, ]\n', '__proto__', '9007199254740993', '9223372036854775808', '2023-02-29', '23:59:60'],
)

describe('The reader of TOML', () => {
  it('takes and refuses what another reader does, and finds the same in it', () => {
    const text = fc.array(pieces, { maxLength: 14 }).map((each) => each.join(''))
    fc.assert(
      fc.property(text.filter(isAgreed), (each) => {
        expect(ours(each)).toEqual(theirs(each))
      }),
      { numRuns: 5_000 },
    )
  })

  it('finds the same as another reader in documents of every style', () => {
    fc.assert(
      fc.property(tomlText, (text) => {
        expect(ours(text)).toEqual(theirs(text))
      }),
      { numRuns: 500 },
    )
  })

  it('finds the same in a document whose keys were exchanged, or refuses it as another reader does', () => {
    const exchanged = fc
      .tuple(tomlText, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }))
      .map(([text, swaps]) => swaps.reduce(withSwap, text.split('\n')).join('\n'))
    fc.assert(
      fc.property(exchanged, (text) => {
        expect(ours(text)).toEqual(theirs(text))
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives the places of toml-eslint-parser', () => {
    fc.assert(
      fc.property(tomlText, (text) => {
        const [{ body }] = parseTOML(text).body
        const expected = body.flatMap((each): Place[] => {
          const nodes = each.type === 'TOMLTable' ? [each, ...each.body] : [each]
          return nodes
            .flatMap((node) => (node.type === 'TOMLKeyValue' ? [node, node.value] : [headerOf(node, text)]))
            .map(placeOf)
        })
        const found = readStatements(text, 100).statements.flatMap((each): Place[] =>
          each.kind === 'pair' ? [each, each.value] : [each],
        )
        expect(found.map(({ start, end }) => ({ start, end }))).toEqual(expected)
      }),
    )
  })

  it('reads a text of megabytes, a key of thousands of parts and a word without an end without running out of stack', () => {
    const long = `${'é\\n'.repeat(500_000)}`
    expect(ours(`a = "${long}"`)).toEqual(new Map([['a', 'é\n'.repeat(500_000)]]))
    expect(ours(`a = ${'1'.repeat(500_000)}`)).toBeUndefined()
    expect(ours(`${'a.'.repeat(500_000)}a = 1`)).toBeUndefined()
    expect(ours(`${'#\n'.repeat(500_000)}a = 1`)).toEqual(new Map([['a', 1]]))
    expect(ours(`a = ${'['.repeat(500_000)}`)).toBeUndefined()
  })
})

/** smol-toml takes the 29th of February in every year (1.9.1); Codex does not. */
function isAgreed(text: string): boolean {
  return !text.includes('2023-02-29')
}

function withSwap(lines: string[], [one, other]: readonly [number, number]): string[] {
  const [a, b] = [one % lines.length, other % lines.length]
  return lines.map((line, index) => lines[index === a ? b : index === b ? a : index] ?? line)
}

/** The place of a table in toml-eslint-parser reaches to its last pair. */
function headerOf(
  { range: [start], key }: { range: [number, number]; key: { range: [number, number] } },
  text: string,
) {
  const closing = text.startsWith('[[', start) ? ']]' : ']'
  return { range: [start, text.indexOf(closing, key.range[1]) + closing.length] as const }
}

function placeOf({ range: [start, end] }: { readonly range: readonly [number, number] }): Place {
  return { start, end }
}
