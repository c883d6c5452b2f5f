import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileSyntax } from '../../../src/compile/installed-file.ts'
import { parseJson } from '../../../src/install/edit/json.ts'
import { documentOf, independentValue, lenientJson, strictJson } from './json-support.ts'

/** The first offending stretch stands between « and ». */
const faults: Readonly<Record<string, string>> = {
  'a line comment': '{\n  «// no»\n  "a": 1 }',
  'a block comment': '{ «/* no */» "a": 1 }',
  'a comment before the value': '«// no»\n{}',
  'a comment behind the value': '{}\n«/* no */»',
  'a comma behind the last member': '{ "a": 1«,» }',
  'a comma behind the last element': '{ "a": [1«,»\n ] }',
  'a byte order mark': '«\uFEFF»{}',
  'a byte order mark in the middle': '{«\uFEFF»}',
  NaN: '{ "a": «NaN» }',
  Infinity: '[«Infinity»]',
  undefined: '[«undefined»]',
  'a number in hexadecimal': '[0«x1F»]',
  'a number with a zero before it': '[0«1»]',
  'a number with a plus sign': '[«+1»]',
  'a number without digits before the point': '[«.5»]',
  'a number without digits behind the point': '[1«.»]',
  'single quotes': '{ "a": «\'»b\' }',
  'a key in single quotes': "{ «'»a': 1 }",
  'a key without quotes': '{ «key»: 1 }',
  'two commas': '[1,«,»2]',
  'a comma alone': '[«,»]',
  'a missing comma': '{ "a": 1\n  «"»b": 2 }',
  'a missing colon': '{ "a" «1» }',
  'a missing value': '{ "a": «}»',
  'the wrong bracket': '[1«}»',
  'an end without a begin': '{}«}»',
  'two values': '{} «{»}',
  'an end too early': '{ "a": [1«»',
  'an end behind a comma': '{ "a": 1,«»',
  'an end behind a colon': '{ "a":«»',
  'a text without an end': '{ "a": «"»b }',
  'an unknown escape': '["a«\\x»"]',
  'half an escape': '["a«\\u»12"]',
  'a line end in a text': '["a«\n»"]',
  'a tab in a text': '["«\t»"]',
  'a slash alone': '{ «/» }',
  'a blank that is none in JSON': '{«\u00A0»}',
  'a form feed': '[«\f»]',
}

const lenientFaults: Readonly<Record<string, string>> = {
  'a comment without an end': '{ «/*» no }',
  'a comment whose begin is its end': '{ «/*»/ }',
  'a comment without an end at the end': '{}«/*»',
  'two commas at the end': '[1,«,»]',
  'a comma behind nothing': '{«,»}',
  'a mark behind a comment': '// a\n«\uFEFF»{}',
  'a hash': '{ «#» no\n }',
}

const deep = 10_000

describe('A file is refused, with the place, that holds', () => {
  it.each(Object.entries(faults))('%s', (_, marked) => {
    expectFault(marked, strictJson)
  })

  it.each(Object.entries(lenientFaults))('%s, where comments are allowed', (_, marked) => {
    expectFault(marked, lenientJson)
  })

  it.each([
    ['comments', '{ "a": 1, «// no»\n }'],
    ['trailingCommas', '{ "a": 1«,» // yes\n }'],
    ['byteOrderMark', '«\uFEFF»{ "a": 1, /* yes */ }'],
  ] as const)('what alone is not allowed: %s', (feature, marked) => {
    expectFault(marked, { ...lenientJson, [feature]: false })
    expect(parseJson(unmarked(marked), lenientJson)).toHaveProperty('document')
  })

  it.each([
    '['.repeat(deep),
    '{"a":'.repeat(deep),
    '['.repeat(deep) + ']'.repeat(deep),
    `${'{"a":['.repeat(deep)}1${']}'.repeat(deep)}`,
    '['.repeat(2_000_000),
  ])('values nested too deep', (text) => {
    expect(parseJson(text, strictJson)).toMatchObject({ fault: { message: /levels deep/ } })
  })
})

function expectFault(marked: string, syntax: FileSyntax) {
  const offset = marked.indexOf('«')
  const length = marked.indexOf('»') - offset - 1
  expect(parseJson(unmarked(marked), syntax)).toMatchObject({ fault: { range: { offset, length } } })
}

function unmarked(marked: string): string {
  return marked.replace(/[«»]/g, '')
}

describe('A file is read', () => {
  it('to the value that the JSON of JavaScript finds', () => {
    const text = `{"a":[1,-0.5e+3,true,false,null,"\\u00e9\\n/\\/"],"__proto__":{"x":1},"":{}}`
    const value = documentOf(text, strictJson).valueAt([])
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('as deep as a config file may be nested', () => {
    const text = '['.repeat(1_000) + ']'.repeat(1_000)
    expect(JSON.stringify(documentOf(text, strictJson).valueAt([]))).toBe(text)
  })

  it.each(['', '\n', ' \t\r\n', '\uFEFF', '// a', '/* a */\n'])('without a value: %j', (text) => {
    expect(documentOf(text).valueAt([])).toBeUndefined()
    expect(documentOf(text).valueAt(['a'])).toBeUndefined()
  })

  const unit = fc.constantFrom(
    ...'{}[]:,"\\/ntue 0123456789.-+eE\n\r\t*',
    '//',
    '/*',
    '*/',
    'true',
    'null',
    '"a"',
    '"a":',
    '\u00a0',
    '\ufeff',
    '\u0001',
  )
  const snippet = fc.string({ unit, maxLength: 14 })

  it('exactly where the JSON of JavaScript reads it', () => {
    fc.assert(
      fc.property(snippet, (text) => {
        fc.pre(!/^[ \t\r\n]*$/.test(text))
        expect('document' in parseJson(text, strictJson)).toBe(isJson(text))
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    [true, true],
    [true, false],
    [false, true],
  ])('exactly where another reader reads it: comments %s, trailing commas %s', (comments, trailingCommas) => {
    const syntax = { ...lenientJson, comments, trailingCommas }
    fc.assert(
      fc.property(snippet, (text) => {
        const value = independentValue(text, syntax)
        const parsed = parseJson(text, syntax)
        const found = 'document' in parsed ? parsed.document.valueAt([]) : undefined
        expect(JSON.stringify(found)).toBe(JSON.stringify(value))
      }),
      { numRuns: 3_000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
