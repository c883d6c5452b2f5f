import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorkplace, runBridle, runHarness, type Workplace } from './support/bridle.ts'
import { toolResults } from './support/codex.ts'
import { startDumpHttp } from './support/dump-http.ts'
import { digests, fingerprint } from './support/dump-server.ts'
import type { ToolCall } from './support/model.ts'
import { literal, literals, nastyHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { codexBinary } from './support/programs.ts'
import { startResponsesModel } from './support/responses-model.ts'

const modelPort = 18_931
const dumpPort = 18_932
const baseUrl = `http://127.0.0.1:${modelPort}/v1`
const dumpUrl = `http://127.0.0.1:${dumpPort}/mcp`
const codex = { codex: { environment: { OPENAI_BASE_URL: baseUrl } } }
const prompt = ['exec', '--json', '-m', 'scripted', 'call the tools']
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
  const services = { model: 'responses', modelPort, dumpPort, script } as const
  const harness = { target: 'codex', binary: codexBinary, services }
  return runHarness(place, harness, { targets: codex, ...spec }, args, secrets && { secrets })
}

describe('literals', () => {
  test('arrive byte for byte as arguments, environment, address and headers', async () => {
    const property = fc.asyncProperty(
      nastyTexts,
      nastyHeaders,
      nastyQueries,
      async (texts, headers, query) => {
        const environment = numbered('TEXT_', texts)
        const spec = {
          servers: {
            local: {
              command: 'node',
              arguments: ['../dump-stdio.mjs', ...texts.map(literal)],
              environment: literals(environment),
              workingDirectory: 'sub',
            },
            remote: { url: `${dumpUrl}?${query}`, headers: literals(numbered('X-Text-', headers)) },
          },
        }
        const script = [{ name: 'mcp__local__digest' }, { name: 'mcp__remote__digest' }]
        const { status, stdout, stderr } = await runInside(spec, script)
        expect(stderr).not.toContain('error')
        expect(status).toBe(0)
        const [first, second] = toolResults(stdout).map(({ text }) => JSON.parse(text))
        const cwd = path.join(place.project, 'sub')
        expect(first).toMatchObject(digests({ argv: texts, env: environment, cwd }) as object)
        const received = { target: `/mcp?${query}`, headers: numbered('x-text-', headers) }
        expect(second).toMatchObject(digests(received) as object)
      },
    )
    await fc.assert(property, { numRuns: 1, endOnFailure: true })
  })
})

describe('secrets', () => {
  const secrets = {
    A_KEY: 'canary-a-5ab1"; $(id) ${HOME}',
    B_KEY: "canary-b-77e0\n'`%PATH%` é",
    NPM_TOKEN: 'canary-n-c3d9"; $(id) ${HOME}',
    X_KEY: 'canary-x-18f4 漢😀',
    MODEL_KEY: 'canary-m-90aa',
    UNDECLARED_KEY: 'canary-u-6b1d',
  }
  const spec = {
    variables: { A_KEY: {}, B_KEY: {}, NPM_TOKEN: {}, X_KEY: {}, MODEL_KEY: {} },
    servers: {
      a: { ...dumpServer, variables: { RENAMED: 'A_KEY' } },
      b: { ...dumpServer, variables: ['B_KEY'] },
      remote: { url: dumpUrl, bearerTokenVariable: 'NPM_TOKEN', headerVariables: { 'X-Key': 'X_KEY' } },
    },
    targets: { codex: { ...codex.codex, account: { variables: ['MODEL_KEY'] } } },
  }
  const ask = (server: string, name: string) => ({ name: `mcp__${server}__fingerprint`, input: { name } })

  test('reach the servers that are to have them, nobody else, and no file, argument or output', async () => {
    const expected: readonly [ToolCall, string][] = [
      [ask('a', 'RENAMED'), fingerprint(secrets.A_KEY)],
      [ask('a', 'A_KEY'), 'absent'],
      [ask('a', 'B_KEY'), 'absent'],
      [ask('a', 'MODEL_KEY'), 'absent'],
      [ask('a', 'UNDECLARED_KEY'), 'absent'],
      ...[1, 2, 3, 4, 5].map((n): [ToolCall, string] => [ask('a', `BRIDLE_V${n}`), 'absent']),
      [ask('b', 'B_KEY'), fingerprint(secrets.B_KEY)],
      [ask('b', 'RENAMED'), 'absent'],
      [ask('b', 'NPM_TOKEN'), 'absent'],
      ...[1, 2, 3, 4, 5].map((n): [ToolCall, string] => [ask('b', `BRIDLE_V${n}`), 'absent']),
      [ask('remote', 'Authorization'), fingerprint(`Bearer ${secrets.NPM_TOKEN}`)],
      [ask('remote', 'X-Key'), fingerprint(secrets.X_KEY)],
      [
        {
          name: 'exec_command',
          input: { cmd: 'env | cut -d= -f1 | grep -E "KEY|TOKEN|BRIDLE|RENAMED"; echo end' },
        },
        '',
      ],
    ]
    const script = expected.map(([call]) => call)
    const run = await runInside(spec, script, { secrets })
    expect(run.stderr).toContain('level shared')
    expect(run.status).toBe(0)
    expect(toolResults(run.stdout).map(({ text }) => text)).toEqual(
      expected.slice(0, -1).map(([, text]) => text),
    )
    expect(run.report?.variables).toContain('BRIDLE_V1')
    expect(run.report?.variables).not.toContain('UNDECLARED_KEY')
    expect(run.report?.results.at(-1)).toMatch(/Output:\s+end\s*$/)
  })

  test('that are missing stop the run before anything starts, all of them at once', async () => {
    const { A_KEY, ...others } = secrets
    const { NPM_TOKEN, ...rest } = others
    const run = await runInside(spec, [], { secrets: rest })
    expect(run.status).toBe(125)
    expect(run.report).toBeUndefined()
    expect(run.stderr).toContain('A_KEY')
    expect(run.stderr).toContain('NPM_TOKEN')
    expect([A_KEY, NPM_TOKEN].some((value) => run.stderr.includes(value))).toBe(false)
  })

  test('that no header can carry are refused, and not shown', async () => {
    const run = await runInside(spec, [], { secrets: { ...secrets, NPM_TOKEN: 'canary-n\nline' } })
    expect(run.status).toBe(125)
    expect(run.report).toBeUndefined()
    expect(run.stderr).toContain('NPM_TOKEN')
    expect(run.stderr).not.toContain('canary-n')
  })
})

test('filters hide tools from the model, and a call of a hidden tool does not reach the server', async () => {
  const servers = {
    kept: { ...dumpServer, tools: { include: ['echo', 'extra'], exclude: ['extra'] } },
    all: { ...dumpServer, tools: { exclude: ['dump', 'fingerprint'] } },
  }
  const script = [{ name: 'mcp__kept__extra' }, { name: 'mcp__kept__echo', input: { text: 'heard' } }]
  const { report, stdout } = await runInside({ servers }, script)
  const offered = report?.offered.filter((name) => name.startsWith('mcp__'))
  expect(offered?.sort()).toEqual([
    'mcp__all__digest',
    'mcp__all__echo',
    'mcp__all__extra',
    'mcp__all__sleep',
    'mcp__kept__echo',
  ])
  expect(report?.results[0]).toContain('unsupported call')
  expect(toolResults(stdout)).toEqual([{ isError: false, text: 'heard' }])
})

test('a call that takes longer than its timeout fails, another server keeps its own', async () => {
  const servers = {
    hasty: { ...dumpServer, toolTimeoutMs: 400 },
    patient: { ...dumpServer, toolTimeoutMs: 30_000 },
  }
  const script = ['hasty', 'patient'].map((server) => ({
    name: `mcp__${server}__sleep`,
    input: { ms: 1500 },
  }))
  const { stdout } = await runInside({ servers }, script)
  expect(toolResults(stdout)).toEqual([
    { isError: true, text: expect.stringContaining('timed out') },
    { isError: false, text: 'slept 1500' },
  ])
})

describe('a server that starts slowly', () => {
  const slow = { ...dumpServer, environment: { DUMP_START_DELAY_MS: '2500' } }

  test('is waited for, since a launch needs every server', async () => {
    const { status, stdout } = await runInside({ servers: { slow } }, [{ name: 'mcp__slow__extra' }])
    expect(status).toBe(0)
    expect(toolResults(stdout)).toEqual([{ isError: false, text: 'extra' }])
  })

  test('ends the run when it exceeds its timeout, before the model is asked', async () => {
    const { status, report, stderr } = await runInside(
      { servers: { slow: { ...slow, startupTimeoutMs: 300 } } },
      [],
    )
    expect(status).toBe(125)
    expect(report?.turns).toBe(0)
    expect(stderr).toContain('bridle: slow: did not connect: ')
  })
})

test('a project cannot add servers of its own', async () => {
  const folder = path.join(place.project, '.codex')
  mkdirSync(folder)
  writeFileSync(
    path.join(folder, 'config.toml'),
    '[mcp_servers.own]\ncommand = "node"\nargs = ["dump-stdio.mjs"]\n',
  )
  const { status, report } = await runInside({ servers: { given: dumpServer } }, [])
  expect(status).toBe(0)
  const offered = report?.offered.filter((name) => name.endsWith('__dump'))
  expect(offered).toEqual(['mcp__given__dump'])
})

test.each([[['--yolo', 'hello']], [['-c', 'mcp_servers={}', 'hello']]])(
  'exec %j does not start',
  async (args) => {
    const run = await runInside({ servers: { given: dumpServer } }, [], { args: ['exec', ...args] })
    expect(run.status).toBe(125)
    expect(run.report).toBeUndefined()
    expect(run.stderr).toContain('BRIDLE608')
  },
)

test('a server that needs confirmation is not started headless', async () => {
  const run = await runInside({ servers: { given: { ...dumpServer, requiresConfirmation: true } } }, [])
  expect(run.status).toBe(125)
  expect(run.report).toBeUndefined()
  expect(run.stderr).toContain('BRIDLE301')
})

describe('with the network of the host', () => {
  const secrets = { NPM_TOKEN: 'canary-token-2f', MODEL_KEY: 'canary-key-9d' }

  /** `bridle run codex` with the model and the server outside of the sandbox. */
  async function runOutside(script: readonly ToolCall[], modelName: string) {
    const model = await startResponsesModel(script)
    const http = await startDumpHttp({ token: secrets.NPM_TOKEN })
    const remote = { url: http.url, bearerTokenVariable: 'NPM_TOKEN', tools: { exclude: ['extra'] } }
    const account = { variables: ['MODEL_KEY'] }
    const spec = {
      variables: { NPM_TOKEN: {}, MODEL_KEY: {} },
      servers: { remote },
      targets: { codex: { environment: { OPENAI_BASE_URL: model.url }, account } },
    }
    const harness = ['exec', '--json', '-m', modelName, 'call the tools']
    const command = ['run', 'codex', '--network', 'host', '--harness', codexBinary, '--', ...harness]
    const run = await runBridle(place, spec, command, { secrets })
    await Promise.all([model.close(), http.close()])
    return { ...run, model }
  }

  const authorization = fingerprint(`Bearer ${secrets.NPM_TOKEN}`)

  test('the model gets the key of the account, and the server its token', async () => {
    const script = [{ name: 'mcp__remote__fingerprint', input: { name: 'Authorization' } }]
    const run = await runOutside(script, 'scripted')
    expect(run.status).toBe(0)
    expect(run.stderr).toContain('network host')
    expect(run.model.keys).toEqual([1, 2].map(() => `Bearer ${secrets.MODEL_KEY}`))
    expect(toolResults(run.stdout)).toEqual([{ isError: false, text: authorization }])
  })

  test('a model of Codex itself, which calls tools from code, gets the same', async () => {
    const code = `
      const found = await tools.mcp__remote__fingerprint({ name: 'Authorization' })
      text(found.content[0].text)
      text(typeof tools.mcp__remote__extra)`
    const run = await runOutside([{ name: 'exec', input: { code } }], 'gpt-6.2-sol')
    expect(run.status).toBe(0)
    expect(run.model.results()[0]?.text).toContain(`${authorization}\nundefined`)
  })
})
