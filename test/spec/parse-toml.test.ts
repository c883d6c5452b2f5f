import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseToml } from '../../src/spec/parse-toml.ts'
import { tomlText } from '../toml/arbitrary.ts'
import { findings, read, slice } from './support.ts'

const readToml = (text: string) => read(text, 'bridle.toml')

/** A text, where reading stops, and a word of the help. */
const wrong: Record<string, readonly [text: string, line: number, column: number, help?: RegExp]> = {
  'a text without quotes': ['[servers.a]\ncommand = npx', 2, 11, /in quotes/],
  'a value that is missing': ['version =\n', 1, 10, /in quotes/],
  'a key without a value': ['version\n', 1, 8, /key = "value"/],
  'a colon in place of the equals sign': ['version: 1', 1, 8, /key = "value"/],
  'a line without a key': ['version = 1\n= 2', 2, 1, /key = "value"/],
  'a header without an end': ['[servers.a\ncommand = "x"', 1, 11],
  'a header without a name': ['[]', 1, 2, /\[name\]/],
  'two pairs on one line': ['version = 1 servers = {}', 1, 13, /line of their own/],
  'a list without an end': ['version = 1\nx-a = [1,\n2', 2, 7],
  'a list without a comma': ['x-a = [1 2]', 1, 10],
  'an inline table without an end': ['x-a = { b = 1', 1, 7],
  'a text without an end': ['x-a = "b\nversion = 1', 1, 7, /closing quote/],
  'a long text without an end': ['version = 1\nx-a = """b\n"c"\n', 2, 7],
  'a path of Windows in double quotes': ['x-a = "C:\\Users\\q"', 1, 10, /single quotes/],
  'half a surrogate pair': ['x-a = "\\ud800"', 1, 8, /single quotes/],
  'a control character': ['x-a = "\u0001"', 1, 8, /\\u0007/],
  'a control character in a comment': ['# \u0001', 1, 3],
  'a carriage return alone': ['version = 1\rx = 2', 1, 12, /CR LF/],
  'a number with a leading zero': ['version = 01', 1, 11, /digits/],
  'an integer of more than 64 bits': ['x-a = 9223372036854775808', 1, 7, /digits/],
  'a day that is not in the calendar': ['x-a = 2023-02-29', 1, 7],
}

describe('TOML is refused, with the place and the way out, that has', () => {
  it.each(Object.entries(wrong))('%s', async (_, [text, line, column, help]) => {
    const { diagnostics, spec } = await readToml(text)
    expect(spec).toBeUndefined()
    expect(diagnostics[0]).toMatchObject({ code: 'BRIDLE106', span: { line, column } })
    if (help !== undefined) expect(diagnostics[0]?.help).toMatch(help)
  })

  it('several faults, on the lines of each', async () => {
    const text = 'version = one\n[servers.a]\ncommand = npx\nurl = "x"\n[servers.b\n'
    const { diagnostics } = await readToml(text)
    expect(diagnostics.map(({ span }) => span?.line)).toEqual([1, 3, 5])
  })

  it.each([
    `x-a = ${'['.repeat(50_000)}`,
    `x-a = ${'['.repeat(200)}${']'.repeat(200)}`,
    `x-a = ${'{b='.repeat(50_000)}`,
    `x-a${'.a'.repeat(50_000)} = 1`,
    `[x-a${'.a'.repeat(50_000)}]`,
  ])('values nested too deep', async (text) => {
    const { diagnostics } = await readToml(text)
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE106', message: expect.stringMatching(/100 levels/) }])
  })
})

/** Texts with something that is defined twice: what the finding points to, and what stands there first. */
const twice: Record<string, readonly [text: string, second: string, first: string]> = {
  'a key': ['version = 1\n[servers]\n"version" = 1\n\'version\' = 2', "'version'", '"version"'],
  'a table': ['version = 1\n[servers.a]\ncommand = "x"\n[servers.a] # again\n', '[servers.a]', 'a'],
  'a key and a table': ['servers = 1\n[servers]\nversion = 1', '[servers]', 'servers'],
  'a table that a dotted key extends': ['[servers.a.tools]\n[servers]\na.command = "x"', 'a', 'a'],
  'a table below a value': ['servers = 1\n[servers.a]\nversion = 1', 'servers', 'servers'],
  'a table inside an inline table': ['servers = {}\n[servers.a]\ncommand = "x"', 'servers', 'servers'],
  'a key of an inline table': ['x-a = { b = 1, "b" = 2 }', '"b"', 'b'],
  'an array and a table': ['[[x-a]]\n[x-a]\n', '[x-a]', 'x-a'],
  'an array that is complete': ['x-a = []\n[[x-a]]\n', '[[x-a]]', 'x-a'],
}

describe('TOML is refused, with both places, that defines twice', () => {
  it.each(Object.entries(twice))('%s', async (_, [text, second, first]) => {
    const { diagnostics, spec } = await readToml(text)
    expect(spec).toBeUndefined()
    const [found] = diagnostics.filter(({ code }) => code === 'BRIDLE107')
    const [related] = found?.related ?? []
    expect([found?.span, related?.span].map((span) => span && slice(text, span))).toEqual([second, first])
  })
})

/** The same spec in three forms: the codes, and the texts to which they point in each form. */
const everyForm: Record<
  string,
  readonly [yaml: string, json: string, toml: string, found: readonly string[]]
> = {
  'a missing version': ['servers: {}', '{ "servers": {} }', '[servers]', ['BRIDLE203']],
  'an unknown key': [
    'version: 1\nservers: { a: { command: x, comand: y } }',
    '{ "version": 1, "servers": { "a": { "command": "x", "comand": "y" } } }',
    'version = 1\n[servers.a]\ncommand = "x"\ncomand = "y"',
    ['BRIDLE202 comand'],
  ],
  'a server without a command': [
    'version: 1\nservers: { a: { title: x } }',
    '{ "version": 1, "servers": { "a": { "title": "x" } } }',
    'version = 1\n[servers.a]\ntitle = "x"',
    ['BRIDLE204 a'],
  ],
  'a number for a text, and a text for a number': [
    'version: 1\nservers: { a: { command: 5, startupTimeoutMs: "5" } }',
    '{ "version": 1, "servers": { "a": { "command": 5, "startupTimeoutMs": "5" } } }',
    'version = 1\nservers.a = { command = 5, startupTimeoutMs = "5" }',
    ['BRIDLE201 5', 'BRIDLE201 "5"'],
  ],
  'numbers that are none': [
    'version: 1\nservers: { a: { command: x, startupTimeoutMs: 0.5, toolTimeoutMs: 9007199254740993 } }',
    '{ "version": 1, "servers": { "a": { "command": "x", "startupTimeoutMs": 0.5, "toolTimeoutMs": 9007199254740993 } } }',
    'version = 1\n[servers.a]\ncommand = "x"\nstartupTimeoutMs = 0.5\ntoolTimeoutMs = 9007199254740993',
    ['BRIDLE201 0.5', 'BRIDLE206 9007199254740993'],
  ],
  'a name that is none': [
    'version: 1\nservers: { __proto__: { command: x } }',
    '{ "version": 1, "servers": { "__proto__": { "command": "x" } } }',
    'version = 1\n[servers.__proto__]\ncommand = "x"',
    ['BRIDLE205 __proto__'],
  ],
  'a literal with a reference, and a variable that nobody declared': [
    'version: 1\nservers: { a: { command: x, arguments: ["${x}"], variables: [A] } }',
    '{ "version": 1, "servers": { "a": { "command": "x", "arguments": ["${x}"], "variables": ["A"] } } }',
    'version = 1\n[servers.a]\ncommand = "x"\narguments = [\n  "${x}", # a comment\n]\nvariables = ["A"]',
    ['BRIDLE207 "${x}"', 'BRIDLE209 A'],
  ],
}

describe('The same places are found in YAML, JSON and TOML of', () => {
  it.each(Object.entries(everyForm))('%s', async (_, [yaml, json, toml, expected]) => {
    const plain = (found: readonly string[]) => found.map((each) => each.replace(/ "([A-Za-z_]+)"$/, ' $1'))
    expect(plain(findings(await read(yaml)))).toEqual(expected)
    expect(plain(findings(await read(json, 'bridle.json')))).toEqual(expected)
    expect(plain(findings(await readToml(toml)))).toEqual(expected)
  })
})

describe('A spec in TOML', () => {
  it('says the same however its tables are written', async () => {
    const styles = [
      'version = 1\n[servers.a]\ncommand = "x"\nenvironment = { A = "b" }\n[servers.a.tools]\nexclude = ["t"]',
      'version = 1\n[servers.a.tools]\nexclude = ["t"]\n[servers.a.environment]\nA = "b"\n[servers.a]\ncommand = "x"',
      'version = 1\nservers.a.command = \'x\'\nservers.a.environment.A = """b"""\nservers.a.tools.exclude = ["t"]',
      'version = 1\nservers = { a = { command = "x", environment.A = "b",\n# 1.1\n tools.exclude = ["\\x74"], } }',
    ]
    for (const style of styles) {
      const result = await readToml(style)
      expect(findings(result)).toEqual([])
      expect(result.spec?.servers).toMatchObject([
        { name: 'a', command: 'x', environment: { A: 'b' }, tools: { exclude: ['t'] } },
      ])
    }
  })

  it('counts neither a byte order mark nor carriage returns as columns', async () => {
    const [finding] = (await readToml('\uFEFFversion = 1\r\n[servers.s]\r\ncommand = 5\r\n')).diagnostics
    expect(finding?.span).toMatchObject({ line: 3, column: 11, length: 1 })
  })

  it.each(['2024-05-01', '07:32', '2024-05-01 07:32:00Z'])('has no date: %s', async (date) => {
    const text = `version = 1\n[servers.a]\ncommand = "x"\nenvironment = { A = ${date} }`
    const result = await readToml(text)
    expect(findings(result)).toEqual([`BRIDLE111 ${date}`])
    expect(result.diagnostics[0]?.help).toContain(`"${date}"`)
  })

  it.each(['inf', '-nan', '+inf'])('has no timeout of %s', async (number) => {
    const result = await readToml(`version = 1\n[servers.a]\ncommand = "x"\ntoolTimeoutMs = ${number}`)
    expect(findings(result)).toEqual([`BRIDLE201 ${number}`])
  })

  it.each(['', '\n\n', '# nothing yet\n', '\uFEFF'])('that says nothing is empty: %j', async (text) => {
    expect((await readToml(text)).diagnostics).toMatchObject([
      { code: 'BRIDLE110', message: expect.stringMatching(/empty/) },
    ])
  })

  it('is helped in its own notation', async () => {
    const text = '[servers.a]\ncommand = "x"\narguments = ["${x}", 5]\ntools = "t"\n'
    const { diagnostics } = await readToml(text)
    const helps = diagnostics.map(({ help }) => help)
    expect(helps).toContain('Write `version = 1` at the top.')
    expect(helps.some((help) => help?.includes('{ verbatim = "…" }'))).toBe(true)
    expect(helps).toContain('A mapping is written { key = "value" }.')
  })

  it('has each key and value at its place', () => {
    fc.assert(
      fc.property(tomlText, (text) => {
        const { root, problems } = parseToml(text)
        expect(problems.filter(({ code }) => code !== 'BRIDLE111')).toEqual([])
        const visit = (node: typeof root) => {
          if (node?.kind === 'mapping') {
            for (const { key, value, start, end } of node.entries) {
              const raw = text.slice(start, end)
              expect(raw.startsWith('"') ? key : raw.replace(/^'|'$/g, '')).toBe(key)
              visit(value)
            }
          } else if (node?.kind === 'list') node.items.forEach(visit)
          else if (typeof node?.value === 'string') {
            expect(text.slice(node.start, node.end)).toMatch(/^(?:"[\s\S]*"|'[\s\S]*'|\d[\d:.TZ +-]*)$/)
          } else if (typeof node?.value === 'boolean') {
            expect(text.slice(node.start, node.end)).toBe(String(node.value))
          }
        }
        visit(root)
      }),
    )
  })
})
