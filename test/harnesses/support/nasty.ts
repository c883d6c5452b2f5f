import fc from 'fast-check'

const awkward = [
  ...[
    '$HOME',
    '${HOME}',
    '$(id)',
    '`id`',
    '$$5',
    '${BRIDLE_V1}',
    '$BRIDLE_V1',
    '{env:HOME}',
    '%PATH%',
    '$env:HOME',
  ],
  ...[
    '"',
    "'",
    "it's",
    '\\',
    '\\n',
    '\\u0041',
    'C:\\Users\\new\\x',
    '"""',
    "'''",
    '; rm -rf',
    '& | < > ( )',
    '*',
  ],
  ...[
    '--flag=value',
    '-n',
    '#no comment',
    '~',
    '~/x',
    'a=b',
    '[x]',
    '{"a":1}',
    'null',
    'true',
    '0',
    '=',
    '%',
  ],
  ...['é', '漢字', '😀', 'e\u0301', '\u202eabc', '\ufeffbom', 'a  b'],
]

/**
 * Well over 500 texts, so that 500 remain where equal ones are dropped, that some shell, template or parser on the way could change: the awkward ones, pieces of them put
 * together, and random ones.
 */
export const nastyTexts = batch(fc.string({ unit: 'binary', maxLength: 40 }), [
  ...awkward,
  '',
  ' a ',
  'a\r\n\tb',
  '\u0001\u001b\u007f',
])
/** The same for headers: no control character, nothing around the text that HTTP removes. */
export const nastyHeaders = batch(fc.string({ unit: 'binary', maxLength: 20 }).map(asHeader), awkward)
/** The same of printable ASCII, for harnesses that send no other. */
export const nastyAsciiHeaders = batch(
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map(asHeader),
  awkward.filter((text) => /^[ -~]*$/.test(text)),
)

/**
 * The same for the query of a URL, of what its parser leaves as it is (WHATWG URL, the special-query percent-encode
 * set): at least 500 texts with `&` between them, without `${`, which the language refuses in a URL.
 */
export const nastyQueries = fc
  .array(
    fc
      .array(
        fc.constantFrom(
          ...[
            '$HOME',
            '$',
            '%24%7BHOME%7D',
            '{env:HOME}',
            '{',
            '}',
            '%PATH%',
            '%',
            '$(id)',
            '`id`',
            '*',
            '~',
            '|',
          ],
          ...[
            '\\',
            '^',
            '=',
            '+',
            '%20',
            '..',
            '/',
            '//',
            '?',
            ';',
            '[x]',
            'a',
            'BRIDLE_V1',
            '%F0%9F%98%80',
            '@',
            ':-',
          ],
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => parts.join('').replace(/\$\{+/g, '$')),
    { minLength: 500, maxLength: 510 },
  )
  .map((texts) => texts.map((text, index) => `p${index}=${text}`).join('&'))

function batch(random: fc.Arbitrary<string>, always: readonly string[]): fc.Arbitrary<string[]> {
  const mixed = fc
    .array(fc.constantFrom(...always), { minLength: 2, maxLength: 4 })
    .map((parts) => parts.join(''))
  const more = fc.array(
    fc.oneof(random, mixed).map((text) => text.replaceAll('\0', '')),
    { minLength: 640, maxLength: 650 },
  )
  return more.map((texts) => [...always, ...texts])
}

function asHeader(text: string): string {
  return text.replace(/[\x00-\x1f\x7f]/g, '').trim()
}

/** A literal of the spec; a text with `${` has to say that it is meant. */
export function literal(text: string): string | { verbatim: string } {
  return text.includes('${') ? { verbatim: text } : text
}

/** `{ <prefix>0: …, <prefix>1: … }` */
export function numbered(prefix: string, texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text, index) => [`${prefix}${index}`, text]))
}

/** The same map with its texts as literals of the spec. */
export function literals(
  texts: Readonly<Record<string, string>>,
): Record<string, string | { verbatim: string }> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, literal(text)]))
}
