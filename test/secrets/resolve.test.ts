import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Injection } from '../../src/compile/lower.ts'
import { resolveSecrets } from '../../src/secrets/resolve.ts'
import { readSpec } from '../../src/spec/read.ts'
import type { Spec } from '../../src/spec/spec.ts'
import { builtin } from '../../targets/builtin/target.ts'
import { claude } from '../../targets/claude/target.ts'

const canary = 'canary-8a7f'

const spec = await specOf(`version: 1
variables: { ONE: {}, TWO: { env: ELSEWHERE }, constructor: {} }
servers:
  a: { command: a, variables: { KEY: ONE, OTHER: TWO, LAST: constructor } }
  b: { url: "https://b.example", headerVariables: { X-Key: ONE } }
`)

const one: Injection = injection('BRIDLE_V1', 'ONE', 'environment', ['servers', 'a', 'variables', 'KEY'])
const two = injection('BRIDLE_V2', 'TWO', 'environment', ['servers', 'a', 'variables', 'OTHER'])
const header = injection('BRIDLE_V3', 'ONE', 'header', ['servers', 'b', 'headerVariables', 'X-Key'])
const last = injection('BRIDLE_V4', 'constructor', 'environment', ['servers', 'a', 'variables', 'LAST'])

describe('resolving secrets', () => {
  it('finds each value under the name in the environment that the spec gives it', () => {
    const { values, diagnostics } = resolveSecrets(spec, builtin, [one, two], {
      ONE: '1',
      TWO: 'no',
      ELSEWHERE: '2',
    })
    expect(diagnostics).toEqual([])
    expect(values).toEqual({ BRIDLE_V1: '1', BRIDLE_V2: '2' })
  })

  it.each([{}, { ONE: '' }, { one: canary }])(
    'reports a missing or empty value once, with all its uses: %o',
    (environment) => {
      const { values, diagnostics } = resolveSecrets(spec, builtin, [one, header], environment)
      expect(values).toEqual({})
      expect(diagnostics).toMatchObject([{ code: 'BRIDLE501', severity: 'error', span: { line: 2 } }])
      expect(diagnostics[0]?.related?.map(({ message, span }) => [span.line, message])).toEqual([
        [4, 'used here, by the server `a`'],
        [5, 'used here, by the server `b`'],
      ])
    },
  )

  it('reports every missing one', () => {
    const { diagnostics } = resolveSecrets(spec, builtin, [one, two, last], {})
    expect(diagnostics.map(({ code }) => code)).toEqual(['BRIDLE501', 'BRIDLE501', 'BRIDLE501'])
  })

  it('takes no property of the environment that is not a variable in it', () => {
    const { diagnostics } = resolveSecrets(spec, builtin, [last], {})
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE501' }])
  })

  it('encodes a value as the target needs it in the field where it is used', () => {
    const value = `${canary}\${NAME}`
    const { values } = resolveSecrets(spec, claude, [one, header], { ONE: value })
    expect(values['BRIDLE_V1']).toBe(value)
    expect(values['BRIDLE_V3']).toBe(claude.secrets.encodeValue(value, 'header'))
    expect(values['BRIDLE_V3']).not.toBe(value)
  })

  const refused: { name: string; value: string; at: Injection; reason: RegExp }[] = [
    {
      name: 'a line break in a header',
      value: `${canary}\n`,
      at: header,
      reason: /control character .* cannot stand in a header/,
    },
    { name: 'bytes that are not UTF-8', value: `${canary}\uFFFD`, at: one, reason: /not UTF-8/ },
    { name: 'more than 128 KiB', value: canary.padEnd(131_072), at: one, reason: /128 KiB/ },
  ]
  it.each(refused)('refuses $name, without a word of the value', ({ value, at, reason }) => {
    const { diagnostics } = resolveSecrets(spec, claude, [at], { ONE: value })
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE502', message: expect.stringMatching(reason) }])
    expect(diagnostics[0]?.span?.line).toBe(at === header ? 5 : 4)
    expect(JSON.stringify(diagnostics)).not.toContain(canary)
  })

  it('refuses exactly the lengths that Linux does, with the longest name under which the value will stand', () => {
    // `BRIDLE_V1=` and the closing NUL count; `KEY` in the server is shorter.
    const most = 131_072 - 'BRIDLE_V1=\0'.length
    const codesFor = (length: number) =>
      resolveSecrets(spec, builtin, [one], { ONE: 'x'.repeat(length) }).diagnostics.map(({ code }) => code)
    expect(codesFor(most)).toEqual([])
    expect(codesFor(most + 1)).toEqual(['BRIDLE502'])
  })

  it('never shows a value', () => {
    const value = fc.string({ unit: 'binary', minLength: 1 }).map((text) => `${canary}${text}${canary}`)
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(one, header),
        fc.constantFrom(builtin, claude),
        (text, at, target) => {
          expect(JSON.stringify(resolveSecrets(spec, target, [at], { ONE: text }).diagnostics)).not.toContain(
            canary,
          )
        },
      ),
    )
  })
})

function injection(name: string, variable: string, field: Injection['field'], path: string[]): Injection {
  return { name, variable, field, paths: [path] }
}

async function specOf(text: string): Promise<Spec> {
  const { spec } = await readSpec(text, { file: 'bridle.yaml', folder: '/project', targetIds: [] })
  if (spec === undefined) throw new Error('the spec of this test is wrong')
  return spec
}
