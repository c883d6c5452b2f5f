import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { McpHttpServer } from '../../src/spec/spec.ts'
import { isReserved } from '../../targets/copilot/reserved-names.ts'
import { copilot } from '../../targets/copilot/target.ts'
import { claudeFolders, runClaude, writeFiles } from './support/claude.ts'
import { compiled } from './support/compiled.ts'
import {
  type CopilotOptions,
  copilotCommandLine,
  launchCopilot,
  runCopilot,
  serversFile,
} from './support/copilot.ts'
import { startDumpHttp } from './support/dump-http.ts'
import { digests, fingerprint } from './support/dump-server.ts'
import { useDumpServers } from './support/dump-tools.ts'
import { capitalsIn } from './support/program-names.ts'

const tools = useDumpServers()
const { dumper } = tools
const folder = mkdtempSync(path.join(tmpdir(), 'bridle-hinting-'))
const hinting = path.join(folder, 'hinting.mjs')
beforeAll(() => writeFileSync(hinting, hintingServer))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A server whose tools, given as JSON by name with their annotations, answer `ran`. */
const hintingServer = `
import { createInterface } from 'node:readline'
const tools = Object.entries(JSON.parse(process.env.TOOLS)).map(([name, annotations]) => ({
  name, annotations, inputSchema: { type: 'object' },
}))
const results = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'hinting', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'ran' }] }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (id === undefined) continue
  const error = { code: -32601, message: 'no such method' }
  const answer = results[method] ? { result: results[method]() } : { error }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}
`

const offering = (list: object, entry: object = {}) => ({
  command: process.execPath,
  arguments: [hinting],
  environment: { TOOLS: JSON.stringify(list) },
  ...entry,
})
const readOnly = { readOnlyHint: true, destructiveHint: false }
const calls = (...names: string[]) => names.map((name) => ({ name }))
const ask = (server: string, name: string) => ({ name: `${server}-fingerprint`, input: { name } })
const mcpTools = (offered: readonly string[], ...servers: string[]) =>
  offered.filter((name) => servers.some((server) => name.startsWith(`${server}-`))).sort()

describe('the file of servers', () => {
  const spec = {
    variables: { C: {}, K: {}, T: {} },
    servers: {
      bare: { command: 'node' },
      full: {
        command: 'node',
        arguments: ['-x', '', { verbatim: '${HOME}' }],
        environment: { A: '1' },
        variables: { B: 'C' },
        workingDirectory: '/srv',
        tools: { include: ['a', 'b'], exclude: ['b'] },
        toolTimeoutMs: 2_147_483_647,
      },
      rich: {
        url: 'https://mcp.example.com/mcp',
        headers: { 'X-Team': 'core' },
        headerVariables: { 'X-Key': 'K' },
        toolTimeoutMs: 1,
      },
      bearer: { url: 'https://mcp.example.com/mcp', bearerTokenVariable: 'T' },
    },
  }

  it('is read back whole: every entry, every key', async () => {
    const text = await serversFile(spec)
    const { stdout } = await copilotCommandLine(['mcp', 'list', '--json'], { user: text })
    const { mcpServers } = JSON.parse(text)
    const read = JSON.parse(stdout).mcpServers
    expect(Object.keys(read).sort()).toEqual(Object.keys(mcpServers).sort())
    for (const [name, entry] of Object.entries<object>(mcpServers)) expect(read[name]).toMatchObject(entry)
  })

  const server = { command: process.execPath, args: [hinting], env: { TOOLS: '{"t":{}}' } }
  const text = JSON.stringify({ mcpServers: { s: server } }, null, 2)
  it.each([
    ['a comment', `// mine\n${text.replace('{', '{ /* mine */')}`],
    ['a comma after the last member', text.replace(/\n\}$/, ',\n}')],
    ['a byte order mark', `\ufeff${text}`],
  ])('may have %s as the file of the user, and not as that of a project', async (_, changed) => {
    const offered = async (options: CopilotOptions) => mcpTools((await runCopilot([], options)).offered, 's')
    const project = (content: string) => ({ files: { '.mcp.json': content }, args: ['--trust-folder'] })
    expect(await offered({ user: changed })).toEqual(['s-t'])
    expect(await offered(project(text))).toEqual(['s-t'])
    expect(await offered(project(changed))).toEqual([])
    const [{ project: ofProject, user: ofUser } = {}] = copilot.files
    expect(ofProject?.syntax).toMatchObject({ comments: false, trailingCommas: false, byteOrderMark: false })
    expect(ofUser).toMatchObject({ syntax: { comments: true, trailingCommas: true, byteOrderMark: true } })
  })

  it('of a project is read with trust alone', async () => {
    const files = { '.mcp.json': await serversFile({ servers: { local: dumper() } }) }
    const without = await runCopilot([], { files })
    const trusting = await runCopilot([], { files, args: ['--trust-folder'] })
    expect(mcpTools(without.offered, 'local')).toEqual([])
    expect(mcpTools(trusting.offered, 'local')).not.toEqual([])
  })

  it('has texts that Claude Code reads as the same ones', async () => {
    const environment = { A: 'HOME', B: '$HOME is not ${HOME}', C: ' PATH ', D: 'a=b', E: '' }
    const args = ['$HOME', '${HOME}', '${NOPE:-x}', 'plain', '$5 $$']
    const servers = {
      local: dumper({
        arguments: args.map((text) => ({ verbatim: text })),
        environment: Object.fromEntries(
          Object.entries(environment).map(([key, text]) => [key, { verbatim: text }]),
        ),
      }),
    }
    const folders = claudeFolders()
    try {
      writeFiles(folders.project, { '.mcp.json': await serversFile({ servers }) })
      const script = [{ name: 'mcp__local__digest' }]
      const allow = ['--allowedTools', 'mcp__local', '--mcp-config', '.mcp.json', '--strict-mcp-config']
      const run = await runClaude(folders, script, allow, {})
      expect(run.results, run.stderr).toHaveLength(1)
      const received = JSON.parse(run.results[0]?.text ?? '')
      expect(received).toMatchObject(digests({ argv: args, env: environment }) as object)
    } finally {
      folders.dispose()
    }
  })
})

describe('secrets', () => {
  const environment = {
    A_KEY: 'canary-a-11 "$HOME" ${PATH}',
    B_KEY: ' HOME ',
    DOCS: 'canary-d-22 $HOME',
    LONG: 'x'.repeat(3000),
  }

  it('a variable arrives under the name that the server expects, and its value is in no file', async () => {
    const spec = {
      variables: { A_KEY: {}, B_KEY: {}, LONG: {} },
      servers: { local: dumper({ variables: { OPENAI_API_KEY: 'A_KEY', B_KEY: 'B_KEY', LONG: 'LONG' } }) },
    }
    const user = await serversFile(spec)
    const names = ['OPENAI_API_KEY', 'B_KEY', 'LONG']
    const { results } = await runCopilot(
      names.map((name) => ask('local', name)),
      { user, environment, args: ['--allow-tool=local'] },
    )
    expect(results).toEqual([environment.A_KEY, environment.B_KEY, environment.LONG].map(fingerprint))
    expect(user).not.toContain('canary')
  })

  it('a header and a bearer token are on every request, and only their names are in the file', async () => {
    const url = `${tools.web.url}?secrets`
    const spec = {
      variables: { A_KEY: {}, DOCS: {} },
      servers: { remote: { url, bearerTokenVariable: 'DOCS', headerVariables: { 'X-Key': 'A_KEY' } } },
    }
    const user = await serversFile(spec)
    await runCopilot([], { user, environment })
    const requests = tools.web.requests.filter(({ target }) => target === '/mcp?secrets')
    expect(requests.length).toBeGreaterThan(2)
    for (const { headers } of requests) {
      expect(headers).toMatchObject({
        authorization: `Bearer ${environment.DOCS}`,
        'x-key': environment.A_KEY,
      })
    }
    expect(user).not.toContain('canary')
  })

  it('a variable that is not set is sent as its name, which `bridle run` finds before', async () => {
    const spec = { variables: { NOPE: {} }, servers: { local: dumper({ variables: ['NOPE'] }) } }
    const { results } = await runCopilot([ask('local', 'NOPE')], {
      user: await serversFile(spec),
      args: ['--allow-tool=local'],
    })
    expect(results).toEqual([fingerprint('${NOPE}')])
  })

  it('every name of the program that Copilot keeps to itself is known', async () => {
    const without = new Set([
      ...[
        'PATH',
        'HOME',
        'LD_PRELOAD',
        'LD_LIBRARY_PATH',
        'NODE_OPTIONS',
        'BASH_ENV',
        'TOKIO_WORKER_THREADS',
      ],
      ...['GITHUB_WORKSPACE', 'COPILOT_HOME', 'COPILOT_CACHE_HOME', 'COPILOT_CLI_DIST_DIR', 'COPILOT_MODEL'],
      ...['COPILOT_CLI_EVAL_MAX_PROMPT_TOKENS', 'COPILOT_RESTART_BOOTSTRAP', 'COPILOT_SHUTDOWN_FLUSH'],
      // With a value that it does not take, or with one alone, the program ends at once.
      ...[
        'COPILOT_OFFLINE',
        'COPILOT_PROVIDER_BASE_URL',
        'COPILOT_PROVIDER_TYPE',
        'COPILOT_PROVIDER_WIRE_API',
      ],
      ...[
        'COPILOT_PROVIDER_TRANSPORT',
        'COPILOT_PROVIDER_MAX_PROMPT_TOKENS',
        'COPILOT_PROVIDER_MAX_OUTPUT_TOKENS',
      ],
      ...[
        'COPILOT_ALLOW_ALL',
        'COPILOT_CLI_VERSION',
        'COPILOT_PROVIDER_GHES_HOST',
        'COPILOT_PROVIDER_GHES_TOKEN',
      ],
      // With this one, GITHUB_TOKEN is handed on; it would hide what holds for everybody.
      'GITHUB_COPILOT_GITHUB_TOKEN',
    ])
    const names = capitalsIn().filter((name) => !without.has(name))
    expect(names.length).toBeGreaterThan(3000)
    const kept: string[] = []
    for (let start = 0; start < names.length; start += 1500) {
      kept.push(...(await keptOf(names.slice(start, start + 1500))))
    }
    expect(kept.filter((name) => !isReserved(name))).toEqual([])
    expect(kept).toContain('OPENAI_API_KEY')
  })
})

const reporter = "require('node:fs').writeFileSync(process.env.REPORT, JSON.stringify(process.argv.slice(1)))"

/** Of these variables, those whose value does not reach a server. One with which the program does not run tells nothing. */
async function keptOf(names: readonly string[]): Promise<string[]> {
  const report = path.join(folder, `${names[0]}-${names.length}.json`)
  const args = ['-e', reporter, ...names.map((name) => `\${${name}}`)]
  const entry = { command: process.execPath, args, env: { REPORT: report } }
  await runCopilot([], {
    user: JSON.stringify({ mcpServers: { local: entry } }),
    environment: Object.fromEntries(names.map((name) => [name, 'given'])),
  })
  if (existsSync(report)) {
    const received: string[] = JSON.parse(readFileSync(report, 'utf8'))
    return names.filter((_, index) => received[index] !== 'given')
  }
  const middle = names.length >> 1
  if (middle === 0) return []
  return [...(await keptOf(names.slice(0, middle))), ...(await keptOf(names.slice(middle)))]
}

describe('tools', () => {
  it('a filtered tool is not offered, and a call of it does not reach the server', async () => {
    const servers = {
      kept: dumper({ tools: { include: ['echo', 'extra'], exclude: ['extra'] } }),
      all: dumper({ tools: { exclude: ['dump', 'fingerprint', 'digest'] } }),
    }
    const script = [{ name: 'kept-extra' }, { name: 'kept-echo', input: { text: 'heard' } }]
    for (const run of [
      await launchCopilot({ servers }, script),
      await runCopilot(script, { user: await serversFile({ servers }), args: ['--allow-all-tools'] }),
    ]) {
      expect(mcpTools(run.offered, 'kept', 'all')).toEqual([
        'all-echo',
        'all-extra',
        'all-sleep',
        'kept-echo',
      ])
      expect(run.results).toEqual([expect.stringContaining('does not exist'), 'heard'])
    }
  })

  it('of two that are shown under one name, only one is offered, so both cannot be named', async () => {
    const { offered } = await launchCopilot({ servers: { s: offering({ 'a.b': {}, 'a-b': {} }) } }, [])
    expect(mcpTools(offered, 's')).toEqual(['s-a-b'])
    const tools = { include: ['a.b', 'a-b'] }
    await expect(compiled({ servers: { s: offering({}, { tools }) } }, copilot, 'launch')).rejects.toThrow(
      'BRIDLE310',
    )
  })

  it('of two that are shown under one name, the one that is left in stays, and the other is gone', async () => {
    const list = { 'a.b': {}, 'a-b': {} }
    for (const exclude of ['a.b', 'a-b']) {
      const { offered } = await launchCopilot(
        { servers: { s: offering(list, { tools: { exclude: [exclude] } }) } },
        [],
      )
      expect(mcpTools(offered, 's')).toEqual(['s-a-b'])
    }
    const none = { tools: { exclude: ['a.b', 'a-b'] } }
    expect(
      mcpTools((await launchCopilot({ servers: { s: offering(list, none) } }, [])).offered, 's'),
    ).toEqual([])
  })

  it('a tool that is called `*` cannot be included, since it means every tool', async () => {
    const { offered } = await runCopilot([], {
      user: JSON.stringify({
        mcpServers: {
          s: { command: process.execPath, args: [hinting], env: { TOOLS: '{"*":{},"b":{}}' }, tools: ['*'] },
        },
      }),
    })
    expect(mcpTools(offered, 's')).toHaveLength(2)
    const include = { tools: { include: ['*'] } }
    await expect(compiled({ servers: { s: offering({}, include) } }, copilot, 'launch')).rejects.toThrow(
      'BRIDLE307',
    )
  })

  it('two servers whose tools can meet in a name are refused: one tool is lost', async () => {
    const user = JSON.stringify({
      mcpServers: {
        a: { command: process.execPath, args: [hinting], env: { TOOLS: '{"b-c":{}}' } },
        'a-b': { command: process.execPath, args: [hinting], env: { TOOLS: '{"c":{}}' } },
      },
    })
    expect((await runCopilot([], { user })).offered.filter((name) => name === 'a-b-c')).toHaveLength(1)
    const servers = { a: offering({}), 'a-b': offering({}) }
    await expect(compiled({ servers }, copilot, 'standalone')).rejects.toThrow('BRIDLE304')
  })

  it.each(['github-mcp-server', 'githubiq'])(
    'a server that is called `%s` is dropped in a launch',
    async (name) => {
      const plan = copilot.launch.plan({ servers: [], arguments: [], stateFolder: '/nowhere' })
      const args = plan.arguments.filter((each) => each === '--disable-builtin-mcps')
      const entry = { command: process.execPath, args: [hinting], env: { TOOLS: '{"t":{}}' } }
      const { offered } = await runCopilot([], {
        user: JSON.stringify({ mcpServers: { [name]: entry } }),
        args,
      })
      expect(mcpTools(offered, name)).toEqual([])
      expect(copilot.names.refuse(name)).toBeDefined()
    },
  )
})

describe('confirmations', () => {
  const list = { look: readOnly, 'change.all': {}, touch: {} }
  const script = calls('s-look', 's-change-all', 's-touch')
  const refused = expect.stringContaining('denied')

  it('a tool that its server calls read-only runs unasked, so a file can require nothing', async () => {
    const user = await serversFile({ servers: { s: offering(list) } })
    expect((await runCopilot(script, { user })).results).toEqual(['ran', refused, refused])
    const cell = copilot.supports['requiresConfirmation.all']
    expect('standalone' in cell && cell.standalone.kind).toBe('unsupported')
  })

  it('what needs a confirmation is refused in a launch, whatever its server says of it', async () => {
    const results = async (requiresConfirmation: unknown, rest: object = {}) =>
      (await launchCopilot({ servers: { s: offering(list, { requiresConfirmation, ...rest }) } }, script))
        .results
    expect(await results(false)).toEqual(['ran', 'ran', 'ran'])
    expect(await results(true)).toEqual([refused, refused, refused])
    expect(await results(['look', 'change.all'])).toEqual([refused, refused, 'ran'])
    const hidden = expect.stringContaining('does not exist')
    expect(await results(['touch'], { tools: { exclude: ['look'] } })).toEqual([hidden, 'ran', refused])
  })

  it('a rule holds for every name that the target takes', async () => {
    const names = [
      'a.b',
      'a/b/c',
      'a b',
      'a,b',
      'a:b',
      '*',
      'a(b)',
      '()',
      '"a"',
      "'",
      '\\',
      '$HOME',
      ' a',
      '-x',
      'shell',
      'x'.repeat(58),
    ]
    const servers = Object.fromEntries(
      names.map((name, index) => [
        `s${index}`,
        offering({ [name]: readOnly }, { requiresConfirmation: [name], arguments: [hinting] }),
      ]),
    )
    const shown = (name: string) => name.replace(/[^A-Za-z0-9_-]/g, '-')
    const run = await launchCopilot(
      { servers },
      names.map((name, index) => ({ name: `s${index}-${shown(name)}` })),
    )
    expect(run.results).toEqual(names.map(() => refused))
  })

  it.each(['é', '漢字', 'x'.repeat(62)])(
    'a tool for which there is no sure rule is refused: %s',
    async (name) => {
      const servers = { s: offering({}, { requiresConfirmation: [name] }) }
      await expect(compiled({ servers }, copilot, 'launch')).rejects.toThrow('BRIDLE307')
    },
  )

  it.each(['shell', 'write'])(
    'a server that is called `%s` runs by the rule for tools of Copilot itself',
    async (name) => {
      const entry = { command: process.execPath, args: [hinting], env: { TOOLS: '{"t":{}}' } }
      const user = JSON.stringify({ mcpServers: { [name]: entry } })
      const { results } = await runCopilot(calls(`${name}-t`), { user, args: [`--allow-tool=${name}`] })
      expect(results).toEqual(['ran'])
      expect(copilot.names.refuse(name)).toBeDefined()
    },
  )
})

describe('timeouts', () => {
  it('a call and a listing that take longer than the timeout of their server fail', async () => {
    const servers = { hasty: dumper({ toolTimeoutMs: 700 }), patient: dumper({ toolTimeoutMs: 30_000 }) }
    const script = ['hasty', 'patient'].map((server) => ({ name: `${server}-sleep`, input: { ms: 1800 } }))
    const { results } = await launchCopilot({ servers }, script)
    expect(results).toEqual([expect.stringContaining('timed out'), 'slept 1800'])
  })

  it('a server has a minute to start, also with a shorter timeout', async () => {
    const slow = dumper({ environment: { DUMP_START_DELAY_MS: '2500' }, toolTimeoutMs: 700 })
    const { results } = await launchCopilot({ servers: { slow } }, calls('slow-extra'))
    expect(results).toEqual(['extra'])
    expect(copilot.supports.startupTimeoutMs).toMatchObject({ kind: 'unsupported' })
  })
})

describe('requests to a server', () => {
  it('a header that Copilot or MCP needs does not arrive as given, so it is refused', async () => {
    const names = [
      'Accept',
      'Content-Length',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Transfer-Encoding',
      'Last-Event-Id',
    ]
    const cell = copilot.supports.headers
    const refuse = 'kind' in cell && cell.kind === 'conditional' ? cell.refuse : () => undefined
    for (const name of names) {
      const url = `${tools.web.url}?own=${name}`
      const user = JSON.stringify({ mcpServers: { remote: { url, headers: { [name]: 'given' } } } })
      await runCopilot([], { user })
      const requests = tools.web.requests.filter(({ target }) => target === `/mcp?own=${name}`)
      expect(requests.every(({ headers }) => headers[name.toLowerCase()] === 'given')).toBe(false)
      const server = {
        name: 'remote',
        transport: 'http',
        headers: { [name]: 'given' },
        headerVariables: {},
      } as unknown as McpHttpServer
      expect(refuse({ feature: 'headers', server, path: [] }, [])).toBeDefined()
    }
  })

  it('a server that wants a login is offered one', async () => {
    const closed = await startDumpHttp({ token: 'none' })
    const spec = { servers: { crm: { url: closed.url, oauth: 'login' } } }
    const run = await runCopilot([], { user: await serversFile(spec) })
    await closed.close()
    expect(run.log).toContain('Browser-based OAuth required')
  })
})

describe('what a launch tells of its servers', () => {
  it('names each that connected, and each that failed with the reason', async () => {
    const closed = await startDumpHttp({ token: 'none' })
    const servers = {
      good: dumper(),
      remote: { url: tools.web.url },
      'no-tools': dumper({ tools: { include: ['none'] } }),
      absent: { command: '/nonexistent/server' },
      ends: dumper({ environment: { DUMP_EXIT: '3' } }),
      unreachable: { url: 'http://127.0.0.1:1/mcp' },
      login: { url: closed.url },
    }
    const run = await launchCopilot({ servers }, [])
    await closed.close()
    const told = copilot.launch.connections?.read(run.log, Object.keys(servers))
    const failed = (server: string) => expect.objectContaining({ server, status: 'failed' })
    expect(told).toEqual([
      { server: 'good', status: 'connected' },
      { server: 'remote', status: 'connected' },
      { server: 'no-tools', status: 'connected' },
      failed('absent'),
      failed('ends'),
      failed('unreachable'),
      failed('login'),
    ])
    expect(run.stdout).toBe('done\n\n')
  })
})

describe('a project without trust', () => {
  it('has its agents offered all the same, and such an agent starts servers of its own', async () => {
    const agent = `---\nname: reviewer\ndescription: reviews\nmcp-servers:\n  own:\n    type: local\n    command: ${process.execPath}\n    args: ['${hinting}']\n    env: { TOOLS: '{"t":{}}' }\n    tools: ['*']\n---\nReview.\n`
    const files = { '.github/agents/reviewer.md': agent }
    const { offered } = await runCopilot([], { files, args: ['--agent=reviewer'] })
    expect(mcpTools(offered, 'own')).toEqual(['own-t'])
    expect(copilot.launch.agentFiles?.folders).toContain('.github/agents')
  })

  it('has its hooks run with a variable, which a launch does not take', async () => {
    const name = 'GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS'
    const hooks = { sessionStart: [{ type: 'command', bash: 'touch "$HOME/ran"' }] }
    const files = { '.github/hooks/start.json': JSON.stringify({ version: 1, hooks }) }
    const ran = async (environment: Readonly<Record<string, string>>) => {
      const root = mkdtempSync(path.join(tmpdir(), 'bridle-copilot-hooks-'))
      try {
        await launchCopilot({ servers: {} }, [], { root, files, environment })
        return existsSync(path.join(root, 'ran'))
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    }
    expect(await ran({})).toBe(false)
    expect(await ran({ [name]: 'true' })).toBe(true)
    expect(copilot.launch.undoingNames).toContain(name)
  })
})
