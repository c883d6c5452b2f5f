import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../../src/compile/target.ts'
import { connections, lineFor } from '../../../targets/builtin/connections.ts'

const word = fc.record(
  {
    server: fc.constantFrom('notes', 'docs', 'crm'),
    status: fc.constantFrom('connected', 'failed', 'unused'),
    reason: fc.string({ unit: 'binary' }),
  },
  { requiredKeys: ['server', 'status'], noNullPrototype: true },
)

describe('the log of the built-in harness', () => {
  test('gives back the last word on each server', () => {
    fc.assert(
      fc.property(fc.array(word), (words: Connection[]) => {
        const last = new Map(words.map((each) => [each.server, each]))
        const expected = [...last.values()].filter(({ server }) => server !== 'crm')
        expect(connections.read(words.map(lineFor).join(''), ['notes', 'docs'])).toEqual(expected)
      }),
    )
  })

  test.each([
    'null',
    '[]',
    '{"server":1,"status":"connected"}',
    '{"server":"notes","status":"up"}',
    '{',
    'x',
  ])('tells nothing by a line that it did not write: %s', (line) => {
    expect(connections.read(`${line}\n`, ['notes'])).toEqual([])
  })
})
