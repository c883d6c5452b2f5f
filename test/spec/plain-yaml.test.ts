import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseYaml } from '../../src/spec/parse-yaml.ts'
import { parsePlainYaml } from '../../src/spec/plain-yaml.ts'
import { starterSpec } from '../../src/spec/starter.ts'
import { anyValue, specValue } from './arbitrary.ts'

/** What both readers make of a text must be the same, values, places and problems, where the plain one says anything. */
function agree(text: string): boolean {
  const plain = parsePlainYaml(text)
  if (plain === undefined) return false
  expect(plain).toEqual(parseYaml(text))
  return true
}

/** Pieces of YAML in which every rule of the plain reader has a chance to be wrong. */
const words = [
  String.raw`a b-c $x "q" 's' "" '' 'it''s' "\n\u00e9" "\x41" a:b a#b a[0] a,b C:\x https://h/x?y#z`,
  '1 -1 0 00 1.5 1e3 0x1 0o7 +1 - -- -y . ./x .5 .inf -.inf .nan ~ null Null true True false yes no 2001-01-01',
  '- : , [ ] { } [] {} [a,] {a} <<: ? --- ... &a *a !t | > << % @ ` = ( ) / é \u{1F600} #c',
].flatMap((line) => line.split(' '))
const piece = fc.constantFrom(
  ...words,
  ...[
    '"a: b"',
    '- ',
    ': ',
    ', ',
    '[a, b]',
    '{ a: b }',
    '{ "a": 1 }',
    '{a: }',
    'a b',
    '&a ',
    '!t ',
    '? ',
    '<<: ',
    ' # c',
  ],
  ...['\n', '\n  ', '\n    ', '\n- ', '\n  - ', '\na: ', '\n  b: ', '\n\n', '\n# c', '\n  # c', '\n---\n'],
  ...['\r\n', '\r', '\t', ' ', '  ', '\u00A0', '\u0085', '\uFEFF'],
)

/** Nearly always the first, sometimes one of the others. */
function mostly(first: string, ...others: string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  )
}

const key = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('a', 'b', 'c', 'd-e', '$f', '"g"', "'h i'") },
  { weight: 1, arbitrary: piece },
)
const inline = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      'x',
      'y z',
      '"q"',
      "'s'",
      '1',
      'true',
      '-y',
      'https://h/x',
      '[]',
      '[a, b]',
      '{ a: b }',
      '{ "a": [1, { b: c:d }] }',
    ),
  },
  { weight: 1, arbitrary: fc.array(piece, { maxLength: 3 }).map((all) => all.join('')) },
)

/** A block collection in lines, indented by 0; most of it is plain. */
type Block = readonly string[]
const { block } = fc.letrec<{ block: Block; mapping: Block; list: Block; value: Block }>((tie) => ({
  block: fc.oneof({ maxDepth: 3 }, tie('mapping'), tie('list')),
  mapping: fc
    .array(fc.tuple(key, tie('value'), mostly(' ', '  ', '')), { minLength: 1, maxLength: 3 })
    .map((entries) =>
      entries.flatMap(([name, [first = '', ...rest], gap]) => [`${name}:${gap}${first}`, ...rest]),
    ),
  list: fc
    .array(fc.tuple(tie('value'), mostly(' ', '   ', '')), { minLength: 1, maxLength: 3 })
    .map((items) => items.flatMap(([[first = '', ...rest], gap]) => [`-${gap}${first}`, ...rest])),
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(inline, mostly('', ' # c', ' ', '# c')).map(([text, end]) => [`${text}${end}`]),
    fc
      .tuple(tie('block'), mostly('  ', ' ', '    ', ''), mostly('', ' # c', '# c'))
      .map(([lines, indent, end]) => [end, ...lines.map((each) => `${indent}${each}`)]),
    tie('block').map(([first = '', ...rest]) => [first, ...rest.map((each) => `  ${each}`)]),
  ),
}))

describe('The plain reader of YAML', () => {
  it('reads the starter spec', () => {
    expect(agree(starterSpec)).toBe(true)
  })

  it.each([
    'a:\n- 1\n- b: 2\n  c: 3\n-\n  - d\nz: x\n',
    'a: # comment\n  # another\n\n  b: [x, "y", {z: [1, -y]}] # more\n\n# end',
    'a: https://h/p?q#f\r\nb: C:\\x\r\nc:\r\n  - - x\r\n    - y\r\n',
    'a: "x: y # z"\nb: \'it\'\'s\'\n"c d": null\n',
    'a: 1\na: 2\n',
  ])('reads what is plain, such as %j', (text) => {
    expect(agree(text)).toBe(true)
  })

  it.each([
    'a: &x 1',
    'a: |\n  b',
    'a: b\n  c',
    'a:\nb: 1',
    '<<: {a: 1}',
    'a: 1.5',
    'a: [b,\n c]',
    '- a: b: c',
    'a:\tb',
    'a: b\rc: d',
    'a: b\u0085',
    'a: b\u2028c',
    '\uFEFFa: b',
    '# only a comment',
    '',
  ])('leaves %j to the other', (text) => {
    expect(parsePlainYaml(text)).toBeUndefined()
  })

  it('agrees with the whole language on specs', () => {
    fc.assert(
      fc.property(specValue, fc.constantFrom<'block' | 'flow'>('block', 'flow'), (value, collectionStyle) => {
        agree(stringify(value, { collectionStyle, lineWidth: 0 }))
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with the whole language on any value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        agree(stringify(value))
      }),
      { numRuns: 300 },
    )
  })

  it('agrees with the whole language on any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          block.map((lines) => lines.join('\n')),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => {
          agree(text)
        },
      ),
      { numRuns: 3000 },
    )
  })
})
