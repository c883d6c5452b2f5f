import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Path } from '../../src/spec/spec.ts'
import { literal } from './arbitrary.ts'
import { read, slice } from './support.ts'

type Leaf = string | number | boolean | null
type Value = Leaf | Value[] | { [key: string]: Value }

/** `<<` is written without quotes by the library, which then reads it as a merge key. */
const key = literal.filter((text) => text !== '__proto__' && text !== '<<')
const { value: anyMapping } = fc.letrec<{ value: Value; leaf: Leaf }>((tie) => ({
  leaf: fc.oneof(literal, fc.integer(), fc.boolean(), fc.constant(null)),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}))

/** Every place in a value, but for the root. */
function places(value: Value, path: Path = []): { path: Path; value: Value }[] {
  if (value === null || typeof value !== 'object') return []
  const entries: [string | number, Value][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value)
  return entries.flatMap(([step, inner]) => [
    { path: [...path, step], value: inner },
    ...places(inner, [...path, step]),
  ])
}

const notations: Record<
  string,
  { file: string; write: (value: Value) => string; parse: (text: string) => unknown }
> = {
  'JSON on one line': { file: 'bridle.json', write: (value) => JSON.stringify(value), parse: JSON.parse },
  'JSON on many lines': {
    file: 'bridle.json',
    write: (value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
    parse: JSON.parse,
  },
  'YAML in flow style': {
    file: 'bridle.yaml',
    write: (value) =>
      stringify(value, {
        collectionStyle: 'flow',
        blockQuote: false,
        lineWidth: 0,
        aliasDuplicateObjects: false,
      }),
    parse: parseItem,
  },
  'YAML in block style': {
    file: 'bridle.yaml',
    write: (value) => stringify(value, { blockQuote: false, lineWidth: 0, aliasDuplicateObjects: false }),
    parse: parseItem,
  },
}

/** The library writes a few texts so that it cannot read them itself, such as `:` before a line end in flow style. */
function isWrittenWell(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(parse(text), value)
  } catch {
    return false
  }
}

/** In a list, where `---` is a text. */
function parseItem(text: string): unknown {
  return parse(`- ${text}`)[0]
}

describe('A span', () => {
  it.each(Object.entries(notations))(
    'covers the key and the value as they are written in %s',
    async (_, notation) => {
      await fc.assert(
        fc.asyncProperty(anyMapping, async (value) => {
          const root = { version: 1, servers: {}, 'x-free': value }
          const text = notation.write(root)
          fc.pre(isWrittenWell(text, root))
          const { source } = await read(text, notation.file)
          for (const { path, value: expected } of places(root)) {
            const name = path.at(-1)
            if (typeof name === 'string') {
              expect(notation.parse(slice(source.text, source.span(path, 'key')))).toBe(name)
            }
            const isBlock =
              notation.file === 'bridle.yaml' && typeof expected === 'object' && expected !== null
            if (!isBlock) expect(notation.parse(slice(source.text, source.span(path)))).toEqual(expected)
          }
        }),
      )
    },
  )

  const text = `version: 1
x-base: &base
  environment: { LEVEL: warn }
  variables: [A, B]
x-list: [{ a: 1 }]
servers:
  own: &own
    <<: *base
    command: x
  again:
    <<: [*own, *base]
    command: y
`

  it.each<[string, Path, 'key' | 'value', number, string]>([
    ['an item by its name', ['servers', 'own', 'variables', 'B'], 'value', 4, 'B'],
    ['an item by its index', ['servers', 'own', 'variables', 0], 'value', 4, 'A'],
    ['an item has no key but itself', ['servers', 'own', 'variables', 'B'], 'key', 4, 'B'],
    ['a merged key where it was written', ['servers', 'own', 'environment'], 'key', 3, 'environment'],
    ['a value within a merged one', ['servers', 'again', 'environment', 'LEVEL'], 'value', 3, 'warn'],
    ['an own key before a merged one', ['servers', 'again', 'command'], 'value', 12, 'y'],
    ['a missing key by its nearest ancestor', ['servers', 'own', 'toolTimeoutMs'], 'value', 7, 'own'],
    ['a missing name in a list by the list', ['servers', 'own', 'variables', 'C'], 'value', 4, 'variables'],
    ['a path that leads nowhere by the root', ['nowhere', 'at', 'all'], 'value', 1, ''],
    ['a list item of a mapping', ['x-list', 0, 'a'], 'key', 5, 'a'],
  ])('finds %s', async (_, path, part, line, expected) => {
    const { source } = await read(text)
    const span = source.span(path, part)
    expect(span.line).toBe(line)
    expect(slice(source.text, span)).toBe(expected)
  })

  it('is at the beginning when there is nothing', async () => {
    const { source } = await read('')
    expect(source.span(['servers'])).toEqual({ file: 'bridle.yaml', line: 1, column: 1, length: 0 })
  })
})
