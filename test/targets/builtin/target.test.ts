import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/agent/config.ts'
import { compile } from '../../../src/compile/compile.ts'
import { contexts, type LiteralField } from '../../../src/compile/target.ts'
import { readSpec } from '../../../src/spec/read.ts'
import type { McpServer } from '../../../src/spec/spec.ts'
import type { SecretField } from '../../../src/spec/variable-uses.ts'
import { builtinConfig } from '../../../targets/builtin/emission.ts'
import { builtin } from '../../../targets/builtin/target.ts'
import { httpServer, stdioServer } from '../../fixtures/servers.ts'

const spec = `
version: 1
variables: { API_KEY: {}, SECRET: {}, TOKEN: {} }
servers:
  local:
    title: Local
    command: npx
    arguments: [-y, "$HOME {env:X}"]
    workingDirectory: sub
    environment: { LOG_LEVEL: warn }
    variables: { KEY: API_KEY }
    tools: { include: [search], exclude: [delete] }
    requiresConfirmation: [search]
    startupTimeoutMs: 20000
    shared: true
  remote:
    url: https://mcp.example.com/mcp
    headers: { X-Team: core é }
    headerVariables: { X-Api-Key: API_KEY }
    bearerTokenVariable: TOKEN
    toolTimeoutMs: 5000
    required: true
  warehouse:
    url: https://wh.example.com/mcp
    oauth: { clientId: bridle, clientSecretVariable: SECRET, scopes: [read] }
  off: { command: never, enabled: false }
`

const names = {
  standalone: { environment: 'API_KEY', header: 'API_KEY', token: 'TOKEN', secret: 'SECRET' },
  launch: { environment: 'BRIDLE_V1', header: 'BRIDLE_V2', token: 'BRIDLE_V3', secret: 'BRIDLE_V4' },
}

describe('the configuration of the built-in harness', () => {
  it.each(contexts)('holds everything of the spec, secrets by name, %s', async (context) => {
    const { environment, header, token, secret } = names[context]
    expect(await compileText(spec, context)).toEqual({
      version: 1,
      servers: {
        local: {
          transport: 'stdio',
          title: 'Local',
          command: 'npx',
          arguments: ['-y', '$HOME {env:X}'],
          workingDirectory: '/home/me/project/sub',
          environment: { LOG_LEVEL: 'warn' },
          variables: { KEY: environment },
          tools: { include: ['search'], exclude: ['delete'] },
          requiresConfirmation: ['search'],
          startupTimeoutMs: 20000,
          required: false,
        },
        remote: {
          transport: 'http',
          url: 'https://mcp.example.com/mcp',
          headers: { 'X-Team': 'core é' },
          headerVariables: { 'X-Api-Key': header },
          bearerTokenVariable: token,
          requiresConfirmation: false,
          toolTimeoutMs: 5000,
          required: true,
        },
        warehouse: {
          transport: 'http',
          url: 'https://wh.example.com/mcp',
          headers: {},
          headerVariables: {},
          oauth: { clientId: 'bridle', clientSecretVariable: secret, scopes: ['read'] },
          requiresConfirmation: false,
          required: false,
        },
      },
    })
  })

  it('is refused for a login, with the harnesses that can', async () => {
    const text = 'version: 1\nservers: { crm: { url: "https://crm.example.com/mcp", oauth: login } }'
    for (const context of contexts) {
      expect(await diagnose(text, context)).toMatchObject([
        { code: 'BRIDLE301', server: 'crm', help: expect.stringContaining('Claude Code or Codex') },
      ])
    }
  })

  it.each(['Accept', 'content-type', 'Mcp-Session-Id', 'HOST', 'Connection'])(
    'is refused for the header %s',
    async (name) => {
      const text = `version: 1\nservers: { crm: { url: "https://crm.example.com/mcp", headers: { ${name}: x } } }`
      expect(await diagnose(text, 'standalone')).toMatchObject([
        { code: 'BRIDLE307', server: 'crm', message: expect.stringContaining(name) },
      ])
    },
  )

  it('gives the harness every server as it was', () => {
    const json = JSON.stringify
    fc.assert(
      fc.property(fc.uniqueArray(anyServer, { selector: ({ name }) => name }), (servers) => {
        const [file] = builtin.emit(servers, 'launch', { accountVariables: [], environment: {} })
        expect(builtinConfig.safeParse(file?.document).error).toBeUndefined()
        const { servers: read = [] } = readConfig(json(file?.document), 'builtin.json')
        expect([...read].sort(byName)).toEqual([...servers].sort(byName))
      }),
    )
  })
})

describe('a text', () => {
  const lost: [string, LiteralField][] = [
    ['a\u0000b', 'header'],
    ['a\nb', 'header'],
    ['a\u007fb', 'header'],
    [' a', 'header'],
    ['a\t', 'header'],
    ['\ud800', 'header'],
    ['\udc00a', 'argument'],
    ['\udc00a', 'environment'],
  ]
  it.each(lost)('%j is refused where it could not arrive, in %s', (text, field) => {
    expect(builtin.literals.refuse(text, field)?.help).toMatch(/./)
  })

  it.each(['', 'a\tb', 'é😀', '${HOME}', '\u0085'])('%j is written as it is', (text) => {
    expect(builtin.literals.refuse(text, 'header')).toBeUndefined()
    expect(builtin.literals.encode(text, 'header')).toBe(text)
  })
})

describe('the value of a secret', () => {
  const lost: [string, SecretField][] = [
    ['canary\nb', 'header'],
    ['canary ', 'header'],
    ['canary\0', 'environment'],
    ['canary\0', 'clientSecret'],
    ['canary é', 'clientSecret'],
  ]
  it.each(lost)('%j is refused without being shown, as %s', (value, field) => {
    const refusal = builtin.secrets.refuseValue(value, field)
    expect(refusal?.help).toMatch(/./)
    expect(JSON.stringify(refusal)).not.toContain('canary')
  })

  it.each<[string, SecretField]>([
    ['"; $(id) ${HOME} é😀', 'header'],
    [' a\nb ', 'environment'],
    ['a b~!', 'clientSecret'],
  ])('%j is delivered, as %s', (value, field) => {
    expect(builtin.secrets.refuseValue(value, field)).toBeUndefined()
  })
})

describe('a launch', () => {
  it('points the program to its configuration', () => {
    const request = { arguments: ['tools'], stateFolder: '/state', servers: [], network: 'none' } as const
    expect(builtin.launch.plan(request)).toEqual({
      arguments: ['--config', '/state/builtin.json', '--log', '/state/connections.jsonl', 'tools'],
      environment: {},
    })
  })
})

const text = fc.string({ unit: 'binary', maxLength: 10 })
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,9}$/)
const map = fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true })
const variables = fc.dictionary(name, name, { maxKeys: 3, noNullPrototype: true })
const toolNames = fc.array(name, { minLength: 1, maxLength: 3 })
const common = {
  name,
  requiresConfirmation: fc.oneof(fc.boolean(), toolNames),
  required: fc.boolean(),
}
const optional = {
  title: text,
  tools: fc.record({ include: toolNames, exclude: toolNames }, { requiredKeys: [] }),
  startupTimeoutMs: fc.integer({ min: 1, max: 2_147_483_647 }),
  toolTimeoutMs: fc.integer({ min: 1, max: 2_147_483_647 }),
}
const anyStdio = fc.record(
  {
    ...common,
    ...optional,
    command: fc.string({ minLength: 1 }),
    arguments: fc.array(text),
    workingDirectory: text.map((rest) => `/${rest}`),
    environment: map,
    variables,
  },
  {
    requiredKeys: [
      'name',
      'requiresConfirmation',
      'required',
      'command',
      'arguments',
      'environment',
      'variables',
    ],
  },
)
const anyHttp = fc.record(
  {
    ...common,
    ...optional,
    headers: map,
    headerVariables: variables,
    bearerTokenVariable: name,
    oauth: fc.record({ clientId: text, clientSecretVariable: name, scopes: fc.array(name) }),
  },
  { requiredKeys: ['name', 'requiresConfirmation', 'required', 'headers', 'headerVariables'] },
)
const anyServer: fc.Arbitrary<McpServer> = fc.oneof(
  anyStdio.map((server) => ({ ...stdioServer('dump.mjs'), ...server })),
  anyHttp.map((server) => ({ ...httpServer('https://mcp.example.com/mcp'), ...server })),
)

function byName(a: McpServer, b: McpServer): number {
  return a.name < b.name ? -1 : 1
}

async function compileText(text: string, context: (typeof contexts)[number]) {
  const { spec, diagnostics } = await readText(text)
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics))
  const { emission } = compile(spec, builtin, context)
  return JSON.parse(emission?.files[0]?.text ?? 'null')
}

async function diagnose(text: string, context: (typeof contexts)[number]) {
  const { spec } = await readText(text)
  return spec && compile(spec, builtin, context).diagnostics
}

function readText(text: string) {
  return readSpec(text, { file: 'bridle.yaml', folder: '/home/me/project', targetIds: [] })
}
