import fc from 'fast-check'
import type { FileSyntax } from '../../../src/compile/installed-file.ts'
import type { Json } from '../../../src/compile/serialize.ts'

/** What users change between two builds: in every generated document, and nowhere in what is added to it. */
export const userText = 'THE-USER'

const keys = ['mcpServers', 'permissions', 'deny', 'a', 'b', '__proto__', 'x/y~z', 'é "quoted"', '7']
const keyText = fc.constantFrom(
  ...keys.map((key) => JSON.stringify(key)),
  '"\\u0062\\u0063"',
  `"${userText}"`,
)

const scalarText = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1.50',
    '1e3',
    '12345678901234567890',
    'true',
    'false',
    'null',
    '""',
    '"\\u00e9"',
  ),
  fc.constantFrom('"//"', '"/* */"', '"{"', '"]"', '"\\""', '"\\\\"', `"${userText} text"`, '"one"', '"two"'),
  fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
)

/** Blanks, line ends and, where the syntax has them, comments. */
function triviaText({ comments }: FileSyntax): fc.Arbitrary<string> {
  const blanks = fc.constantFrom(
    '',
    ' ',
    '  ',
    '\t',
    '\n',
    '\n  ',
    '\n\t',
    '\r\n',
    '\r\n    ',
    '\n\n',
    ' \n ',
    '\r',
  )
  if (!comments) return blanks
  const comment = fc.constantFrom(
    '// one\n',
    '// "two": {\r\n',
    '//\n',
    '/* one */',
    '/**/',
    '/* one\n  two */',
    '/* // */',
    `// ${userText}\n`,
    `/* ${userText} */`,
  )
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: blanks }, { weight: 1, arbitrary: comment }), { maxLength: 3 })
    .map((parts) => parts.join(''))
}

/** Texts of values, written in every way that the syntax allows. Keys of one object differ. */
function valueTexts(syntax: FileSyntax): {
  readonly value: fc.Arbitrary<string>
  readonly object: fc.Arbitrary<string>
} {
  const trivia = triviaText(syntax)
  const trailing = syntax.trailingCommas ? fc.constantFrom('', ',') : fc.constant('')
  const container = (open: string, close: string, members: fc.Arbitrary<string[]>) =>
    fc
      .tuple(members, trivia, trailing, trivia)
      .map(([texts, before, comma, after]) =>
        texts.length === 0 ? open + before + close : open + texts.join(',') + comma + after + close,
      )
  const { value, object } = fc.letrec<{ value: string; object: string; array: string }>((tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalarText, tie('object'), tie('array')),
    object: container(
      '{',
      '}',
      fc
        .uniqueArray(fc.tuple(keyText, fc.tuple(trivia, trivia, trivia, trivia), tie('value')), {
          selector: ([key]) => key,
          maxLength: 4,
        })
        .map((members) => members.map(([key, [a, b, c, d], value]) => `${a}${key}${b}:${c}${value}${d}`)),
    ),
    array: container(
      '[',
      ']',
      fc
        .array(fc.tuple(trivia, tie('value'), trivia), { maxLength: 4 })
        .map((elements) => elements.map((parts) => parts.join(''))),
    ),
  }))
  return { value, object }
}

/** Files in which somebody or some program wrote: a value in trivia, an even layout, or nothing. */
export function fileText(syntax: FileSyntax): fc.Arbitrary<string> {
  const trivia = triviaText(syntax)
  const { value, object } = valueTexts(syntax)
  const mark = syntax.byteOrderMark ? fc.constantFrom('', '\uFEFF') : fc.constant('')
  const wild = fc.tuple(trivia, fc.oneof({ weight: 9, arbitrary: object }, value), trivia)
  const even = fc
    .tuple(
      fc.dictionary(fc.constantFrom(...keys), config),
      fc.constantFrom(2, 4, '\t', 0),
      fc.constantFrom('\n', '\r\n'),
    )
    .map(([file, indentation, lineEnd]) => [
      JSON.stringify(file, null, indentation).replaceAll('\n', lineEnd),
      lineEnd,
    ])
  const body = fc.oneof(
    { weight: 6, arbitrary: wild.map((parts) => parts.join('')) },
    { weight: 3, arbitrary: even.map((parts) => parts.join('')) },
    { weight: 1, arbitrary: trivia },
  )
  return fc.tuple(mark, body).map((parts) => parts.join(''))
}

/** JSON has no other zero. */
const json = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'grapheme' })
  .map((value): Json => JSON.parse(JSON.stringify(value)))
const config = fc.oneof(json, fc.dictionary(fc.constantFrom(...keys), json, { maxKeys: 3 }))

/** Values as Bridle writes them; none holds `userText`, and no number is one that JSON has no text for. */
export const entryValue: fc.Arbitrary<Json> = fc.oneof(
  json,
  fc.record({
    command: fc.string(),
    args: fc.array(fc.string()),
    env: fc.dictionary(fc.string(), fc.string()),
  }),
)
