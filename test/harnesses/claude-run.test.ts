import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorkplace, runBridle, runHarness, type Workplace } from './support/bridle.ts'
import { serverStates } from './support/claude.ts'
import { startDumpHttp } from './support/dump-http.ts'
import { digests, fingerprint } from './support/dump-server.ts'
import { call, fingerprintOf } from './support/dump-tools.ts'
import { startMessagesModel } from './support/messages-model.ts'
import type { ToolCall } from './support/model.ts'
import { literal, literals, nastyAsciiHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { claudeBinary } from './support/programs.ts'

const modelPort = 18_941
const dumpPort = 18_942
const dumpUrl = `http://127.0.0.1:${dumpPort}/mcp`
/** Tools are offered at once, not behind a search of the program's own. */
const environment = { ENABLE_TOOL_SEARCH: 'false' }
const claude = {
  environment: {
    ...environment,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
    ANTHROPIC_API_KEY: 'no-key',
  },
}
const prompt = ['-p', '--output-format', 'stream-json', '--verbose', 'call the tools']
const dumpServer = { command: 'node', arguments: ['dump-stdio.mjs'] }

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

function runInside(
  spec: object,
  script: readonly ToolCall[],
  { secrets, args = prompt }: { secrets?: Record<string, string>; args?: readonly string[] } = {},
) {
  const services = { model: 'messages', modelPort, dumpPort, script } as const
  const harness = { target: 'claude', binary: claudeBinary, services }
  return runHarness(place, harness, { targets: { claude }, ...spec }, args, secrets && { secrets })
}

/** Of more than about 250 headers of one server, Claude Code leaves some out. */
const headersOfOneServer = 200

test('literals arrive byte for byte as arguments, environment, address and headers', async () => {
  const property = fc.asyncProperty(
    nastyTexts,
    nastyAsciiHeaders,
    nastyQueries,
    async (texts, all, query) => {
      const variables = numbered('TEXT_', texts)
      const remotes = [0, 1, 2, 3].map((part) => ({
        name: `remote${part}`,
        target: `/mcp?part=${part}&${query}`,
        headers: all.slice(part * headersOfOneServer, (part + 1) * headersOfOneServer),
      }))
      const entries = remotes.map(({ name, target, headers }) => [
        name,
        { url: new URL(dumpUrl).origin + target, headers: literals(numbered('X-Text-', headers)) },
      ])
      const local = {
        command: 'node',
        arguments: ['../dump-stdio.mjs', ...texts.map(literal)],
        environment: literals(variables),
        workingDirectory: 'sub',
      }
      const script = ['local', ...remotes.map(({ name }) => name)].map((name) => call(`${name}__digest`))
      const run = await runInside({ servers: { local, ...Object.fromEntries(entries) } }, script)
      expect(run.status, run.stderr).toBe(0)
      const [first, ...others] = (run.report?.results ?? []).map((text) => JSON.parse(text))
      const cwd = path.join(place.project, 'sub')
      expect(first).toMatchObject(digests({ argv: texts, env: variables, cwd }) as object)
      for (const [index, { target, headers }] of remotes.entries()) {
        const received = { target, headers: numbered('x-text-', headers) }
        expect(others[index]).toMatchObject(digests(received) as object)
      }
      expect(remotes.flatMap(({ headers }) => headers)).toEqual(all)
    },
  )
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
})

describe('secrets', () => {
  const secrets = {
    A_KEY: 'canary-a-5ab1"; $(id) ${HOME}',
    B_KEY: "canary-b-77e0\n'`%PATH%` é",
    NPM_TOKEN: 'canary-n-c3d9"; $(id) ${HOME}',
    X_KEY: 'canary-x-18f4 ${HOME:-x} ${BRIDLE_V1}',
    ANTHROPIC_API_KEY: 'canary-m-90aa',
    UNDECLARED_KEY: 'canary-u-6b1d',
  }
  const spec = {
    variables: { A_KEY: {}, B_KEY: {}, NPM_TOKEN: {}, X_KEY: {}, ANTHROPIC_API_KEY: {} },
    servers: {
      a: { ...dumpServer, variables: { RENAMED: 'A_KEY' } },
      b: { ...dumpServer, variables: ['B_KEY'] },
      remote: { url: dumpUrl, bearerTokenVariable: 'NPM_TOKEN', headerVariables: { 'X-Key': 'X_KEY' } },
    },
    targets: {
      claude: {
        environment: { ...environment, ANTHROPIC_BASE_URL: claude.environment.ANTHROPIC_BASE_URL },
        account: { variables: ['ANTHROPIC_API_KEY'] },
      },
    },
  }

  test('case 11: reach the servers that are to have them, no other server, and no file, argument or output', async () => {
    const injected = [1, 2, 3, 4, 5].map((n) => `BRIDLE_V${n}`)
    const absent = [
      'ANTHROPIC_API_KEY',
      'UNDECLARED_KEY',
      'CLAUDE_CODE_MESSAGING_TOKEN',
      'NPM_TOKEN',
      ...injected,
    ]
    const expected: readonly [ToolCall, string][] = [
      [fingerprintOf('a', 'RENAMED'), fingerprint(secrets.A_KEY)],
      ...['A_KEY', 'B_KEY', ...absent].map((name): [ToolCall, string] => [
        fingerprintOf('a', name),
        'absent',
      ]),
      [fingerprintOf('b', 'B_KEY'), fingerprint(secrets.B_KEY)],
      ...['A_KEY', 'RENAMED', ...absent].map((name): [ToolCall, string] => [
        fingerprintOf('b', name),
        'absent',
      ]),
      [fingerprintOf('remote', 'Authorization'), fingerprint(`Bearer ${secrets.NPM_TOKEN}`)],
      [fingerprintOf('remote', 'X-Key'), fingerprint(secrets.X_KEY)],
    ]
    const script = expected.map(([each]) => each)
    const run = await runInside(spec, script, { secrets })
    expect(run.stderr).toContain('level shared')
    expect(run.status, run.stderr).toBe(0)
    expect(run.report?.results).toEqual(expected.map(([, text]) => text))
    expect(run.report?.variables).toContain('BRIDLE_V1')
    expect(run.report?.variables).not.toContain('UNDECLARED_KEY')
  })

  test('that are missing stop the run before anything starts, all of them at once', async () => {
    const { A_KEY: _a, NPM_TOKEN: _n, ...rest } = secrets
    const run = await runInside(spec, [], { secrets: rest })
    expect(run.status).toBe(125)
    expect(run.report).toBeUndefined()
    expect(run.stderr).toContain('A_KEY')
    expect(run.stderr).toContain('NPM_TOKEN')
  })

  test.each(['canary-n\nline', 'canary-n\u0100', 'canary-n é', 'canary-n '])(
    'that no header can carry are refused, and not shown: %j',
    async (value) => {
      const run = await runInside(spec, [], { secrets: { ...secrets, NPM_TOKEN: value } })
      expect(run.status).toBe(125)
      expect(run.report).toBeUndefined()
      expect(run.stderr).toContain('NPM_TOKEN')
      expect(run.stderr).not.toContain('canary-n')
    },
  )
})

test('filters and confirmations hold, and the tools of the agent run unasked', async () => {
  const servers = {
    kept: { ...dumpServer, tools: { include: ['echo', 'extra'], exclude: ['extra'] } },
    hidden: { ...dumpServer, tools: { exclude: ['dump', 'fingerprint'] } },
    asked: { ...dumpServer, requiresConfirmation: ['extra'] },
  }
  const script: readonly [ToolCall, RegExp][] = [
    [call('kept__echo', { text: 'heard' }), /^heard$/],
    [call('kept__extra'), /No such tool/],
    [call('kept__dump'), /denied/],
    [call('hidden__dump'), /No such tool/],
    [call('asked__extra'), /denied/],
    [call('asked__echo', { text: 'heard' }), /^heard$/],
    [{ name: 'Bash', input: { command: 'echo "made by $(id -un)" > made; cat made' } }, /made by/],
  ]
  const { report, stderr } = await runInside(
    { servers },
    script.map(([each]) => each),
  )
  expect(report?.results, stderr).toHaveLength(script.length)
  for (const [index, [, text]] of script.entries()) expect(report?.results[index]).toMatch(text)
  expect(report?.offered.filter((name) => name.startsWith('mcp__hidden')).sort()).toEqual(
    ['digest', 'echo', 'extra', 'sleep'].map((tool) => `mcp__hidden__${tool}`),
  )
})

describe('timeouts', () => {
  const slow = { ...dumpServer, environment: { DUMP_START_DELAY_MS: '2500' } }

  test('a server that starts slowly is waited for, and a call that takes too long fails', async () => {
    const servers = { slow: { ...slow, toolTimeoutMs: 1000 } }
    const { report } = await runInside({ servers }, [
      call('slow__extra'),
      call('slow__sleep', { ms: 20_000 }),
    ])
    expect(report?.results).toEqual(['extra', expect.stringContaining('timed out')])
  })

  test('a server that exceeds its start-up timeout ends the run', async () => {
    const servers = { slow: { ...slow, startupTimeoutMs: 500 } }
    const { status, stderr } = await runInside({ servers }, [])
    expect(status).toBe(125)
    expect(stderr).toMatch(/bridle: slow: did not connect: .*timed out after 500ms/)
  })
})

test('a project brings neither servers nor rules, and the agent cannot give it any', async () => {
  const own = { mcpServers: { own: { type: 'stdio', command: 'node', args: ['dump-stdio.mjs'] } } }
  mkdirSync(path.join(place.project, '.claude'))
  writeFileSync(path.join(place.project, '.mcp.json'), JSON.stringify(own))
  writeFileSync(path.join(place.project, '.claude/settings.json'), '{"permissions":{"allow":["mcp__given"]}}')
  const servers = { given: { ...dumpServer, tools: { include: ['echo'] } } }
  // Of a plain redirection the program would see by itself that it touches its settings.
  const write = `node -e "require('fs').writeFileSync('.mc' + 'p.json', '{}')"`
  const script = [call('given__extra'), { name: 'Bash', input: { command: write } }]
  const { report, stdout } = await runInside({ servers }, script)
  expect(serverStates(stdout)).toEqual({ given: 'connected' })
  expect(report?.results[0]).toMatch(/denied/)
  expect(report?.results[1]).toMatch(/EROFS|EACCES/)
})

test.each([
  [['hello'], 'interactive'],
  [['-p', '--dangerously-skip-permissions', 'hello'], '--dangerously-skip-permissions'],
  [['-p', 'hello', '--mcp-config', 'other.json'], '--mcp-config'],
])('claude %j does not start', async (args, word) => {
  const run = await runInside({ servers: { given: dumpServer } }, [], { args })
  expect(run.status).toBe(125)
  expect(run.report).toBeUndefined()
  expect(run.stderr).toContain('BRIDLE608')
  expect(run.stderr).toContain(word)
})

test('with the network of the host the model gets the key of the account, and the server its token', async () => {
  const secrets = { NPM_TOKEN: 'canary-token-2f', ANTHROPIC_API_KEY: 'canary-key-9d' }
  const model = await startMessagesModel([fingerprintOf('remote', 'Authorization')])
  const http = await startDumpHttp({ token: secrets.NPM_TOKEN })
  const spec = {
    variables: { NPM_TOKEN: {}, ANTHROPIC_API_KEY: {} },
    servers: { remote: { url: http.url, bearerTokenVariable: 'NPM_TOKEN' } },
    targets: {
      claude: {
        environment: { ...environment, ANTHROPIC_BASE_URL: model.url },
        account: { variables: ['ANTHROPIC_API_KEY'] },
      },
    },
  }
  const command = ['run', 'claude', '--network', 'host', '--harness', claudeBinary, '--', ...prompt]
  const run = await runBridle(place, spec, command, { secrets })
  await Promise.all([model.close(), http.close()])
  expect(run.status, run.stderr).toBe(0)
  expect(run.stderr).toContain('network host')
  expect(new Set(model.keys)).toEqual(new Set([secrets.ANTHROPIC_API_KEY]))
  expect(model.results()).toEqual([{ isError: false, text: fingerprint(`Bearer ${secrets.NPM_TOKEN}`) }])
})
