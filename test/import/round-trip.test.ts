import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compile/compile.ts'
import type { Target } from '../../src/compile/target.ts'
import { importFiles } from '../../src/import/import.ts'
import { renderSpec } from '../../src/import/render.ts'
import { readSpec } from '../../src/spec/read.ts'
import type { Spec } from '../../src/spec/spec.ts'
import { claude } from '../../targets/claude/target.ts'
import { codex } from '../../targets/codex/target.ts'
import { copilot } from '../../targets/copilot/target.ts'
import { kimi } from '../../targets/kimi/target.ts'
import { literal } from '../spec/arbitrary.ts'

/** What each target can honor in files, so that nearly every generated spec compiles. */
interface Abilities {
  readonly target: Target
  /** The names under which the harness finds its documents. */
  readonly files: Readonly<Record<string, string>>
  readonly renames: boolean
  readonly headerVariables: boolean
  readonly include: boolean
  readonly confirmation: boolean
  readonly workingDirectory: boolean
  readonly startup: fc.Arbitrary<number> | undefined
}

const anyTimeout = fc.integer({ min: 1, max: 2_147_483_647 })
const cases: readonly Abilities[] = [
  {
    target: claude,
    files: { '.mcp.json': '.mcp.json', '.claude/settings.json': '.claude/settings.json' },
    renames: true,
    headerVariables: true,
    include: false,
    confirmation: true,
    workingDirectory: false,
    startup: fc.constant(45_000),
  },
  {
    target: codex,
    files: { 'config.toml': 'config.toml' },
    renames: false,
    headerVariables: true,
    include: true,
    confirmation: true,
    workingDirectory: true,
    startup: anyTimeout,
  },
  {
    target: kimi,
    files: { 'mcp.json': '.kimi-code/mcp.json' },
    renames: false,
    headerVariables: false,
    include: true,
    confirmation: false,
    workingDirectory: true,
    startup: anyTimeout,
  },
  {
    target: copilot,
    files: { 'mcp-config.json': 'mcp-config.json' },
    renames: true,
    headerVariables: true,
    include: true,
    confirmation: false,
    workingDirectory: true,
    startup: undefined,
  },
]

/** Texts that look like references to one harness or another. */
const reference = fc.constantFrom(
  '${NAME}',
  '$NAME',
  '${env:NAME}',
  '${A:-b}',
  '{env:A}',
  '%A%',
  '${',
  '$$',
  '${BRIDLE_X}',
)
const verbatim = fc
  .array(fc.oneof(reference, literal), { minLength: 1, maxLength: 3 })
  .map((parts) => ({ verbatim: parts.join('') }))
const text = fc.oneof({ arbitrary: literal, weight: 3 }, { arbitrary: verbatim, weight: 1 })
/** No header has a line break, and some harnesses send ASCII only. */
const headerText = fc.oneof(
  fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/).filter((each) => !each.includes('${')),
  reference.map((each) => ({ verbatim: each })),
)
// None of these names tells of a secret.
const environmentNames = ['LOG_LEVEL', 'MODE', 'b_2', 'Region', 'PORT']
const variableNames = ['ALPHA', 'BETA', 'GAMMA', 'DELTA']
const headerNames = ['X-Team', 'X-Region', 'x-mode']
const tools = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}([_-][a-z]{1,6})?$/), {
  minLength: 1,
  maxLength: 3,
})
const mapOf = <Value>(names: readonly string[], value: fc.Arbitrary<Value>) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), value), {
      selector: ([name]) => name.toLowerCase(),
      maxLength: 3,
    })
    .map((pairs) => Object.fromEntries(pairs))

function specFor({
  target,
  renames,
  headerVariables,
  include,
  confirmation,
  workingDirectory,
  startup,
}: Abilities) {
  const filters = include
    ? fc.oneof(
        fc.record({ include: tools }),
        fc.record({ exclude: tools }),
        fc.record({ include: tools, exclude: tools }),
      )
    : fc.record({ exclude: tools })
  const common = {
    tools: filters,
    toolTimeoutMs: fc.integer({ min: 1000, max: 2_147_483_647 }),
    required: fc.boolean(),
    title: fc.string(),
    ...(confirmation && { requiresConfirmation: fc.oneof(fc.boolean(), tools) }),
    ...(startup && { startupTimeoutMs: startup }),
  }
  const stdio = fc.record(
    {
      command: fc.oneof(literal, reference).filter((each) => each !== '' && !each.includes('${')),
      arguments: fc.array(text, { maxLength: 4 }),
      environment: mapOf(environmentNames, text),
      variables: renames
        ? mapOf(variableNames, fc.constantFrom(...variableNames))
        : fc.uniqueArray(fc.constantFrom(...variableNames), { minLength: 1, maxLength: 3 }),
      ...(workingDirectory && { workingDirectory: fc.constantFrom('.', 'a/b', '/srv/notes', 'with blanks') }),
      ...common,
    },
    { requiredKeys: ['command'] },
  )
  const http = fc.record(
    {
      url: fc.constantFrom(
        'https://a.example.com/mcp',
        'http://127.0.0.1:8080',
        'https://b.example.com/$X/{y}?a=b#c',
      ),
      headers: mapOf(headerNames, headerText),
      ...(headerVariables && {
        headerVariables: mapOf(['X-Other', 'Authorization'], fc.constantFrom(...variableNames)),
      }),
      bearerTokenVariable: fc.constantFrom(...variableNames),
      oauth: fc.constant('login'),
      ...common,
    },
    { requiredKeys: ['url'] },
  )
  return fc.record({
    version: fc.constant(1),
    variables: fc.constant(Object.fromEntries(variableNames.map((name) => [name, {}]))),
    servers: fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/), fc.oneof(stdio, http), {
      maxKeys: 3,
    }),
    targets: fc.constant({ [target.id]: {} }),
  })
}

describe.each(cases)('A spec built for $target.title, and imported again', (abilities) => {
  const { target, files } = abilities

  it('builds into the same files', async () => {
    let compiled = 0
    await fc.assert(
      fc.asyncProperty(specFor(abilities), async (value) => {
        const first = compile(await generatedSpec(value, target), target, 'standalone')
        fc.pre(first.emission !== undefined)
        compiled++
        const foreign = first.emission.files.map((file) => ({
          text: file.text,
          file: files[file.path] ?? '?',
          from: target.id,
        }))
        const { spec, leftOut, diagnostics } = await importFiles(foreign, { targetIds: [target.id] })
        expect({ leftOut, errors: diagnostics.filter(({ severity }) => severity === 'error') }).toEqual({
          leftOut: [],
          errors: [],
        })
        expect(spec).toBeDefined()
        for (const format of ['yaml', 'json', 'toml'] as const) {
          const written = renderSpec(spec ?? { version: 1, servers: {} }, { format })
          const second = compile(
            await importedSpec(written, `bridle.${format}`, target),
            target,
            'standalone',
          )
          expect(documentsOf(second)).toEqual(documentsOf(first))
        }
      }),
      { numRuns: 150 },
    )
    expect(compiled).toBeGreaterThan(75)
  })
})

/** A generated value may say two things that exclude each other; then there is nothing to prove. */
async function generatedSpec(value: unknown, target: Target): Promise<Spec> {
  const { spec } = await read(JSON.stringify(value), 'bridle.json', target)
  fc.pre(spec !== undefined)
  if (spec === undefined) throw new Error('The precondition has ended the run before.')
  return spec
}

async function importedSpec(text: string, file: string, target: Target): Promise<Spec> {
  const { spec, diagnostics } = await read(text, file, target)
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics, null, 2))
  return spec
}

function read(text: string, file: string, target: Target) {
  return readSpec(text, { file, folder: '/project', targetIds: [target.id] })
}

function documentsOf({ emission, diagnostics }: ReturnType<typeof compile>) {
  return emission?.files.map(({ path, document }) => ({ path, document })) ?? diagnostics
}
