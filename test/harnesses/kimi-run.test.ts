import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorkplace, runBridle, runHarness, type Workplace } from './support/bridle.ts'
import { startChatModel } from './support/chat-model.ts'
import { startDumpHttp } from './support/dump-http.ts'
import { digests, fingerprint } from './support/dump-server.ts'
import { fingerprintOf } from './support/dump-tools.ts'
import { withoutTime } from './support/kimi.ts'
import type { ToolCall } from './support/model.ts'
import { literal, literals, nastyHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { kimiCommand, kimiProgram, newerNode } from './support/programs.ts'

const modelPort = 18_941
const dumpPort = 18_942
const baseUrl = `http://127.0.0.1:${modelPort}/v1`
const dumpUrl = `http://127.0.0.1:${dumpPort}/mcp`
const environment = { KIMI_MODEL_NAME: 'scripted', KIMI_MODEL_BASE_URL: baseUrl }
const kimi = { environment, account: { variables: ['KIMI_MODEL_API_KEY'] } }
const key = { KIMI_MODEL_API_KEY: 'canary-model-90aa' }
const prompt = ['-p', 'call the tools']
const dumpServer = { command: 'node', arguments: ['dump-stdio.mjs'] }

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

/** In the sandbox without a network, with the model and the HTTP server inside. */
async function runInside(
  spec: { readonly variables?: object; readonly servers: object },
  script: readonly ToolCall[],
  { secrets = {}, args = prompt }: { secrets?: Record<string, string>; args?: readonly string[] } = {},
) {
  const services = { model: 'chat', modelPort, dumpPort, script } as const
  const harness = { target: 'kimi', binary: kimiProgram, node: newerNode, services }
  const variables = { KIMI_MODEL_API_KEY: {}, ...spec.variables }
  const run = await runHarness(place, harness, { targets: { kimi }, ...spec, variables }, args, {
    secrets: { ...key, ...secrets },
  })
  return { ...run, results: (run.report?.results ?? []).map(withoutTime) }
}

test('literals arrive byte for byte as arguments, environment, headers and address', async () => {
  const property = fc.asyncProperty(nastyTexts, nastyHeaders, nastyQueries, async (texts, headers, query) => {
    const named = numbered('TEXT_', texts)
    const servers = {
      local: {
        command: 'node',
        arguments: ['../dump-stdio.mjs', ...texts.map(literal)],
        environment: literals(named),
        workingDirectory: 'sub',
      },
      remote: { url: `${dumpUrl}?${query}`, headers: literals(numbered('X-Text-', headers)) },
    }
    const script = ['local', 'remote'].map((server) => ({ name: `mcp__${server}__digest` }))
    const { status, stderr, results } = await runInside({ servers }, script)
    expect(status, stderr).toBe(0)
    const [first, second] = results.map((text) => JSON.parse(text))
    const cwd = path.join(place.project, 'sub')
    expect(first).toMatchObject(digests({ argv: texts, env: named, cwd }) as object)
    const received = { target: `/mcp?${query}`, headers: numbered('x-text-', headers) }
    expect(second).toMatchObject(digests(received) as object)
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
})

describe('secrets', () => {
  const secrets = {
    A_KEY: 'canary-a-5ab1"; $(id) ${HOME}',
    B_KEY: "canary-b-77e0\n'`%PATH%` é",
    DOCS_TOKEN: 'canary-n-c3d9"; $(id) ${HOME} 漢😀à',
    HTTP_PROXY: 'canary-p-18f4',
    UNDECLARED_KEY: 'canary-u-6b1d',
  }
  const spec = {
    variables: { A_KEY: {}, B_KEY: {}, DOCS_TOKEN: {}, HTTP_PROXY: {} },
    servers: {
      a: { ...dumpServer, variables: { RENAMED: 'A_KEY' } },
      b: { ...dumpServer, variables: ['B_KEY', 'HTTP_PROXY'] },
      remote: { url: dumpUrl, bearerTokenVariable: 'DOCS_TOKEN' },
    },
  }

  test('reach the servers that are to have them, nobody else, and no file, argument or output', async () => {
    const absent = (server: string, ...names: string[]): [ToolCall, string][] =>
      names.map((name) => [fingerprintOf(server, name), 'absent'])
    const injected = [1, 2, 3, 4, 5].map((n) => `BRIDLE_V${n}`)
    const expected: readonly [ToolCall, string][] = [
      [fingerprintOf('a', 'RENAMED'), fingerprint(secrets.A_KEY)],
      ...absent('a', 'A_KEY', 'B_KEY', 'KIMI_MODEL_API_KEY', 'UNDECLARED_KEY', ...injected),
      [fingerprintOf('b', 'B_KEY'), fingerprint(secrets.B_KEY)],
      [fingerprintOf('b', 'HTTP_PROXY'), fingerprint(secrets.HTTP_PROXY)],
      ...absent('b', 'RENAMED', 'DOCS_TOKEN', 'KIMI_MODEL_API_KEY', ...injected),
      [fingerprintOf('remote', 'Authorization'), fingerprint(`Bearer ${secrets.DOCS_TOKEN}`)],
    ]
    const run = await runInside(
      spec,
      expected.map(([call]) => call),
      { secrets },
    )
    expect(run.status, run.stderr).toBe(0)
    expect(run.stderr).toContain('level shared')
    expect(run.results).toEqual(expected.map(([, text]) => text))
    expect(run.report?.variables).toContain('BRIDLE_V1')
    expect(run.report?.variables).not.toContain('UNDECLARED_KEY')
  })

  test('that are missing stop the run before anything starts, all of them at once', async () => {
    const { A_KEY: _a, DOCS_TOKEN: _token, ...rest } = secrets
    const run = await runInside(spec, [], { secrets: rest })
    expect([run.status, run.report]).toEqual([125, undefined])
    expect(run.stderr).toContain('A_KEY')
    expect(run.stderr).toContain('DOCS_TOKEN')
  })

  test('that no header can carry are refused, and not shown', async () => {
    const run = await runInside(spec, [], { secrets: { ...secrets, DOCS_TOKEN: 'canary-n\nline' } })
    expect([run.status, run.report]).toEqual([125, undefined])
    expect(run.stderr).toContain('DOCS_TOKEN')
    expect(run.stderr).not.toContain('canary-n')
  })
})

test('a launch needs the name of a model and its key, and says which is missing', async () => {
  const spec = {
    variables: { KIMI_MODEL_API_KEY: {} },
    servers: {},
    targets: { kimi: { account: kimi.account } },
  }
  const command = ['run', 'kimi', '--harness', kimiCommand, '--', ...prompt]
  const run = await runBridle(place, spec, command, { secrets: key })
  expect(run.status).toBe(125)
  expect(run.stderr).toContain('BRIDLE609: Kimi Code is given no KIMI_MODEL_NAME')
})

test('a project cannot add servers, also where it says that it is trusted', async () => {
  const own = JSON.stringify({ mcpServers: { own: { command: 'node', args: ['dump-stdio.mjs'] } } })
  mkdirSync(path.join(place.project, '.kimi-code'))
  writeFileSync(path.join(place.project, '.kimi-code/mcp.json'), own)
  writeFileSync(path.join(place.project, '.kimi-code/local.toml'), 'trusted = true\n')
  writeFileSync(path.join(place.project, '.mcp.json'), own)
  const run = await runInside({ servers: { given: dumpServer } }, [])
  expect(run.status, run.stderr).toBe(0)
  expect(run.report?.offered.filter((name) => name.endsWith('__dump'))).toEqual(['mcp__given__dump'])
})

test('an agent cannot write what Kimi Code would trust the next time', async () => {
  const files = ['.mcp.json', '.kimi-code/mcp.json', '.agents/skills/own/SKILL.md']
  const command = files
    .map((file) => `mkdir -p ${path.dirname(file)}; echo x > ${file} && echo written`)
    .join('; ')
  const run = await runInside({ servers: {} }, [{ name: 'Bash', input: { command } }])
  expect(run.status, run.stderr).toBe(0)
  expect(run.results).toHaveLength(1)
  expect(run.results[0]).not.toContain('written')
})

test.each([[['-p', 'hello', '--yolo']], [['--continue', '-p', 'hello']], [['acp']]])(
  '%j does not start',
  async (args) => {
    const run = await runInside({ servers: { given: dumpServer } }, [], { args })
    expect([run.status, run.report]).toEqual([125, undefined])
    expect(run.stderr).toContain('BRIDLE608')
  },
)

test('a required server that does not connect ends the run', async () => {
  const ends = { ...dumpServer, environment: { DUMP_EXIT: '3' }, required: true }
  const script = [{ name: 'Bash', input: { command: 'sleep 20; echo went on' } }]
  const run = await runInside({ servers: { good: dumpServer, ends } }, script)
  expect(run.status, run.stderr).toBe(125)
  expect(run.stderr).toMatch(/BRIDLE622: `ends` did not connect.*: MCP error -32000: Connection closed/)
  expect(run.stdout).not.toContain('went on')
})

test('the servers keep the Node.js that is first on PATH', async () => {
  const script =
    "require('fs').writeFileSync('version', process.version); import(process.cwd() + '/dump-stdio.mjs')"
  const servers = { local: { command: 'node', arguments: ['-e', script] } }
  const run = await runInside({ servers }, [
    { name: 'Bash', input: { command: 'cat version; node --version' } },
  ])
  expect(run.status, run.stderr).toBe(0)
  expect(run.results[0]?.split(process.version)).toHaveLength(3)
})

describe('the installed program, with the network of the host', () => {
  const secrets = { DOCS_TOKEN: 'canary-token-2f', ...key }

  test('is started by the Node.js beside it, and reaches its model and its server', async () => {
    const model = await startChatModel([fingerprintOf('remote', 'Authorization')])
    const http = await startDumpHttp({ token: secrets.DOCS_TOKEN })
    const remote = { url: http.url, bearerTokenVariable: 'DOCS_TOKEN', tools: { exclude: ['extra'] } }
    const spec = {
      variables: { DOCS_TOKEN: {}, KIMI_MODEL_API_KEY: {} },
      servers: { remote },
      targets: { kimi: { ...kimi, environment: { ...environment, KIMI_MODEL_BASE_URL: model.url } } },
    }
    const command = ['run', 'kimi', '--network', 'host', '--harness', kimiCommand, '--', ...prompt]
    const run = await runBridle(place, spec, command, { secrets })
    await Promise.all([model.close(), http.close()])
    expect(run.status, run.stderr).toBe(0)
    expect(run.stderr).toContain('Kimi Code 2.1.0 in bubblewrap, network host')
    expect(model.keys).toEqual([1, 2].map(() => `Bearer ${key.KIMI_MODEL_API_KEY}`))
    expect(model.results().map(({ text }) => withoutTime(text))).toEqual([
      fingerprint(`Bearer ${secrets.DOCS_TOKEN}`),
    ])
    expect(model.offeredTools()).not.toContain('mcp__remote__extra')
  })

  test('is not started by a Node.js that is too old', async () => {
    const spec = { servers: {}, variables: { KIMI_MODEL_API_KEY: {} }, targets: { kimi } }
    const named = ['--harness', kimiCommand, '--node', '/usr/bin/false']
    const run = await runBridle(place, spec, ['run', 'kimi', ...named, '--', ...prompt], { secrets: key })
    expect(run.status).toBe(126)
    expect(run.stderr).toContain('BRIDLE618')
    expect(run.stderr).toContain('/usr/bin/false')
  })
})
