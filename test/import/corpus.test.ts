import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { formIds } from '../../src/import/forms/index.ts'
import { importConfig } from '../../src/import/import.ts'
import { renderSpec } from '../../src/import/render.ts'
import { readSpec } from '../../src/spec/read.ts'
import { slice } from '../spec/support.ts'

/**
 * Files as people have them, by form. Beside each stands what must come of it, written by hand: `spec`, and in `report`
 * each finding as its code and the text that it points to, in order.
 */
const corpus = path.join(import.meta.dirname, 'corpus')
const targetIds = ['claude', 'codex', 'kimi', 'copilot', 'builtin']

interface Expected {
  /** As the user has it; by default that of the corpus, without its folder. */
  readonly file?: string
  readonly spec: unknown
  readonly report?: readonly string[]
}

const cases = formIds.flatMap((form) => {
  const folder = path.join(corpus, form)
  const names = readdirSync(folder).filter((name) => !name.endsWith('.expected.yaml'))
  return names.map((name) => ({ form, name, folder }))
})

describe('A file as people have it', () => {
  it.each(cases)(
    'of the form $form, $name, becomes this spec and this report',
    async ({ form, name, folder }) => {
      const text = readFileSync(path.join(folder, name), 'utf8')
      const expected: Expected = parse(
        readFileSync(path.join(folder, name.replace(/\.\w+$/, '.expected.yaml')), 'utf8'),
      )
      const { spec, diagnostics } = await importConfig(text, {
        file: expected.file ?? name,
        from: form,
        project: '/home/ada/notes',
        targetIds,
      })
      const report = diagnostics.map(({ code, span }) =>
        `${code} ${span === undefined ? '' : slice(text, span)}`.trim(),
      )
      expect({ spec, report }).toEqual({ spec: expected.spec, report: expected.report ?? [] })
      for (const format of ['yaml', 'json', 'toml'] as const) {
        const file = `bridle.${format}`
        const written = renderSpec(spec ?? { version: 1, servers: {} }, { format, comment: ['a comment'] })
        const read = await readSpec(written, { file, folder: '/', targetIds })
        expect(read.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
      }
    },
  )

  it('there is enough of, of every form', () => {
    expect(cases.length).toBeGreaterThanOrEqual(30)
    expect(new Set(cases.map(({ form }) => form)).size).toBe(formIds.length)
  })
})
