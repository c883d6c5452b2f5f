import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../src/compile/support.ts'
import { contexts } from '../../src/compile/target.ts'
import { kimi } from '../../targets/kimi/target.ts'
import { http as httpServer } from '../support/servers.ts'
import { startDumpHttp } from './support/dump-http.ts'
import { fingerprint } from './support/dump-server.ts'
import { call, fingerprintOf, useDumpServers } from './support/dump-tools.ts'
import { runKimi, serversFile } from './support/kimi.ts'

const tools = useDumpServers()
const { dumper } = tools

const offeredBy = (offered: readonly string[], server: string) =>
  offered.filter((name) => name.startsWith(`mcp__${server}__`)).map((name) => name.slice(server.length + 7))

/** A server with tools of these names, each of which answers with its own. */
function serverWith(tools: readonly string[]): object {
  const script = `
const names = process.argv.slice(1)
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const results = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'named', version: '1' },
    },
    'tools/list': { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) },
    'tools/call': { content: [{ type: 'text', text: String(params?.name) }] },
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
})`
  return { command: process.execPath, arguments: ['-e', script, ...tools] }
}

describe('mcp.json, read back by Kimi Code', () => {
  it('is kept whole: every entry is started or reached', async () => {
    const url = tools.web.url
    const spec = {
      variables: { TOKEN: {} },
      servers: {
        bare: dumper(),
        full: dumper({
          arguments: ['-x', ''],
          environment: { LEVEL: 'warn' },
          workingDirectory: '/usr',
          tools: { include: ['dump', 'echo'], exclude: ['echo'] },
          startupTimeoutMs: 2_147_483_647,
          toolTimeoutMs: 2_147_483_647,
        }),
        plain: { url },
        rich: { url, headers: { 'X-Team': 'core' }, bearerTokenVariable: 'TOKEN', toolTimeoutMs: 90_000 },
        login: { url, oauth: 'login' },
      },
    }
    const run = await runKimi([], { servers: await serversFile(spec), environment: { TOKEN: 'a' } })
    expect(run.status, run.stderr).toBe(0)
    expect(kimi.launch.connections?.read(run.log, Object.keys(spec.servers))).toEqual(
      Object.keys(spec.servers).map((server) => ({ server, status: 'connected' })),
    )
    expect(offeredBy(run.offered, 'full')).toEqual(['dump'])
  })

  it('would be dropped whole for one wrong value, so it is held against a strict schema', async () => {
    const wrong = { mcpServers: { good: dumper(), bad: { command: 'node', toolTimeoutMs: 0 } } }
    const run = await runKimi([], { servers: JSON.stringify(wrong) })
    expect([run.status, run.offered]).toEqual([0, []])
    expect(run.stderr).not.toContain('toolTimeoutMs')
    expect(run.log).toContain('mcp config initial load failed')
  })

  it('would be dropped whole for a comment or a byte order mark, so it is strict JSON', async () => {
    const text = JSON.stringify({ mcpServers: { good: dumper() } })
    for (const servers of [`// a comment\n${text}`, `\ufeff${text}`]) {
      expect((await runKimi([], { servers })).offered).toEqual([])
    }
    expect(kimi.files.map(({ project }) => project?.syntax)).toMatchObject([
      { format: 'json', comments: false, byteOrderMark: false, trailingCommas: false },
    ])
  })
})

describe('variables', () => {
  it('a variable is inherited under its own name, and its value is in no file', async () => {
    const spec = { variables: { API_KEY: {} }, servers: { local: dumper({ variables: ['API_KEY'] }) } }
    const servers = await serversFile(spec)
    expect(servers).not.toContain('API_KEY')
    const value = 'canary "; $(id) ${HOME} é\n'
    const run = await runKimi([fingerprintOf('local', 'API_KEY')], {
      servers,
      environment: { API_KEY: value },
    })
    expect(run.results).toEqual([fingerprint(value)])
    expect(run.log).not.toContain('canary')
  })

  it('a bearer token is on every request, and only its name is in the file', async () => {
    const remote = { url: tools.web.url, headers: { 'X-Team': 'core' }, bearerTokenVariable: 'TOKEN' }
    const servers = await serversFile({ variables: { TOKEN: {} }, servers: { remote } })
    expect(servers).not.toContain('Bearer')
    const before = tools.web.requests.length
    const environment = { TOKEN: 'canary "; $(id) ${HOME}' }
    expect((await runKimi([call('remote__extra')], { servers, environment })).results).toEqual(['extra'])
    const requests = tools.web.requests.slice(before)
    expect(requests.length).toBeGreaterThan(3)
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ authorization: `Bearer ${environment.TOKEN}`, 'x-team': 'core' })
    }
  })

  it('a bearer token that is not set keeps its server away, without a request', async () => {
    const remote = { url: tools.web.url, bearerTokenVariable: 'TOKEN' }
    const servers = await serversFile({ variables: { TOKEN: {} }, servers: { remote } })
    const before = tools.web.requests.length
    const run = await runKimi([], { servers })
    expect([run.status, run.offered, tools.web.requests.length]).toEqual([0, [], before])
    expect(kimi.launch.connections?.read(run.log, ['remote'])).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('TOKEN') },
    ])
  })

  it('the variables of a proxy do not arrive as written, so they are refused', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy']
    const all = [...names, 'NODE_USE_ENV_PROXY']
    const value = ' http://given.example '
    const entries = all.map((name) => [
      name.replaceAll('_', '-'),
      {
        command: process.execPath,
        args: [`${tools.folder}/dump-stdio.mjs`],
        env: { [name]: value, OTHER: value },
      },
    ])
    const script = all.flatMap((name) => [
      fingerprintOf(name.replaceAll('_', '-'), name),
      fingerprintOf(name.replaceAll('_', '-'), 'OTHER'),
    ])
    const run = await runKimi(script, {
      servers: JSON.stringify({ mcpServers: Object.fromEntries(entries) }),
      environment: {
        http_proxy: 'http://127.0.0.1:9',
        https_proxy: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1',
      },
    })
    for (const [index, name] of all.entries()) {
      expect([name, run.results[2 * index]]).not.toEqual([name, fingerprint(value)])
      expect([name, run.results[2 * index + 1]]).toEqual([name, fingerprint(value)])
      expect(kimi.secrets.refuseName(name, 'environment')).toBeDefined()
    }
    expect(kimi.secrets.refuseName('PATH', 'environment')).toBeUndefined()
  })
})

describe('tools', () => {
  it('a filtered tool is not offered, and a call of it does not reach the server', async () => {
    const servers = {
      kept: dumper({ tools: { include: ['echo', 'extra'], exclude: ['extra'] } }),
      most: dumper({ tools: { exclude: ['dump', 'digest', 'fingerprint', 'sleep'] } }),
    }
    for (const context of contexts) {
      const script = [
        call('kept__extra'),
        call('kept__echo', { text: 'heard' }),
        call('most__sleep', { ms: 1 }),
      ]
      const run = await runKimi(script, { servers: await serversFile({ servers }, context) })
      expect(run.offered).toEqual(['mcp__kept__echo', 'mcp__most__echo', 'mcp__most__extra'])
      expect(run.results).toEqual([
        expect.stringContaining('not found'),
        'heard',
        expect.stringContaining('not found'),
      ])
    }
  })

  it('each server has a timeout of its own for a call', async () => {
    const servers = { hasty: dumper({ toolTimeoutMs: 300 }), patient: dumper({ toolTimeoutMs: 30_000 }) }
    const script = ['hasty', 'patient'].map((server) => call(`${server}__sleep`, { ms: 1200 }))
    const run = await runKimi(script, { servers: await serversFile({ servers }) })
    expect(run.results).toEqual([expect.stringContaining('timed out'), 'slept 1200'])
  })

  it('each server has a start-up timeout of its own', async () => {
    const environment = { DUMP_START_DELAY_MS: '2000' }
    const servers = {
      hasty: dumper({ environment, startupTimeoutMs: 300 }),
      patient: dumper({ environment, startupTimeoutMs: 30_000 }),
    }
    const run = await runKimi([], { servers: await serversFile({ servers }) })
    expect(offeredBy(run.offered, 'hasty')).toEqual([])
    expect(offeredBy(run.offered, 'patient')).toContain('dump')
  })

  it('a rule that asks or denies is ignored, so a confirmation is refused', async () => {
    const rules = ['ask', 'deny'].map(
      (decision) => `[[permission.rules]]\ndecision = "${decision}"\npattern = "mcp__local__extra"\n`,
    )
    const servers = await serversFile({ servers: { local: dumper() } })
    for (const rule of rules) {
      const config = `default_permission_mode = "manual"\n${rule}`
      expect((await runKimi([call('local__extra')], { servers, config })).results).toEqual(['extra'])
    }
    expect(kimi.supports['requiresConfirmation.all']).toMatchObject({ kind: 'unsupported' })
    expect(kimi.supports['requiresConfirmation.tools']).toMatchObject({ kind: 'unsupported' })
  })

  it('a server that fails is left out without a word, with status 0', async () => {
    const servers = await serversFile({
      servers: { bad: { command: '/nonexistent' }, ends: dumper({ environment: { DUMP_EXIT: '3' } }) },
    })
    const run = await runKimi([], { servers })
    expect([run.status, run.offered]).toEqual([0, []])
    expect(run.stderr).not.toContain('nonexistent')
    expect(kimi.launch.connections?.read(run.log, ['bad', 'ends'])).toEqual([
      { server: 'bad', status: 'failed', reason: 'spawn /nonexistent ENOENT' },
      { server: 'ends', status: 'failed', reason: 'MCP error -32000: Connection closed' },
    ])
  })
})

describe('names', () => {
  const shown = kimi.names.tools?.shown ?? ((_: string, tool: string) => tool)

  it('are shown as the target says, of servers and of tools', async () => {
    const tools = ['a.b', 'x y', 'é漢', 'UPPER', 'd__e', '_z_', '0']
    const names = ['a-b', 'x__y', '_z', 'UPPER', '0', 'n'.repeat(32)]
    const servers = Object.fromEntries(names.map((name) => [name, serverWith(tools)]))
    const run = await runKimi([], { servers: await serversFile({ servers }) })
    const expected = names.flatMap((name) => tools.map((tool) => shown(name, tool)))
    expect([...run.offered].sort()).toEqual(expected.sort())
  })

  it('of more than 64 characters are cut, told apart by a hash, and can be called and filtered', async () => {
    const [one, other, third] = ['one', 'other', 'third'].map((end) => `${'t'.repeat(80)}.${end}`)
    const server = { ...serverWith([one ?? '', other ?? '', third ?? '']), tools: { exclude: [third] } }
    const servers = await serversFile({ servers: { long: server } })
    const { offered } = await runKimi([], { servers })
    expect(offered).toHaveLength(2)
    for (const name of offered) expect(name).toMatch(/^mcp__long__t{40,}_-?[0-9a-f]{7,8}$/)
    for (const name of offered) expect(name).toHaveLength(64)
    const run = await runKimi(
      offered.map((name) => ({ name })),
      { servers },
    )
    expect([...run.results].sort()).toEqual([one, other])
  })

  it('of two tools that meet hide one of them without a word, so they are refused where the spec names both', async () => {
    const both = { both: { ...serverWith(['a.b', 'a_b']) } }
    const run = await runKimi([], { servers: await serversFile({ servers: both }) })
    expect(run.offered).toEqual(['mcp__both__a_b'])
    expect(
      run.stderr +
        run.log
          .split('\n')
          .filter((line) => line.includes(' ERROR '))
          .join(),
    ).not.toContain('a_b')
    const named = { both: { ...both.both, tools: { include: ['a.b', 'a_b'] } } }
    await expect(serversFile({ servers: named })).rejects.toThrow('BRIDLE310')
  })

  it('that meet hide each other without a word, so two such servers are refused', async () => {
    const meeting = ['a_b', 'a__b'] as const
    const servers = Object.fromEntries(meeting.map((name) => [name, { ...dumper() }]))
    const entries = Object.fromEntries(
      Object.keys(servers).map((name) => [
        name,
        { command: process.execPath, args: [`${tools.folder}/dump-stdio.mjs`], env: { WHO: name } },
      ]),
    )
    const run = await runKimi([fingerprintOf('a_b', 'WHO')], {
      servers: JSON.stringify({ mcpServers: entries }),
    })
    expect(new Set(run.offered).size).toBe(run.offered.length)
    expect(meeting.map((name) => fingerprint(name))).toContain(run.results[0])
    expect(run.stderr).not.toContain('a__b')
    await expect(serversFile({ servers })).rejects.toThrow('BRIDLE304')
  })
})

describe('an http server', () => {
  const own = ['Accept', 'Content-Type', 'Content-Length', 'Host', 'Connection', 'Expect', 'Keep-Alive']
  const alsoOwn = ['MCP-Protocol-Version', 'Sec-Fetch-Mode', 'Transfer-Encoding', 'Upgrade']
  const free = ['Accept-Language', 'Authorization', 'Cookie', 'User-Agent', 'Origin', 'Cache-Control']

  it('gets no header as given that Kimi Code writes itself, so they are refused, and all others', async () => {
    const entries = [...own, ...alsoOwn, ...free].map((name) => {
      const value = name === 'Content-Length' ? '5' : 'given'
      return [name, { url: `${tools.web.url}?${name}`, headers: { [name]: value }, startupTimeoutMs: 5000 }]
    })
    const before = tools.web.requests.length
    await runKimi([], { servers: JSON.stringify({ mcpServers: Object.fromEntries(entries) }) })
    const requests = tools.web.requests.slice(before)
    const arrives = (name: string) => {
      const own = requests.filter(({ target }) => target === `/mcp?${name}`)
      return own.length > 2 && own.every(({ headers }) => headers[name.toLowerCase()] === 'given')
    }
    const isRefused = (name: string) => {
      const use = { feature: 'headers' as const, server: httpServer({ headers: { [name]: 'x' } }), path: [] }
      return refusalOf(kimi, use, [use], 'launch') !== undefined
    }
    for (const name of [...own, ...alsoOwn])
      expect([name, arrives(name), isRefused(name)]).toEqual([name, false, true])
    for (const name of free) expect([name, arrives(name), isRefused(name)]).toEqual([name, true, false])
  })

  it('a server with a login is offered one, also beside headers', async () => {
    const web = await startDumpHttp({ token: 'right' })
    try {
      const login = { url: web.url, headers: { 'X-Team': 'core' }, oauth: 'login' }
      const run = await runKimi([], { servers: await serversFile({ servers: { login } }) })
      expect(run.offered).toEqual(['mcp__login__authenticate'])
    } finally {
      await web.close()
    }
  })

  it('offers no login in a launch, where a headless run would wait for a browser', async () => {
    const web = await startDumpHttp({ token: 'right' })
    try {
      const spec = {
        servers: { plain: { url: web.url }, rich: { url: web.url, headers: { 'X-Team': 'core' } } },
      }
      const byHand = await runKimi([], { servers: await serversFile(spec) })
      expect(byHand.offered).toEqual(['mcp__plain__authenticate'])
      const launched = await runKimi([], { servers: await serversFile(spec, 'launch') })
      expect(launched.offered).toEqual([])
      expect(kimi.launch.connections?.read(launched.log, ['plain', 'rich'])).toMatchObject([
        { server: 'plain', status: 'failed' },
        { server: 'rich', status: 'failed' },
      ])
    } finally {
      await web.close()
    }
  })
})

describe('a project', () => {
  const own = { mcpServers: { own: { command: 'node', args: ['/nowhere'] } } }
  const files = { '.mcp.json': JSON.stringify(own), '.kimi-code/mcp.json': '{ broken' }

  it('that nobody trusts adds no server and breaks none', async () => {
    const servers = await serversFile({ servers: { given: dumper({ tools: { include: ['dump'] } }) } })
    const run = await runKimi([], { servers, files })
    expect(run.offered).toEqual(['mcp__given__dump'])
    expect(run.log).not.toContain('server=own')
  })

  it('that is trusted has its own file read in its folder alone, and the shared one also from below', async () => {
    const root = mkdtempSync('/var/tmp/bridle-kimi-below-')
    try {
      const project = path.join(root, 'project')
      const server = dumper() as object
      const shared = await serversFile({ servers: { given: server } })
      const narrowed = await serversFile({ servers: { given: { ...server, tools: { include: ['dump'] } } } })
      const contents = {
        '.git/HEAD': '',
        '.mcp.json': shared,
        '.kimi-code/mcp.json': narrowed,
        'below/a': '',
      }
      const offered = async (folder: string) => {
        trust(path.join(root, 'state'), path.join(project, folder))
        return (await runKimi([], { root, folder, files: contents })).offered
      }
      expect(await offered('.')).toEqual(['mcp__given__dump'])
      expect(await offered('below')).toContain('mcp__given__extra')
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  /** As Kimi Code keeps it when a person has said so. */
  function trust(home: string, folder: string): void {
    const digest = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    mkdirSync(path.join(home, 'workspace-trust'), { recursive: true })
    const file = path.join(home, 'workspace-trust', `wd_${path.basename(folder)}_${digest}`)
    writeFileSync(file, JSON.stringify({ root: folder, trustedAt: 1 }))
  }
})
