import toml from '@iarna/toml'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonObject, serialize } from '../../../src/compile/serialize.ts'
import type { Context, EmitSettings, LoweredServer } from '../../../src/compile/target.ts'
import { noSettings } from '../../../src/spec/spec.ts'
import { emit } from '../../../targets/codex/emission.ts'
import { http, stdio } from '../../support/servers.ts'

const entries: readonly [string, LoweredServer, JsonObject][] = [
  ['a bare stdio server', stdio(), { command: 'server' }],
  [
    'every field of a stdio server',
    stdio({
      arguments: ['-y', '$HOME'],
      environment: { LEVEL: 'warn' },
      variables: { API_KEY: 'API_KEY', OTHER: 'OTHER' },
      workingDirectory: '/project/sub',
      tools: { include: ['get'], exclude: ['delete'] },
      startupTimeoutMs: 20_001,
      toolTimeoutMs: 1,
      required: true,
    }),
    {
      command: 'server',
      args: ['-y', '$HOME'],
      env: { LEVEL: 'warn' },
      env_vars: ['API_KEY', 'OTHER'],
      cwd: '/project/sub',
      required: true,
      startup_timeout_sec: 20.001,
      tool_timeout_sec: 0.001,
      enabled_tools: ['get'],
      disabled_tools: ['delete'],
    },
  ],
  [
    'every field of an http server',
    http({
      headers: { 'X-Team': 'core' },
      headerVariables: { 'X-Key': 'KEY' },
      bearerTokenVariable: 'TOKEN',
    }),
    {
      url: 'https://mcp.example.com/mcp',
      http_headers: { 'X-Team': 'core' },
      env_http_headers: { 'X-Key': 'KEY' },
      bearer_token_env_var: 'TOKEN',
    },
  ],
  ['a login, which Codex keeps elsewhere', http({ oauth: 'login' }), { url: 'https://mcp.example.com/mcp' }],
  [
    'a confirmation of every tool',
    stdio({ requiresConfirmation: true }),
    { command: 'server', default_tools_approval_mode: 'prompt' },
  ],
  [
    'a confirmation of single tools',
    stdio({ requiresConfirmation: ['drop', 'a.b'] }),
    { command: 'server', tools: { drop: { approval_mode: 'prompt' }, 'a.b': { approval_mode: 'prompt' } } },
  ],
]

describe('a standalone emission', () => {
  test.each(entries)('writes %s', (_, server, entry) => {
    expect(documentOf([server])).toEqual({ mcp_servers: { [server.name]: entry } })
  })

  test('holds the servers and nothing else', () => {
    expect(documentOf([], 'standalone', { ...noSettings, accountVariables: ['KEY'] })).toEqual({
      mcp_servers: {},
    })
  })
})

describe('the emission of a launch', () => {
  test('requires every server and approves it beforehand', () => {
    expect(documentOf([stdio(), http()], 'launch').mcp_servers).toEqual({
      local: { command: 'server', required: true, default_tools_approval_mode: 'approve' },
      remote: { url: 'https://mcp.example.com/mcp', required: true, default_tools_approval_mode: 'approve' },
    })
  })

  test('names the key of the account and never holds it', () => {
    expect(documentOf([], 'launch', { accountVariables: ['A_KEY', 'B_KEY'], environment: {} })).toMatchObject(
      {
        model_provider: 'bridle',
        model_providers: {
          bridle: { base_url: 'https://api.openai.com/v1', wire_api: 'responses', env_key: 'A_KEY' },
        },
      },
    )
  })

  test('takes the base URL from the literals of the target, with a key or without', () => {
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' }
    const provider = { name: 'Bridle', base_url: 'http://127.0.0.1:8080/v1', wire_api: 'responses' }
    expect(documentOf([], 'launch', { accountVariables: [], environment })).toMatchObject({
      model_providers: { bridle: provider },
    })
    expect(documentOf([], 'launch', { accountVariables: ['KEY'], environment })).toMatchObject({
      model_providers: { bridle: { ...provider, env_key: 'KEY' } },
    })
  })

  test('leaves the provider to Codex when the spec gives neither', () => {
    const document = documentOf([], 'launch')
    expect(document).not.toHaveProperty('model_provider')
    expect(document).not.toHaveProperty('model_providers')
  })
})

describe('the schema', () => {
  test.each(entries)('accepts %s in both contexts', (_, server) => {
    expect(problemsOf(documentOf([server]), 'standalone')).toEqual([])
    expect(problemsOf(documentOf([server], 'launch'), 'launch')).toEqual([])
  })

  const wrong: readonly [string, JsonObject][] = [
    ['a key that Codex would ignore', { command: 'server', headers: {} }],
    ['a url beside a command', { command: 'server', url: 'https://example.com' }],
    ['a timeout of zero', { command: 'server', tool_timeout_sec: 0 }],
    ['an empty list of tools', { command: 'server', enabled_tools: [] }],
    ['a value in place of the name of a variable', { command: 'server', env_vars: ['to ken'] }],
  ]
  test.each(wrong)('refuses %s', (_, entry) => {
    expect(problemsOf({ mcp_servers: { local: entry } }, 'standalone')).not.toEqual([])
  })

  test('refuses the settings of a launch in a standalone file', () => {
    expect(problemsOf(documentOf([stdio()], 'launch'), 'standalone')).not.toEqual([])
  })
})

describe('the text of config.toml', () => {
  /** Any text that the target accepts: no NUL, no half of a surrogate pair. */
  const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', ''))
  const nasty = fc.oneof(
    text,
    fc.constantFrom(
      'C:\\Users\\dev\\new\\x',
      '\\u0041',
      '"""',
      "'''",
      '\r\n',
      '\u007f\u0001\u001b\t',
      '# no',
      ' a ',
      '',
    ),
  )
  const key = fc.stringMatching(/^[A-Za-z0-9_.-]{1,12}$/).filter((each) => each !== '__proto__')

  test('reads back as the document, whatever the literals are', () => {
    const stdioServers = fc.record({
      command: nasty.filter((each) => each !== ''),
      arguments: fc.array(nasty),
      environment: fc.dictionary(key, nasty, { noNullPrototype: true }),
    })
    const httpServers = fc.record({ headers: fc.dictionary(key, nasty, { noNullPrototype: true }) })
    fc.assert(
      fc.property(
        stdioServers,
        httpServers,
        fc.constantFrom('standalone', 'launch'),
        (local, remote, context) => {
          const document = documentOf([stdio(local), http(remote)], context)
          expect(plain(toml.parse(serialize('toml', document)))).toEqual(plain(document))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('keeps the paths of Windows (case 06)', () => {
    const server = stdio({
      command: 'C:\\Users\\dev\\bin\\srv.exe',
      arguments: ['-File', 'F:\\work\\deepseek\\start.ps1', "it's"],
      environment: { APP_HOME: 'C:\\Users\\dev\\x' },
    })
    const read = toml.parse(serialize('toml', documentOf([server])))
    expect(read).toMatchObject({
      mcp_servers: {
        local: {
          command: 'C:\\Users\\dev\\bin\\srv.exe',
          args: ['-File', 'F:\\work\\deepseek\\start.ps1', "it's"],
          env: { APP_HOME: 'C:\\Users\\dev\\x' },
        },
      },
    })
  })

  test('gives each timeout to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (milliseconds) => {
        const written = serialize('toml', documentOf([stdio({ toolTimeoutMs: milliseconds })]))
        const seconds = /^tool_timeout_sec = (.*)$/m.exec(written)?.[1] ?? ''
        expect(millisecondsOf(seconds)).toBe(String(milliseconds))
      }),
      { numRuns: 1000 },
    )
  })
})

function documentOf(
  servers: readonly LoweredServer[],
  context: Context = 'standalone',
  settings: EmitSettings = noSettings,
): JsonObject {
  const [file] = emit(servers, context, settings)
  if (file === undefined) throw new Error('nothing was emitted')
  return file.document
}

function problemsOf(document: JsonObject, context: Context): readonly unknown[] {
  const [file] = emit([], context, noSettings)
  return file?.schema.safeParse(document).error?.issues ?? []
}

/** Without the prototypes and hidden properties that the parser adds. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** A decimal number of seconds in milliseconds, by moving the point: no arithmetic that could round. */
function millisecondsOf(seconds: string): string {
  const [whole = '', fraction = ''] = seconds.split('.')
  if (!/^\d+$/.test(whole) || !/^\d{0,3}$/.test(fraction)) return seconds
  return (whole + fraction.padEnd(3, '0')).replace(/^0+/, '')
}
