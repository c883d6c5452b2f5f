import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formIds } from '../../src/import/forms/index.ts'
import { type ForeignFile, importConfig, importFiles } from '../../src/import/import.ts'
import { renderSpec } from '../../src/import/render.ts'
import { readSpec } from '../../src/spec/read.ts'
import { anyValue, specValue } from '../spec/arbitrary.ts'

const targetIds = ['claude', 'codex', 'kimi', 'copilot']

describe('Importing a server of the registry', () => {
  const codesOf = async (registryType: string, registryBaseUrl: string) => {
    const server = { name: 'a/b', packages: [{ registryType, registryBaseUrl, identifier: 'server' }] }
    const { diagnostics } = await importConfig(JSON.stringify(server), {
      from: 'registry',
      file: 'server.json',
      targetIds,
    })
    return diagnostics.map(({ code }) => code)
  }

  it.each([
    ['npm', ['registry', 'npmjs', 'org'], ''],
    ['npm', ['registry', 'npmjs', 'org'], '/'],
    ['pypi', ['pypi', 'org'], '/simple'],
  ])('takes a package of the public one of %s', async (type, host, path) => {
    expect(await codesOf(type, `https://${host.join('.')}${path}`)).not.toContain('BRIDLE422')
  })

  it.each(['npm', 'pypi'])(
    'leaves out a package of %s that its command would take from elsewhere',
    async (type) => {
      expect(await codesOf(type, 'https://packages.example.com')).toContain('BRIDLE422')
    },
  )
})

describe('Importing the files of Claude Code together', () => {
  const mcp = {
    file: '.mcp.json',
    text: JSON.stringify({ mcpServers: { a: { command: 'a' }, 'b.c': { command: 'b' } } }),
  }
  const settings = (value: unknown, scope: ForeignFile['scope'] = 'project'): ForeignFile => ({
    file: '.claude/settings.json',
    text: JSON.stringify(value),
    scope,
  })
  const rules: readonly (readonly [rules: unknown, servers: unknown, codes: readonly string[]])[] = [
    [
      { permissions: { deny: ['mcp__a__x', 'mcp__b_c__y'] } },
      { a: { tools: { exclude: ['x'] } }, 'b-c': { tools: { exclude: ['y'] } } },
      ['BRIDLE425'],
    ],
    [
      { permissions: { ask: ['mcp__a', 'mcp__b_c__y'] } },
      { a: { requiresConfirmation: true }, 'b-c': { requiresConfirmation: ['y'] } },
      ['BRIDLE425'],
    ],
    [{ permissions: { deny: ['mcp__a'] } }, { a: { enabled: false } }, ['BRIDLE425', 'BRIDLE429']],
    [{ permissions: { deny: ['mcp__a__*'] } }, { a: { enabled: false } }, ['BRIDLE425', 'BRIDLE429']],
    [
      { permissions: { deny: ['mcp__*'] } },
      { a: { enabled: false }, 'b-c': { enabled: false } },
      ['BRIDLE425', 'BRIDLE429', 'BRIDLE429'],
    ],
    [
      { permissions: { deny: ['mcp__*__x'] } },
      { a: { tools: { exclude: ['x'] } }, 'b-c': { tools: { exclude: ['x'] } } },
      ['BRIDLE425'],
    ],
    [{ permissions: { deny: ['mcp__a__d*'] } }, { a: undefined }, ['BRIDLE425', 'BRIDLE422']],
    [
      { permissions: { ask: ['mcp__a__x_y'] } },
      { a: { requiresConfirmation: ['x_y'] } },
      ['BRIDLE425', 'BRIDLE429'],
    ],
    [{ permissions: { deny: ['mcp__z', 'Bash', 'mcp__A__x'] } }, {}, ['BRIDLE425', 'BRIDLE421', 'BRIDLE421']],
    [{ permissions: { allow: ['mcp__a', 'Read'] } }, {}, ['BRIDLE425', 'BRIDLE421']],
    [
      { env: { MCP_TIMEOUT: '60000', OTHER: 'x' } },
      { a: { startupTimeoutMs: 60000 }, 'b-c': { startupTimeoutMs: 60000 } },
      ['BRIDLE425'],
    ],
    [{ env: { MCP_TIMEOUT: '10000' } }, {}, ['BRIDLE425', 'BRIDLE421']],
    [
      { env: { MCP_TOOL_TIMEOUT: '5000', MAX_MCP_OUTPUT_TOKENS: '1' } },
      { a: { toolTimeoutMs: 5000 }, 'b-c': { toolTimeoutMs: 5000 } },
      ['BRIDLE425', 'BRIDLE421'],
    ],
    [
      { disabledMcpjsonServers: ['a', 'z'], enableAllProjectMcpServers: true },
      { a: { enabled: false } },
      ['BRIDLE425', 'BRIDLE421', 'BRIDLE421'],
    ],
    [{ deniedMcpServers: [{ serverName: 'a' }] }, { a: { enabled: false } }, ['BRIDLE425']],
    [{ model: 'x', hooks: {}, mcpServers: { ignored: { command: 'x' } } }, {}, ['BRIDLE425', 'BRIDLE421']],
  ]

  it.each(rules)('with the settings %j gives %j', async (value, servers, codes) => {
    const { spec, diagnostics } = await importFiles([mcp, settings(value)], { targetIds })
    const expected = { a: { command: 'a' }, 'b-c': { title: 'b.c', command: 'b' } }
    const changes = Object.entries(servers as Record<string, object | undefined>)
    const merged = Object.entries(expected).flatMap(([name, server]) => {
      const change = changes.find(([each]) => each === name)
      return change !== undefined && change[1] === undefined ? [] : [[name, { ...server, ...change?.[1] }]]
    })
    expect(spec?.servers).toEqual(Object.fromEntries(merged))
    expect(diagnostics.map(({ code }) => code)).toEqual(codes)
    expect(spec?.targets).toEqual({ claude: {} })
  })

  it('takes a start-up timeout of the user as it is, and the nearer of two', async () => {
    const user = settings({ env: { MCP_TIMEOUT: '5000' } }, 'user')
    expect((await importFiles([mcp, user])).spec?.servers['a']).toMatchObject({ startupTimeoutMs: 5000 })
    const both = await importFiles([
      mcp,
      settings({ env: { MCP_TIMEOUT: '40000' } }),
      { ...user, file: '~/.claude/settings.json' },
    ])
    expect(both.spec?.servers['a']).toMatchObject({ startupTimeoutMs: 40000 })
  })

  it('lets the project win over the user, and the user’s own choice for the project over both', async () => {
    const state = {
      file: '~/.claude.json',
      text: JSON.stringify({
        mcpServers: { a: { command: 'of the user' }, u: { command: 'u' } },
        projects: { '/p': { mcpServers: { 'b.c': { command: 'local' } } } },
      }),
    }
    const { spec, diagnostics } = await importFiles([mcp, state], { project: '/p' })
    expect(Object.keys(spec?.servers ?? {})).toEqual(['b-c', 'a', 'u'])
    expect(spec?.servers).toMatchObject({
      'b-c': { command: 'local' },
      a: { command: 'a' },
      u: { command: 'u' },
    })
    expect(diagnostics.filter(({ code }) => code === 'BRIDLE426')).toMatchObject([
      { span: { file: '.mcp.json' }, related: [{ span: { file: '~/.claude.json' } }] },
      { span: { file: '~/.claude.json' }, related: [{ span: { file: '.mcp.json' } }] },
    ])
  })
})

describe('Importing the files of Codex CLI together', () => {
  it('takes a file with dates, which are none of the servers', async () => {
    const text = 'seen = 2024-05-01\n[mcp_servers.a]\ncommand = "x"\n'
    const { spec } = await importFiles([{ file: '.codex/config.toml', text }], { targetIds })
    expect(spec?.servers).toMatchObject({ a: { command: 'x' } })
  })

  it('puts both definitions of a server together, as Codex does, so that no filter is lost', async () => {
    const project = {
      file: '.codex/config.toml',
      text: '[mcp_servers.a]\nargs = ["near"]\nenv = { A = "near" }\n',
    }
    const user = {
      file: '~/.codex/config.toml',
      scope: 'user' as const,
      text: '[mcp_servers.a]\ncommand = "x"\nargs = ["far"]\nenv = { A = "far", B = "far" }\ndisabled_tools = ["drop"]\n',
    }
    const { spec, diagnostics } = await importFiles([project, user], { targetIds })
    expect(spec?.servers).toEqual({
      a: {
        command: 'x',
        arguments: ['near'],
        environment: { B: 'far', A: 'near' },
        tools: { exclude: ['drop'] },
      },
    })
    expect(diagnostics.map(({ code }) => code)).toEqual(['BRIDLE426'])
  })
})

describe('Importing any text', () => {
  it.each(formIds)(
    'of the form %s gives a spec that reads back as the same value, or says why not',
    async (from) => {
      const root =
        { codex: 'mcp_servers', vscode: 'servers', mentor: '', registry: 'packages' }[from] ?? 'mcpServers'
      const document = fc.oneof(
        anyValue,
        specValue.map(({ servers }) => ({ [root]: servers })),
        fc
          .dictionary(fc.string(), anyValue)
          .map((servers) => ({ [root]: servers, AgentToolMcpServers: { Servers: Object.values(servers) } })),
      )
      await fc.assert(
        fc.asyncProperty(document, async (value) => {
          const text = from === 'codex' ? tomlOf(value) : JSON.stringify(from === 'mentor' ? [value] : value)
          const { spec, diagnostics } = await importConfig(text, { file: 'x', from, targetIds })
          expect(spec !== undefined || diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
          expect(diagnostics.map(({ code }) => code)).not.toContain('BRIDLE428')
          if (spec === undefined) return
          const written = await Promise.all(
            (['yaml', 'json', 'toml'] as const).map((format) =>
              readSpec(renderSpec(spec, { format, comment: ['a', 'b'] }), {
                file: `bridle.${format}`,
                folder: '/',
                targetIds,
              }),
            ),
          )
          expect(
            written.map(({ diagnostics: found }) => found.filter(({ severity }) => severity === 'error')),
          ).toEqual([[], [], []])
          const [yaml, json, toml] = written.map(({ spec: read }) => read && { ...read, source: undefined })
          expect(yaml).toEqual(json)
          expect(toml).toEqual(json)
        }),
        { numRuns: 60 },
      )
    },
  )

  it.each([
    '',
    '   ',
    'null',
    '[]',
    '{',
    '{"a":1,"a":2}',
    '{"mcpServers":null}',
    '{"mcpServers":[]}',
    '\uFEFF{}',
    `${'['.repeat(3000)}`,
  ])('such as %j gives an answer with a place', async (text) => {
    const { diagnostics, spec } = await importConfig(text, { file: '.mcp.json' })
    expect(spec === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
    for (const { span } of diagnostics) expect(span?.file).toBe('.mcp.json')
  })

  it('says that there is no such form', async () => {
    const { diagnostics, spec } = await importConfig('{}', { file: 'x', from: 'windsurf' })
    expect(spec).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE420', help: expect.stringContaining('claude') }])
  })

  it('chooses only targets that there are', async () => {
    const text = '{"mcpServers":{}}'
    expect((await importConfig(text, { file: '.mcp.json' })).spec).toEqual({ version: 1, servers: {} })
    expect((await importConfig(text, { file: '.mcp.json', targetIds })).spec?.targets).toEqual({ claude: {} })
  })
})

/** JSON is TOML where keys are quoted and there is no null; enough for any value. */
function tomlOf(value: unknown): string {
  return Object.entries(value as object)
    .map(([key, each]) => `${JSON.stringify(key)} = ${inline(each)}\n`)
    .join('')
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)} = ${inline(each)}`)
      .join(', ')}}`
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(1) : '0'
  return typeof value === 'string' || typeof value === 'boolean' ? JSON.stringify(value) : '""'
}
