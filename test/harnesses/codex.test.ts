import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refuseArguments } from '../../targets/codex/arguments.ts'
import { codex } from '../../targets/codex/target.ts'
import { codexCommand, codexExec, makeFolder } from './support/codex.ts'
import { compiled } from './support/compiled.ts'
import { type DumpHttp, startDumpHttp } from './support/dump-http.ts'
import type { ToolCall } from './support/model.ts'
import { buildPrograms } from './support/programs.ts'

const { folder, remove } = makeFolder()
const dumpServer = { command: 'node', arguments: [`${folder}/dump-stdio.mjs`] }
let http: DumpHttp
beforeAll(async () => {
  await buildPrograms(folder, 'dump-stdio')
  http = await startDumpHttp()
})
afterAll(async () => {
  await http.close()
  remove()
})

/** config.toml as `bridle build codex` writes it. */
async function configOf(spec: object): Promise<string> {
  const { files } = await compiled(spec, codex, 'standalone')
  return files[0]?.text ?? ''
}

describe('config.toml, read back by Codex', () => {
  const spec = {
    variables: { API_KEY: {}, NPM_TOKEN: {}, X_KEY: {} },
    servers: {
      local: {
        command: 'C:\\Users\\dev\\bin\\srv.exe',
        arguments: ['-y', "$HOME \"x\" \\u0041 '''", '', 'a\r\n\tb\u0001\u007f', '漢😀'],
        workingDirectory: 'sub',
        environment: { APP_HOME: 'C:\\Users\\dev\\x', EMPTY: '' },
        variables: ['API_KEY'],
        tools: { include: ['a.b', 'get'], exclude: ['get'] },
        startupTimeoutMs: 20_001,
        toolTimeoutMs: 2_147_483_647,
        required: true,
        requiresConfirmation: ['a.b'],
      },
      'all-asked': { command: 'srv', toolTimeoutMs: 1000, requiresConfirmation: true },
      remote: {
        url: 'https://mcp.example.com/mcp?a=%20b',
        headers: { 'X-Team': 'core "x" é' },
        headerVariables: { 'X-Key': 'X_KEY' },
        bearerTokenVariable: 'NPM_TOKEN',
      },
      crm: { url: 'https://crm.example.com/mcp', oauth: 'login' },
    },
  }

  /** As `codex mcp get --json` shows it, without what is null. */
  const expected = {
    local: {
      transport: {
        type: 'stdio',
        command: 'C:\\Users\\dev\\bin\\srv.exe',
        args: spec.servers.local.arguments,
        env: spec.servers.local.environment,
        env_vars: ['API_KEY'],
        cwd: '/project/sub',
      },
      enabled_tools: ['a.b', 'get'],
      disabled_tools: ['get'],
      startup_timeout_sec: 20.001,
      tool_timeout_sec: 2147483.647,
    },
    'all-asked': {
      transport: { type: 'stdio', command: 'srv', args: [], env_vars: [] },
      tool_timeout_sec: 1,
    },
    remote: {
      transport: {
        type: 'streamable_http',
        url: 'https://mcp.example.com/mcp?a=%20b',
        bearer_token_env_var: 'NPM_TOKEN',
        http_headers: { 'X-Team': 'core "x" é' },
        env_http_headers: { 'X-Key': 'X_KEY' },
      },
    },
    crm: { transport: { type: 'streamable_http', url: 'https://crm.example.com/mcp' } },
  }

  test.each(Object.entries(expected))('holds what the spec says of %s, and no more', async (name, entry) => {
    const { status, stdout } = await codexCommand(await configOf(spec), ['mcp', 'get', name, '--json'])
    expect(status).toBe(0)
    expect(withoutNull(JSON.parse(stdout))).toEqual({ name, enabled: true, ...entry })
  })

  test('holds these servers and no other', async () => {
    const { stdout } = await codexCommand(await configOf(spec), ['mcp', 'list', '--json'])
    const names = JSON.parse(stdout).map((server: { name: string }) => server.name)
    expect(names.sort()).toEqual(Object.keys(expected).sort())
  })

  test('has no key that Codex does not know', async () => {
    const enabled = {
      ...spec,
      servers: { ...spec.servers, local: { ...spec.servers.local, required: false } },
    }
    const config = await configOf(enabled)
    expect((await codexExec(config, [])).status).toBe(0)
    const mistaken = await codexExec(
      config.replace('[mcp_servers.local]', '[mcp_servers.local]\nheaders = {}'),
      [],
    )
    expect(mistaken.status).toBe(1)
    expect(mistaken.model.requests).toEqual([])
  })
})

describe('a bearer token (case 04)', () => {
  const spec = (url: string) => ({
    variables: { DOCS_TOKEN: {} },
    servers: {
      docs: { url, headers: { 'X-Team': 'core' }, bearerTokenVariable: 'DOCS_TOKEN', required: true },
    },
  })

  test('is on every request, and only its name is in the file', async () => {
    const config = await configOf(spec(http.url))
    expect(config).not.toContain('Authorization')
    const before = http.requests.length
    const environment = { DOCS_TOKEN: 'canary "; $(id) ${HOME} é' }
    const script = [{ name: 'mcp__docs__dump' }]
    const args = ['--dangerously-bypass-approvals-and-sandbox']
    const { results } = await codexExec(config, script, { args, environment })
    expect(results).toMatchObject([{ isError: false }])
    const requests = http.requests.slice(before)
    expect(requests.length).toBeGreaterThan(3)
    for (const { headers } of requests) {
      expect(Buffer.from(headers['authorization'] ?? '', 'latin1').toString()).toBe(
        `Bearer ${environment.DOCS_TOKEN}`,
      )
      expect(headers['x-team']).toBe('core')
    }
  })

  test('that is not set stops the run before a request', async () => {
    const before = http.requests.length
    const { status, stderr } = await codexExec(await configOf(spec(http.url)), [])
    expect(status).toBe(1)
    expect(stderr).toContain('DOCS_TOKEN')
    expect(http.requests.length).toBe(before)
  })
})

describe('a fact under the target', () => {
  test('the settings and options that may be given are known to Codex', async () => {
    const settings = [
      ...['model_reasoning_effort="low"', 'model_reasoning_summary="none"', 'model_verbosity="low"'],
      ...[
        'model_context_window=100000',
        'model_auto_compact_token_limit=90000',
        'plan_mode_reasoning_effort="low"',
      ],
      ...['service_tier="flex"', 'tool_output_token_limit=1000', 'hide_agent_reasoning=true'],
      ...['show_raw_agent_reasoning=false', 'developer_instructions="be brief"', 'personality="friendly"'],
    ]
    const options = ['--color=never', '--add-dir=/srv', '-o', `${folder}/last.txt`, '-mscripted']
    const args = [...settings.flatMap((setting) => ['-c', setting]), ...options]
    expect(refuseArguments(['exec', ...args])).toEqual([])
    const { status, stderr } = await codexExec('', [], { args })
    expect(stderr).not.toMatch(/unknown|unexpected/i)
    expect(status).toBe(0)
  })

  test('servers are shown to the model under the folded names', async () => {
    const names = ['docs', 'a-b', 'mcp_x', 'mcp__z', 'mcp--y', 'codex-apps', 'mcp__mcp__q', '0']
    const servers = Object.fromEntries(names.map((name) => [name, { ...dumpServer, required: true }]))
    const { model } = await codexExec(await configOf({ servers }), [])
    const shown = model.offeredTools().filter((tool) => tool.endsWith('__dump'))
    expect(shown.sort()).toEqual(names.map((name) => `${codex.names.fold(name)}__dump`).sort())
  })

  test('a server called `codex_apps` disappears, so the name is refused', async () => {
    const { status, model } = await codexExec(
      `[mcp_servers.codex_apps]\ncommand = "node"\nargs = ["${folder}/dump-stdio.mjs"]\nrequired = true`,
      [],
    )
    expect(status).toBe(0)
    expect(model.offeredTools().filter((tool) => tool.includes('codex_apps'))).toEqual([])
    expect(codex.names.refuse('codex_apps')).toBeDefined()
  })

  test('headers that Codex writes itself do not arrive as given, so they are refused', async () => {
    const names = ['Accept', 'Content-Type', 'Content-Length', 'MCP-Protocol-Version']
    const use = (name: string) => ({
      transport: 'http' as const,
      name: 'remote',
      url: http.url,
      headers: { [name]: 'given' },
      headerVariables: {},
      requiresConfirmation: false,
      required: true,
      enabled: true,
    })
    const cell = codex.supports.headers
    for (const name of names) {
      const before = http.requests.length
      await codexExec(
        `[mcp_servers.remote]\nurl = "${http.url}"\nrequired = true\nstartup_timeout_sec = 1\nhttp_headers = { ${name} = "given" }`,
        [],
      )
      const calls = http.requests.slice(before).filter(({ method }) => method === 'POST')
      expect(calls.some(({ headers }) => headers[name.toLowerCase()] !== 'given')).toBe(true)
      const refuse = 'kind' in cell && cell.kind === 'conditional' ? cell.refuse : () => undefined
      expect(refuse({ feature: 'headers', server: use(name), path: [] }, [])).toBeDefined()
    }
  })

  const asked = (settings: readonly string[], call: ToolCall, model = 'scripted') =>
    codexExec(
      `${settings.join('\n')}\n[mcp_servers.local]\ncommand = "node"\nargs = ["${folder}/dump-stdio.mjs"]\n` +
        'required = true\ndefault_tools_approval_mode = "prompt"',
      [call],
      { args: ['-m', model] },
    )
  const extra = { name: 'mcp__local__extra' }

  test('headless, a tool that asks is refused, as a standalone file promises', async () => {
    const { results } = await asked([], extra)
    expect(results).toEqual([{ isError: true, text: expect.stringContaining('requires approval') }])
  })

  test('it is refused too when a model of Codex itself calls it from code', async () => {
    const code = 'text(await tools.mcp__local__extra({}))'
    const { results } = await asked([], { name: 'exec', input: { code } }, 'gpt-6.2-sol')
    expect(results).toEqual([{ isError: true, text: expect.stringContaining('requires approval') }])
  })

  test('with the settings of a launch it runs unasked, so a launch refuses a confirmation', async () => {
    const settings = ['approval_policy = "never"', 'sandbox_mode = "danger-full-access"']
    expect((await asked(settings, extra)).results).toEqual([{ isError: false, text: 'extra' }])
    const cell = codex.supports['requiresConfirmation.all']
    expect('launch' in cell && cell.launch.kind).toBe('unsupported')
  })
})

function withoutNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => (each === null ? undefined : each)))
}
