import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { stringify as stringifyToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Spec } from '../../src/spec/spec.ts'
import { starterSpec, starterToml } from '../../src/spec/starter.ts'
import { anyValue, literal, specValue } from './arbitrary.ts'
import { findings, read } from './support.ts'

const toJson = (value: unknown) => JSON.stringify(value, null, 2)
/** Without block texts: yaml 2.9.1 writes a blank and a line feed as one that it reads as a line feed. */
const toToml = (value: object) => stringifyToml(value)
const toYaml = (value: unknown) => stringify(value, { aliasDuplicateObjects: false, blockQuote: false })

/** TOML has no null, nor half a surrogate pair. */
function isTomlValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object') return true
  return value !== null && Object.entries(value).flat().every(isTomlValue)
}

/** What a spec says, without where it came from. */
function meaning(spec: Spec | undefined): object | undefined {
  if (spec === undefined) return undefined
  const { source: _, ...rest } = spec
  return rest
}

const whole = {
  version: 1,
  variables: { A: {}, B: { env: 'OTHER' } },
  servers: {
    one: {
      title: 'One',
      command: 'npx',
      arguments: ['-y', { verbatim: '${x}' }],
      workingDirectory: 'sub',
      environment: { L: 'warn', V: { verbatim: '${y}' } },
      variables: ['A'],
      tools: { include: ['a'], exclude: ['b'] },
      requiresConfirmation: ['a'],
      startupTimeoutMs: 1,
      toolTimeoutMs: 2,
      shared: true,
      required: true,
      enabled: false,
    },
    two: {
      url: 'https://h/mcp',
      headers: { X: { verbatim: '${z}' } },
      headerVariables: { Y: 'A' },
      oauth: { clientId: 'c', clientSecretVariable: 'B', scopes: ['s'] },
    },
    three: { url: 'https://h/', bearerTokenVariable: 'A' },
    four: { command: 'x', variables: { NAME: 'A' } },
  },
  targets: {
    codex: { servers: { exclude: ['one'] }, omit: ['toolTimeoutMs'] },
    claude: { account: { variables: ['A'] }, environment: { U: 'x' } },
  },
}

describe('Reading', () => {
  it('gives each field one form, with the defaults filled in', async () => {
    const none = { requiresConfirmation: false, required: false, enabled: true }
    const { spec } = await read(toJson(whole), 'bridle.json')
    expect(meaning(spec)).toStrictEqual({
      variables: { A: { kind: 'environment', name: 'A' }, B: { kind: 'environment', name: 'OTHER' } },
      servers: [
        {
          ...whole.servers.one,
          name: 'one',
          transport: 'stdio',
          arguments: ['-y', '${x}'],
          environment: { L: 'warn', V: '${y}' },
          variables: { A: 'A' },
        },
        { name: 'two', transport: 'http', ...none, ...whole.servers.two, headers: { X: '${z}' } },
        {
          name: 'three',
          transport: 'http',
          ...none,
          headers: {},
          headerVariables: {},
          ...whole.servers.three,
        },
        { name: 'four', transport: 'stdio', ...none, arguments: [], environment: {}, ...whole.servers.four },
      ],
      targets: {
        codex: {
          servers: { exclude: ['one'] },
          omit: ['toolTimeoutMs'],
          accountVariables: [],
          environment: {},
        },
        claude: { omit: [], accountVariables: ['A'], environment: { U: 'x' } },
      },
    })
  })

  it('finds the same in YAML, JSON and TOML', async () => {
    await fc.assert(
      fc.asyncProperty(specValue, async (value) => {
        const json = await read(toJson(value), 'bridle.json')
        const yaml = await read(toYaml(value))
        const toml = await read(toToml(value), 'bridle.toml')
        // Any text is legal, though not every one is likely: those are warned of.
        const isError = ({ severity }: { severity: string }) => severity === 'error'
        expect([...json.diagnostics, ...yaml.diagnostics, ...toml.diagnostics].filter(isError)).toEqual([])
        expect(meaning(yaml.spec)).toStrictEqual(meaning(json.spec))
        expect(meaning(toml.spec)).toEqual(meaning(json.spec))
      }),
    )
  })

  it('keeps every literal as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(literal), async (texts) => {
        const value = { version: 1, servers: { s: { command: 'x', arguments: texts } } }
        const results = [
          await read(toJson(value), 'bridle.json'),
          await read(toYaml(value)),
          ...(texts.every((text) => text.isWellFormed()) ? [await read(toToml(value), 'bridle.toml')] : []),
        ]
        for (const result of results) {
          expect(result.spec?.servers).toMatchObject([{ arguments: texts }])
        }
      }),
    )
  })

  it('finds the same codes in YAML, JSON and TOML of a faulty value', async () => {
    const codes = async (text: string, file: string) =>
      (await read(text, file)).diagnostics.map(({ code }) => code).sort()
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        const inJson = await codes(toJson(plain), 'bridle.json')
        expect(await codes(toYaml(plain), 'bridle.yaml')).toEqual(inJson)
        const isEmptyToml = Object.keys(plain).length === 0
        if (!isEmptyToml && isTomlValue(plain))
          expect(await codes(toToml(plain), 'bridle.toml')).toEqual(inJson)
      }),
    )
  })

  it.each(['bridle.yaml', 'bridle.json', 'bridle.toml'])(
    'takes a mutilated %s without a throw',
    async (file) => {
      const texts: Readonly<Record<string, string>> = {
        'bridle.yaml': `${starterSpec}\n${toYaml({ 'x-more': whole })}`,
        'bridle.json': toJson(whole),
        'bridle.toml': toToml(whole),
      }
      const text = texts[file] ?? ''
      const cut = fc.tuple(fc.nat(text.length), fc.nat(40), fc.string({ unit: 'binary', maxLength: 4 }))
      await fc.assert(
        fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 4 }), async (cuts) => {
          const mutilated = cuts.reduce(
            (current, [offset, length, insert]) =>
              current.slice(0, offset) + insert + current.slice(offset + length),
            text,
          )
          const { spec, diagnostics, source } = await read(mutilated, file)
          expect(spec !== undefined || diagnostics.length > 0).toBe(true)
          for (const { span } of diagnostics)
            expect(span?.line).toBeLessThanOrEqual(source.text.split(/\r\n?|\n/).length)
        }),
        { numRuns: 300 },
      )
    },
  )

  it.each(['bridle.yaml', 'bridle.json', 'bridle.toml'])(
    'takes any text as %s without a throw',
    async (file) => {
      const unit = fc.constantFrom(
        ...'{}[]:,-?&*!|>\'"%@`#~<=\\ \t\n\ra1\0\uFEFF\uD800é',
        '<<: ',
        'version: 1\n',
        'version = 1\n',
        '[servers.a]\n',
        '"""',
        '&a ',
        '*a',
      )
      await fc.assert(
        fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (text) => {
          await read(text, file)
        }),
        { numRuns: 500 },
      )
    },
  )

  it('counts neither a byte order mark nor carriage returns as columns', async () => {
    const text = '\uFEFFversion: 1\r\nservers:\r\n  s: { command: 5 }\r\n'
    const [finding] = (await read(text)).diagnostics
    expect(finding?.span).toMatchObject({ line: 3, column: 17, length: 1 })
    const { diagnostics } = await read('\uFEFF{ "versions": 1 }', 'bridle.json')
    expect(diagnostics.map(({ span }) => span?.column)).toContain(3)
  })

  it('counts columns in UTF-16 code units', async () => {
    const [finding] = (await read('version: 1\nservers: { s: { title: "😀é", command: 5 } }')).diagnostics
    expect(finding?.span).toMatchObject({ line: 2, column: 40, length: 1 })
  })
})

describe('The cases from the field', () => {
  const caseSpec = (value: object) => toJson({ version: 1, servers: { s: { command: 'node', ...value } } })

  it('refuses texts with `${`, names the ways out, and takes them when they are verbatim (case 03)', async () => {
    const argument = "console.log('${HOME} $USER {env:HOME} %PATH%')"
    const refused = await read(
      caseSpec({ arguments: ['-e', argument], environment: { TEMPLATE: 'Hello ${name}', PRICE: '$$5' } }),
      'bridle.json',
    )
    expect(findings(refused)).toEqual([`BRIDLE207 "${argument}"`, 'BRIDLE207 "Hello ${name}"'])
    for (const { help } of refused.diagnostics) expect(help).toMatch(/`variables`.*verbatim/)

    const { spec } = await read(
      caseSpec({
        arguments: ['-e', { verbatim: argument }],
        environment: { TEMPLATE: { verbatim: 'Hello ${name}' }, PRICE: '$$5' },
      }),
      'bridle.json',
    )
    expect(spec?.servers).toMatchObject([
      { arguments: ['-e', argument], environment: { TEMPLATE: 'Hello ${name}', PRICE: '$$5' } },
    ])
  })

  it('keeps the paths of Windows (case 06)', async () => {
    const value = {
      version: 1,
      servers: {
        local: {
          command: 'C:\\Users\\dev\\bin\\srv.exe',
          arguments: ['-File', "F:\\work\\x's\\new\\u.ps1"],
          environment: { APP_HOME: 'C:\\Users\\dev\\x' },
        },
      },
    }
    for (const result of [await read(toJson(value), 'bridle.json'), await read(toYaml(value))]) {
      expect(result.spec?.servers).toMatchObject([value.servers.local])
    }
  })

  it.each(['a\u0000', '\uD800', '\uDC00\uD800'])(
    'refuses what no program can receive: %j (case 06)',
    async (text) => {
      const { diagnostics } = await read(caseSpec({ arguments: [text] }), 'bridle.json')
      expect(diagnostics.map(({ code }) => code)).toEqual(['BRIDLE208'])
    },
  )
})

describe('The starter spec', () => {
  it('has nothing wrong in it', async () => {
    const result = await read(starterSpec)
    expect(findings(result)).toEqual([])
    expect(result.spec?.servers).toHaveLength(1)
  })

  it('has nothing wrong in it when its examples are taken in', async () => {
    const text = starterSpec
      .replaceAll(/^( *)# (?=docs:| {2}url| {2}bearer|DOCS_TOKEN|claude)/gm, '$1')
      .replace('ANTHROPIC_API_KEY', 'DOCS_TOKEN')
    const result = await read(text)
    expect(findings(result)).toEqual([])
    expect(result.spec?.servers).toHaveLength(2)
  })

  it('says the same in TOML, with its examples taken in too', async () => {
    const plain = await read(starterToml, 'bridle.toml')
    expect(findings(plain)).toEqual([])
    expect(meaning(plain.spec)).toEqual(meaning((await read(starterSpec)).spec))
    const text = starterToml
      .replaceAll(/^# (?=\[|url|bearer|DOCS_TOKEN|variables)/gm, '')
      .replace('ANTHROPIC_API_KEY', 'DOCS_TOKEN')
    const result = await read(text, 'bridle.toml')
    expect(findings(result)).toEqual([])
    expect(result.spec?.servers).toHaveLength(2)
  })

  it('points to a schema that the package brings', () => {
    for (const text of [starterSpec, starterToml]) {
      const [, schema] = /schema[= ]\.\/node_modules\/bridle\/(\S+)/.exec(text) ?? []
      expect(JSON.parse(readFileSync(schema ?? '', 'utf8'))).toMatchObject({ title: 'Bridle spec' })
    }
  })
})
