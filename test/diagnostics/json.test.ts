import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codes, isCode } from '../../src/diagnostics/codes.ts'
import { diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { renderJson } from '../../src/diagnostics/json.ts'
import { diagnosticsJsonSchema, diagnosticsSchema } from '../../src/diagnostics/json-schema.ts'

const span = { file: 'bridle.yaml', line: 1, column: 1, length: 0 }
const full = diagnostic('BRIDLE211', 'error', 'A "message".', {
  span,
  related: [{ message: 'the other one', span }],
  target: 'codex',
  server: 's',
  help: 'A way out.',
})

describe('The JSON of diagnostics', () => {
  it('is a document with a version, the findings and their number', () => {
    const note = diagnostic('BRIDLE302', 'note', 'Only with bridle run.')
    expect(JSON.parse(renderJson([full, note]))).toEqual({
      version: 1,
      diagnostics: [full, note],
      summary: { errors: 1, warnings: 0, notes: 1 },
    })
  })

  it('is a document also when there are none', () => {
    expect(renderJson([])).toMatch(/^\{[\s\S]*"diagnostics": \[\][\s\S]*\}\n$/)
  })

  it('matches its schema, for every code', () => {
    const everything = Object.keys(codes)
      .filter(isCode)
      .map((code) => ({ ...full, code }))
    expect(diagnosticsSchema.safeParse(JSON.parse(renderJson(everything)))).toMatchObject({ success: true })
  })

  it('has a schema that is checked in', () => {
    expect(JSON.parse(readFileSync('schemas/diagnostics.schema.json', 'utf8'))).toEqual(
      diagnosticsJsonSchema(),
    )
  })
})
