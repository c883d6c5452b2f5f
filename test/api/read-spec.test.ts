import { describe, expect, it } from 'vitest'
import { check } from '../../src/api/check.ts'
import { compile } from '../../src/api/compile.ts'
import { defineSpec } from '../../src/api/define-spec.ts'
import { readSpec } from '../../src/api/read-spec.ts'
import { targets } from '../../src/api/targets.ts'
import type { SpecDefinition } from '../../src/spec/definition.ts'
import { targetIds } from '../../targets/index.ts'

const renamed = defineSpec({
  version: 1,
  variables: { TOKEN: {} },
  servers: { a: { command: 'a', arguments: [{ verbatim: '${x}' }], variables: { KEY: 'TOKEN' } } },
  targets: { codex: {}, claude: {} },
})

async function specOf(definition: SpecDefinition) {
  const { spec, diagnostics } = await readSpec(definition)
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics))
  return spec
}

describe('readSpec', () => {
  it('says what is missing when it is called from JavaScript with nothing', async () => {
    for (const nothing of [undefined, null, 5])
      await expect(readSpec(nothing as unknown as string)).rejects.toThrow(
        new TypeError('readSpec takes the text of a spec, or what defineSpec gave.'),
      )
  })

  it('reads a definition as the text of a file that says the same', async () => {
    const text = 'version: 1\nservers: { a: { command: a, arguments: [b], tools: { exclude: [c] } } }\n'
    const definition = {
      version: 1,
      servers: { a: { command: 'a', arguments: ['b'], tools: { exclude: ['c'] } } },
    } as const
    const [read, defined] = [await readSpec(text), await readSpec(definition)]
    expect(read.spec?.servers).toEqual(defined.spec?.servers)
    expect([read.source.file, defined.source.file]).toEqual(['bridle.yaml', 'bridle.json'])
    expect(read.source.folder).toBe(process.cwd())
  })

  it('finds what a type cannot say, with the place in the JSON of the definition', async () => {
    const { spec, diagnostics } = await readSpec({ version: 1, servers: { 'a b': { command: '' } } })
    expect(spec).toBeUndefined()
    expect(diagnostics.map(({ code, span }) => [code, span?.line, span?.column])).toEqual([
      ['BRIDLE205', 4, 5],
      ['BRIDLE206', 5, 18],
    ])
  })

  it.each([
    { name: 'a function', value: () => 'a' },
    { name: 'a map', value: new Map([['a', 1]]) },
    { name: 'a big integer', value: 1n },
    { name: 'a symbol', value: Symbol('a') },
    { name: 'a promise', value: Promise.resolve('a') },
  ])('leaves out nothing in silence: $name is refused', async ({ value }) => {
    const definition = { version: 1, servers: { a: { command: value } } } as unknown as SpecDefinition
    await expect(readSpec(definition)).rejects.toThrow(
      new TypeError('The value of "command" in the spec is no plain data.'),
    )
  })
})

describe('check', () => {
  it('judges the targets that the spec chooses, or those that are named', async () => {
    const spec = await specOf(renamed)
    const told = (found: ReturnType<typeof check>) => found.map(({ code, target }) => [code, target])
    expect(told(check(spec))).toEqual([
      ['BRIDLE302', 'codex'],
      ['BRIDLE408', 'kimi'],
    ])
    expect(told(check(spec, { user: true }))).toEqual([['BRIDLE302', 'codex']])
    expect(told(check(spec, { for: 'build' }))).toEqual([
      ['BRIDLE301', 'codex'],
      ['BRIDLE408', 'kimi'],
    ])
    expect(told(check(spec, { for: 'run' }))).toEqual([])
    expect(check(spec, { targets: ['builtin'] })).toEqual([])
  })
})

describe('compile', () => {
  it('gives files for the user, and for a launch on demand', async () => {
    const spec = await specOf(renamed)
    expect(compile(spec, 'codex').diagnostics).toMatchObject([{ code: 'BRIDLE301', target: 'codex' }])
    expect(compile(spec, 'claude').emission?.files.map(({ path }) => path)).toEqual(['.mcp.json'])
    expect(compile(spec, 'codex', 'launch').emission?.injections).toMatchObject([
      { name: 'BRIDLE_V1', variable: 'TOKEN' },
    ])
  })
})

describe('targets', () => {
  it('are all there is, in order', () => {
    expect(targets.map(({ id }) => id)).toEqual(targetIds)
    for (const { title, supports } of targets)
      expect([title, Object.keys(supports).length > 0]).toEqual([title, true])
  })
})
