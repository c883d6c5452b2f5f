import fc from 'fast-check'
import { parse } from 'smol-toml'

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'env', 'tools', 'x-1', '7', 'true') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'a b', 'é', 'a.b', '"', "'", '\\', '#', '__proto__', '\n', '[a]'),
  },
)
const blank = fc.constantFrom('', '', '', ' ', '\t')
const comment = fc.constantFrom('', '', '', '', ' # note', '# a = "1', ' # [x]', "#'''", '#\t"""é')

const keyText = (key: string) =>
  fc.constantFrom(
    ...[JSON.stringify(key)],
    ...(/^[\w-]+$/.test(key) ? [key, key, key] : []),
    ...(/['\n]/.test(key) ? [] : [`'${key}'`]),
  )
const dotted = (minLength: number, maxLength: number) =>
  fc
    .array(name.chain(keyText), { minLength, maxLength })
    .chain((keys) => fc.array(blank, { minLength: 6, maxLength: 6 }).map((blanks) => joined(keys, blanks)))

function joined(keys: readonly string[], [before = '', after = '']: readonly string[]): string {
  return keys.join(`${before}.${after}`)
}

const scalar = fc.constantFrom(
  ...[
    '30',
    '1_000',
    '0x1F',
    '0o17',
    '0b1',
    '-7',
    '+1',
    '9007199254740993',
    '3.5',
    '1e3',
    'inf',
    '-nan',
    '0.0',
  ],
  ...[
    'true',
    'false',
    '1979-05-27',
    '07:32',
    '07:32:00.5',
    '1979-05-27T07:32:00Z',
    '1979-05-27 07:32:00+01:00',
  ],
  ...['""', "''", '"a # b"', "'C:\\x'", '"\\"\\u00e9\\t\\\\"', '"é😀"', '"[a]\\n[b]"'],
  ...['"""a"""', '"""\nb = 1\n[c]\n"""', '"""x\\\n   y"""', "'''\n# no\n'''", '""""q"""""', "''''q'''''"],
)
/** Between the members of an inline table and behind the last: TOML 1.1 has line breaks, comments and a last comma there. */
const memberEnds = fc.constantFrom(
  [', ', ''],
  [',', ' '],
  [', # c\n  ', '\n'],
  [' ,\n# }\n', ' # {\n,\n'],
  ['\n,', ', '],
)

const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), fc.constantFrom(', ', ',', ' ,\n  # c\n'))
      .map(([items, comma]) => `[${items.join(comma)}]`),
    fc
      .tuple(fc.array(fc.tuple(dotted(1, 2), tie('value')), { maxLength: 3 }), blank, memberEnds)
      .map(([pairs, gap, [comma, end]]) => {
        const members = pairs.map(([key, each]) => `${key}${gap}=${gap}${each}`)
        return `{${gap}${members.join(comma)}${members.length > 0 ? end : gap}}`
      }),
  ),
})).value

const pair = fc
  .tuple(blank, dotted(1, 2), blank, value, comment)
  .map(([indent, key, gap, text, note]) => `${indent}${key}${gap}=${gap}${text}${note}`)
const header = (prefix: string) =>
  fc
    .tuple(blank, dotted(0, 2), blank, comment, fc.boolean())
    .map(([indent, keys, gap, note, isElement]) => {
      const path = [prefix, keys].filter((part) => part !== '').join('.')
      return `${indent}${isElement && prefix === '' ? `[[${path}]]` : `[${gap}${path}${gap}]`}${note}`
    })
    .filter((line) => !/^\s*\[+\s*\]/.test(line))

const line = fc.oneof(
  { weight: 5, arbitrary: pair },
  { weight: 3, arbitrary: header('') },
  { weight: 2, arbitrary: header('mcp_servers') },
  { weight: 2, arbitrary: fc.constantFrom('', '', '  ', '# note', '\t# [mcp_servers.x]', '#') },
  { weight: 1, arbitrary: value.map((text) => `mcp_servers = ${text}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(dotted(1, 2), value).map(([key, text]) => `mcp_servers.${key} = ${text}`),
  },
)

/** A TOML text in any style that is valid to smol-toml. */
export const tomlText = fc
  .tuple(
    fc.array(line, { maxLength: 9 }),
    fc.constantFrom('\n', '\n', '\r\n'),
    fc.constantFrom('', '\n', '\n\n', '\n# end', '\n  '),
  )
  .map(([lines, lineBreak, end]) => `${lines.join('\n')}${end}`.replaceAll('\n', lineBreak))
  .filter(isToml)

function isToml(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: 'asNeeded' })
    return true
  } catch {
    return false
  }
}
