import { describe, expect, it } from 'vitest'
import type { FeatureUse } from '../../../src/compile/feature.ts'
import { refusalOf } from '../../../src/compile/support.ts'
import type { Context, LoweredServer } from '../../../src/compile/target.ts'
import { mcpDocument, settingsDocument } from '../../../targets/claude/emission.ts'
import { claude } from '../../../targets/claude/target.ts'
import { http, stdio } from '../../support/servers.ts'

const settings = { accountVariables: [], environment: {} }

function emitted(servers: readonly LoweredServer[], context: Context): Record<string, unknown> {
  const documents = claude.emit(servers, context, settings)
  for (const { schema, document } of documents) expect(schema.safeParse(document).error).toBeUndefined()
  return Object.fromEntries(documents.map(({ path, document }) => [path, document]))
}

const builtIn = ['Bash', 'Edit', 'Monitor', 'NotebookEdit', 'Read', 'WebFetch', 'WebSearch', 'Write']

const entries: readonly (readonly [what: string, server: LoweredServer, entry: object])[] = [
  ['a bare stdio server', stdio(), { type: 'stdio', command: 'server', args: [] }],
  [
    'literals and variables of a stdio server',
    stdio({
      arguments: ['-x'],
      environment: { LOG: 'warn' },
      variables: { API_KEY: 'MY_KEY' },
      toolTimeoutMs: 9000,
    }),
    {
      type: 'stdio',
      command: 'server',
      args: ['-x'],
      env: { LOG: 'warn', API_KEY: '${MY_KEY}' },
      timeout: 9000,
    },
  ],
  ['a bare http server', http(), { type: 'http', url: 'https://mcp.example.com/mcp' }],
  [
    'headers, header variables and a bearer variable',
    http({
      headers: { 'X-Team': 'core' },
      headerVariables: { 'X-Key': 'KEY' },
      bearerTokenVariable: 'TOKEN',
    }),
    {
      type: 'http',
      url: 'https://mcp.example.com/mcp',
      headers: { 'X-Team': 'core', 'X-Key': '${KEY}', Authorization: 'Bearer ${TOKEN}' },
    },
  ],
]

const rules: readonly (readonly [
  what: string,
  changes: Partial<LoweredServer>,
  standalone: object,
  launch: object,
])[] = [
  ['nothing is asked or left out', {}, {}, { allow: ['mcp__s'] }],
  [
    'tools are excluded',
    { tools: { exclude: ['x.y', 'z'] } },
    { deny: ['mcp__s__x_y', 'mcp__s__z'] },
    { allow: ['mcp__s'], deny: ['mcp__s__x_y', 'mcp__s__z'] },
  ],
  [
    'some tools are included, and one of them excluded again',
    { tools: { include: ['a', 'b'], exclude: ['b'] } },
    { deny: ['mcp__s__b'] },
    { allow: ['mcp__s__a', 'mcp__s__b'], deny: ['mcp__s__b'] },
  ],
  [
    'every tool needs a confirmation',
    { requiresConfirmation: true },
    { ask: ['mcp__s'] },
    { ask: ['mcp__s'] },
  ],
  [
    'one tool needs a confirmation',
    { requiresConfirmation: ['a'] },
    { ask: ['mcp__s__a'] },
    { allow: ['mcp__s'], ask: ['mcp__s__a'] },
  ],
  [
    'an included tool needs a confirmation',
    { requiresConfirmation: ['a'], tools: { include: ['a', 'b'] } },
    { ask: ['mcp__s__a'] },
    { allow: ['mcp__s__a', 'mcp__s__b'], ask: ['mcp__s__a'] },
  ],
]

describe('what is written for Claude Code', () => {
  it.each(entries)('%s', (_, server, entry) => {
    expect(emitted([server], 'standalone')).toEqual({ '.mcp.json': { mcpServers: { [server.name]: entry } } })
  })

  it.each(rules)('the rules when %s', (_, changes, standalone, launch) => {
    const server = { ...stdio({ name: 's' }), ...changes } as LoweredServer
    const { '.claude/settings.json': project = { permissions: {} } } = emitted([server], 'standalone')
    expect(project).toEqual({ permissions: standalone })
    const { allow = [], ...rest } = launch as { allow?: string[] }
    expect(emitted([server], 'launch')['bridle-settings.json']).toEqual({
      permissions: { allow: [...builtIn, ...allow], ...rest },
    })
  })

  it('no rule of a launch lets a server run whole when some of its tools are left out or asked for', () => {
    const documents = emitted([stdio({ name: 's', tools: { include: ['a'] } })], 'launch')
    expect(JSON.stringify(documents)).not.toContain('"mcp__s"')
  })

  it('the start-up timeout is a setting of the whole process', () => {
    const servers = [stdio({ name: 'a', startupTimeoutMs: 45_000 }), http({ name: 'b' })]
    expect(emitted(servers, 'standalone')['.claude/settings.json']).toEqual({ env: { MCP_TIMEOUT: '45000' } })
    expect(emitted(servers, 'launch')['bridle-settings.json']).toMatchObject({
      env: { MCP_TIMEOUT: '45000' },
    })
  })

  it.each([
    [mcpDocument, { mcpServers: { s: { type: 'stdio', command: 'x', args: [], cwd: '/' } } }],
    [mcpDocument, { mcpServers: { s: { type: 'stdio', command: '', args: [] } } }],
    [mcpDocument, { mcpServers: { s: { type: 'http', url: 'u', timeout: 999 } } }],
    [mcpDocument, { mcpServers: { s: { url: 'u' } } }],
    [settingsDocument, { permissions: { deny: [] } }],
    [settingsDocument, { permissions: { deny: ['mcp__a.b'] } }],
    [settingsDocument, { env: { MCP_TIMEOUT: '1', OTHER: 'x' } }],
  ])('its schema is closed and knows what is skipped in silence (%#)', (schema, document) => {
    expect(schema.safeParse(document).success).toBe(false)
  })
})

function refusal(feature: FeatureUse['feature'], context: Context, ...servers: LoweredServer[]) {
  const uses = servers.map((server) => ({ feature, server, path: [] }))
  const [use] = uses
  return use && refusalOf(claude, use, uses, context)
}

describe('what Claude Code cannot honor', () => {
  it('is two different start-up timeouts', () => {
    const servers = [
      stdio({ name: 'a', startupTimeoutMs: 40_000 }),
      stdio({ name: 'b', startupTimeoutMs: 50_000 }),
    ]
    expect(refusal('startupTimeoutMs', 'launch', ...servers)?.reason).toContain('`b` sets 50000')
  })

  it('is a start-up timeout that differs, which is found without looking through all servers for each', () => {
    let looks = 0
    const uses = Array.from(
      { length: 2_000 },
      (_, index): FeatureUse => ({
        server: stdio({ name: `s${index}`, startupTimeoutMs: index === 1_000 ? 2 : 1 }),
        path: [],
        get feature() {
          looks++
          return 'startupTimeoutMs' as const
        },
      }),
    )
    const reasons = uses.map((use) => refusalOf(claude, use, uses, 'launch')?.reason)
    expect(reasons[0]).toContain('`s1000` sets 2')
    expect(reasons[1_000]).toContain('`s0` sets 1')
    expect(looks).toBeLessThan(5 * uses.length)
  })

  it('is a start-up timeout under the default in a project', () => {
    expect(refusal('startupTimeoutMs', 'standalone', stdio({ startupTimeoutMs: 29_999 }))).toBeDefined()
    expect(refusal('startupTimeoutMs', 'standalone', stdio({ startupTimeoutMs: 30_000 }))).toBeUndefined()
    expect(refusal('startupTimeoutMs', 'launch', stdio({ startupTimeoutMs: 1 }))).toBeUndefined()
  })

  it('is a tool timeout under one second', () => {
    expect(refusal('toolTimeoutMs', 'launch', stdio({ toolTimeoutMs: 999 }))).toBeDefined()
    expect(refusal('toolTimeoutMs', 'launch', stdio({ toolTimeoutMs: 1000 }))).toBeUndefined()
  })

  it.each(['Accept', 'content-type', 'MCP-Session-Id', 'Expect'])('is the header %s', (name) => {
    expect(refusal('headers', 'launch', http({ headers: { [name]: 'v' } }))?.reason).toContain(name)
    expect(refusal('headerVariables', 'launch', http({ headerVariables: { [name]: 'V' } }))).toBeDefined()
    expect(refusal('headers', 'launch', http({ headers: { [`X-${name}`]: 'v' } }))).toBeUndefined()
  })

  it('is more than 200 headers of one server, of both kinds together', () => {
    const named = (count: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${value}-${index}`, value]))
    const most = http({ headers: named(150, 'a'), headerVariables: named(50, 'B') })
    const over = http({ headers: named(150, 'a'), headerVariables: named(51, 'B') })
    expect(refusal('headers', 'launch', most)).toBeUndefined()
    expect(refusal('headers', 'launch', over)?.reason).toContain('201')
    expect(refusal('headerVariables', 'standalone', over)?.reason).toContain('201')
  })

  it('is a variable that it reads as empty', () => {
    const { refuseName } = claude.secrets
    expect(refuseName('NPM_TOKEN', 'header')?.help).toContain('bridle run')
    expect(refuseName('NPM_TOKEN', 'environment')).toBeUndefined()
    expect(refuseName('MCP_CLIENT_SECRET', 'environment')).toBeDefined()
  })
})

describe('the start of Claude Code', () => {
  const plan = claude.launch.plan({
    servers: [],
    arguments: ['a prompt', '-p'],
    stateFolder: '/home/agent/.state',
  })

  it('takes its servers and rules from the state folder alone', () => {
    expect(plan.arguments).toEqual([
      '--mcp-config=/home/agent/.state/bridle-mcp.json',
      '--settings=/home/agent/.state/bridle-settings.json',
      '--setting-sources=',
      '--add-dir=.',
      '--permission-mode=dontAsk',
      '--strict-mcp-config',
      '--debug-file=/home/agent/.state/bridle-debug.log',
      'a prompt',
      '-p',
    ])
    expect(plan.environment).toMatchObject({ CLAUDE_CONFIG_DIR: '/home/agent/.state' })
  })

  it('never sets the name on which the encoding of literals relies', () => {
    expect(plan.environment).not.toHaveProperty('BRIDLE_U')
  })
})
