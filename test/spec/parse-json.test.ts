import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/spec/parse-json.ts'
import { findings, read } from './support.ts'

const wrong: Record<string, readonly [text: string, line: number, column: number]> = {
  'a comment': ['{\n  // no\n  "version": 1 }', 2, 3],
  'a block comment': ['{ /* no */ }', 1, 3],
  'a comma at the end of a mapping': ['{ "version": 1, }', 1, 17],
  'a comma at the end of a list': ['{ "x-a": [1,] }', 1, 13],
  'a missing comma': ['{ "version": 1\n  "servers": {} }', 2, 3],
  'a key without quotes': ['{ version: 1 }', 1, 3],
  'single quotes': ["{ 'version': 1 }", 1, 3],
  'a missing brace': ['{ "version": 1', 1, 1],
  'more than one value': ['{} {}', 1, 4],
  'a text without an end': ['{ "x-a": "b }', 1, 10],
  'an unknown escape': ['{ "x-a": "\\x" }', 1, 10],
  'a control character': ['{ "x-a": "\t" }', 1, 10],
  'a number that JSON does not know': ['{ "x-a": 01 }', 1, 11],
}

describe('JSON is refused, with the place, that holds', () => {
  it.each(Object.entries(wrong))('%s', async (_, [text, line, column]) => {
    const { diagnostics, spec } = await read(text, 'bridle.json')
    expect(spec).toBeUndefined()
    expect(diagnostics[0]).toMatchObject({ code: 'BRIDLE106', span: { line, column } })
  })

  it('a key twice, with both places', async () => {
    const result = await read('{ "version": 1, "servers": {}, "\\u0076ersion": 1 }', 'bridle.json')
    expect(findings(result)).toEqual(['BRIDLE107 "\\u0076ersion"'])
    expect(result.diagnostics[0]?.related).toMatchObject([{ span: { column: 3, length: 9 } }])
  })

  it.each([
    '['.repeat(50_000),
    `x${'['.repeat(50_000)}`,
    '{"a":'.repeat(50_000),
    `${'['.repeat(200)}${']'.repeat(200)}`,
  ])('values nested too deep', async (text) => {
    const { diagnostics } = await read(text, 'bridle.json')
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE106', span: { line: 1 } }])
  })

  it('exactly what the JSON of JavaScript refuses', () => {
    const unit = fc.constantFrom(
      ...'{}[]:,"\\/ntue 0123456789.-+eE\n\t',
      'true',
      'null',
      '"a"',
      '\u00a0',
      '\ufeff',
      '\u0001',
    )
    return fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 12 }), async (text) => {
        const { problems } = await parseJson(text)
        const refused = problems.some(({ code }) => code === 'BRIDLE106')
        expect(refused).toBe(!/^[ \t\r\n]*$/.test(text) && !isJson(text))
      }),
      { numRuns: 5000 },
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

it('Brackets within texts are not nesting', async () => {
  const text = JSON.stringify({
    version: 1,
    servers: { s: { command: '['.repeat(500), arguments: ['"['.repeat(500)] } },
  })
  expect(findings(await read(text, 'bridle.json'))).toEqual([])
})
