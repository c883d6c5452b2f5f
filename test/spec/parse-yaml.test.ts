import { describe, expect, it } from 'vitest'
import { findings, read } from './support.ts'

const inSpec = (rest: string) => `version: 1\nservers: {}\n${rest}`

/** A bomb that would stand for ten to the ninth values. */
const bomb = ['x-0: &a0 [1,1,1,1,1,1,1,1,1,1]']
  .concat(
    Array.from(
      { length: 8 },
      (_, level) => `x-${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`)}]`,
    ),
  )
  .join('\n')

/** A thousand mappings, each of which merges the one before and adds a key. */
const mergeChain = Array.from(
  { length: 1000 },
  (_, index) => `x-${index}: &m${index} { ${index > 0 ? `<<: *m${index - 1}, ` : ''}k${index}: 1 }`,
).join('\n')

const wrong: Record<string, readonly [text: string, ...findings: string[]]> = {
  'a tab as indentation': ['version: 1\nservers:\n\ts: { command: x }', 'BRIDLE106'],
  'a list without an end': ['version: 1\nservers: { s: { arguments: [a }', 'BRIDLE106'],
  'a quote without an end': ['version: "1\n', 'BRIDLE106'],
  'a colon in a text': ['version: 1\ntitle: a: b', 'BRIDLE106'],
  'faults on two lines': ['version: "1\nservers: }\nx-a: }', 'BRIDLE106'],
  'a key twice': [inSpec('version: 1'), 'BRIDLE107 version'],
  'a key twice, once in quotes': [inSpec('"servers": {}'), 'BRIDLE107 "servers"'],
  'a merge key twice': [inSpec('x-a: &a {}\nx-b: { <<: *a, <<: *a }'), 'BRIDLE107 <<'],
  'an alias within its own value': [inSpec('x-a: &a { b: [*a] }'), 'BRIDLE108 *a'],
  'a merge of a mapping into itself': [inSpec('x-a: &a { <<: *a }'), 'BRIDLE108 *a'],
  'a bomb of aliases': [inSpec(bomb), 'BRIDLE108 *a3'],
  'a bomb of merges': [inSpec(mergeChain), 'BRIDLE108'],
  'an alias without an anchor': [inSpec('x-a: &base 1\nx-b: *bse'), 'BRIDLE106 *bse'],
  'an alias before its anchor': [inSpec('x-b: *base\nx-a: &base 1'), 'BRIDLE106 *base'],
  'a second document': [inSpec('---\nversion: 1'), 'BRIDLE109 ---'],
  'a directive': [`%YAML 1.1\n---\n${inSpec('')}`, 'BRIDLE109 %YAML 1.1'],
  'a tag of its own': [inSpec('x-a: !mine a'), 'BRIDLE109 !mine'],
  'a tag beyond the core schema': [inSpec('x-a: !!binary aGk='), 'BRIDLE109 aGk='],
  'a set': [inSpec('x-a: !!set { a }'), 'BRIDLE109 { a }'],
  'a number as a key': [inSpec('x-a: { 1: a }'), 'BRIDLE109 1'],
  'true as a key': [inSpec('x-a: { true: a }'), 'BRIDLE109 true'],
  'a list as a key': [inSpec('x-a: { [a]: b }'), 'BRIDLE109 [a]'],
  'a merge of a text': [inSpec('x-a: { <<: text }'), 'BRIDLE109 <<'],
}

describe('YAML is refused that holds', () => {
  it.each(Object.entries(wrong))('%s', async (_, [text, ...expected]) => {
    const result = await read(text)
    const found = findings(result).map((each) => each.replace(/\s+/g, ' '))
    expect(found.map((each, index) => (expected[index]?.includes(' ') ? each : each.split(' ')[0]))).toEqual(
      expected,
    )
    expect(result.spec).toBeUndefined()
  })

  it.each([
    ['nested lists', '['.repeat(20_000)],
    ['nested block lists', '- '.repeat(20_000)],
    ['nested mappings', '{a: '.repeat(20_000)],
    ['nested keys', '? '.repeat(20_000)],
  ])('20,000 levels of %s', async (_, text) => {
    const result = await read(text)
    expect(result.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['BRIDLE106', 'The text is nested more than 100 levels deep.'],
    ])
  })

  it('no more than ten syntax errors, since later ones follow from the first', async () => {
    const { diagnostics } = await read(`${'}\n'.repeat(1000)}`)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect(diagnostics.length).toBeLessThanOrEqual(10)
  })
})

const right: Record<string, readonly [text: string, argumentsRead: readonly string[]]> = {
  'tabs between values': ['arguments:\t[a,\tb]', ['a', 'b']],
  'words of YAML 1.1, as texts': [
    'arguments: [yes, no, on, off, 2001-01-01, 1_000, 0o9]',
    ['yes', 'no', 'on', 'off', '2001-01-01', '1_000', '0o9'],
  ],
  'block texts': [
    'arguments:\n      - |\n        a\n        b\n      - >-\n        c\n        d',
    ['a\nb\n', 'c d'],
  ],
  'a tag of the core schema': ['arguments: [!!str 5, ! 6]', ['5', '6']],
  aliases: ['x-a: &a [p, &b q]\n    arguments: [*b, *b]', ['q', 'q']],
  'an anchor that is set twice': ['x-a: [&a p, &a q]\n    arguments: [*a]', ['q']],
  'a merge, which the own key overrides': [
    'x-a: &a { arguments: [p] }\n    <<: *a\n    arguments: [q]',
    ['q'],
  ],
  'a merge of many, of which the earlier win': ['<<: [{ arguments: [p] }, { arguments: [q] }]', ['p']],
  'a merge of merges': ['x-a: &a { arguments: [p] }\n    x-b: &b { <<: *a }\n    <<: *b', ['p']],
  'a key of a merge in quotes': ['x-a: { "<<": text }\n    arguments: [p]', ['p']],
}

describe('YAML is read that holds', () => {
  it.each(Object.entries(right))('%s', async (_, [lines, argumentsRead]) => {
    const result = await read(`version: 1\nservers:\n  s:\n    command: x\n    ${lines}\n`)
    expect(findings(result)).toEqual([])
    expect(result.spec?.servers).toMatchObject([{ arguments: argumentsRead }])
  })

  it('a thousand servers that merge the same twenty keys', async () => {
    const base = Array.from({ length: 20 }, (_, index) => `V${index}: x`).join(', ')
    const servers = Array.from(
      { length: 1000 },
      (_, index) => `  s${index}: { <<: *base, title: "${index}" }`,
    )
    const text = `version: 1\nx-base: &base { command: x, environment: { ${base} } }\nservers:\n${servers.join('\n')}`
    const result = await read(text)
    expect(findings(result)).toEqual([])
    expect(result.spec?.servers).toHaveLength(1000)
  })
})

it('A key that stands twice is told with both places', async () => {
  const [finding] = (await read(inSpec('version: 1'))).diagnostics
  expect(finding?.related).toMatchObject([{ message: 'first here', span: { line: 1, column: 1, length: 7 } }])
})
