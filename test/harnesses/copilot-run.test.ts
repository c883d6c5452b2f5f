import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorkplace, runBridle, runHarness, type Workplace } from './support/bridle.ts'
import { startChatModel } from './support/chat-model.ts'
import { startDumpHttp } from './support/dump-http.ts'
import { digests, fingerprint } from './support/dump-server.ts'
import type { ToolCall } from './support/model.ts'
import { literal, literals, nastyHeaders, nastyTexts, numbered } from './support/nasty.ts'
import { copilotBinary, copilotCommand } from './support/programs.ts'

const modelPort = 18_951
const dumpPort = 18_952
const baseUrl = `http://127.0.0.1:${modelPort}/v1`
const dumpUrl = `http://127.0.0.1:${dumpPort}/mcp`
const environment = { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: baseUrl, COPILOT_MODEL: 'scripted' }
const prompt = ['-p', 'call the tools']
const dumpServer = { command: 'node', arguments: ['dump-stdio.mjs'] }
const shell = (command: string): ToolCall => ({ name: 'bash', input: { command, description: 'a command' } })

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

/** In the sandbox without a network, with the model and the HTTP server inside. */
async function runInside(
  spec: object,
  script: readonly ToolCall[],
  { secrets, args = prompt }: { secrets?: Record<string, string>; args?: readonly string[] } = {},
) {
  const services = { model: 'chat', modelPort, dumpPort, script } as const
  const harness = { target: 'copilot', binary: copilotBinary, services }
  const targets = { copilot: { environment } }
  return runHarness(place, harness, { targets, ...spec }, args, secrets && { secrets })
}

test('literals arrive byte for byte as arguments, environment and headers', async () => {
  const property = fc.asyncProperty(nastyTexts, nastyHeaders, async (texts, headers) => {
    const named = numbered('TEXT_', texts)
    const local = { command: 'node', workingDirectory: 'sub' }
    const servers = {
      first: { ...local, arguments: ['../dump-stdio.mjs', ...texts.map(literal)] },
      second: { ...local, arguments: ['../dump-stdio.mjs'], environment: literals(named) },
      remote: { url: dumpUrl, headers: literals(numbered('X-Text-', headers)) },
    }
    const script = Object.keys(servers).map((server) => ({ name: `${server}-digest` }))
    const { status, stderr, report } = await runInside({ servers }, script)
    expect(status, stderr).toBe(0)
    const [first, second, remote] = (report?.results ?? []).map((text) => JSON.parse(text))
    const cwd = path.join(place.project, 'sub')
    expect(first).toMatchObject(digests({ argv: texts, cwd }) as object)
    expect(second).toMatchObject(digests({ env: named, cwd }) as object)
    expect(remote).toMatchObject(digests({ headers: numbered('x-text-', headers) }) as object)
  })
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
})

describe('secrets', () => {
  const secrets = {
    A_KEY: 'canary-a-5ab1"; $(id) ${HOME} $PATH',
    B_KEY: "canary-b-77e0\n'`%PATH%` é",
    GITHUB_TOKEN: 'canary-n-c3d9"; $(id) ${HOME}',
    X_KEY: 'canary-x-18f4 漢😀',
    COPILOT_PROVIDER_API_KEY: 'canary-m-90aa',
    UNDECLARED_KEY: 'canary-u-6b1d',
  }
  const { UNDECLARED_KEY: _, ...declared } = secrets
  const spec = {
    variables: Object.fromEntries(Object.keys(declared).map((name) => [name, {}])),
    servers: {
      a: { ...dumpServer, variables: { OPENAI_API_KEY: 'A_KEY' } },
      b: { ...dumpServer, variables: ['B_KEY'] },
      remote: { url: dumpUrl, bearerTokenVariable: 'GITHUB_TOKEN', headerVariables: { 'X-Key': 'X_KEY' } },
    },
    targets: { copilot: { environment, account: { variables: ['COPILOT_PROVIDER_API_KEY'] } } },
  }
  const ask = (server: string, name: string) => ({ name: `${server}-fingerprint`, input: { name } })
  const neutral = [1, 2, 3, 4, 5].map((n) => `BRIDLE_V${n}`)

  test('reach the servers that are to have them, nobody else, and no file, argument or output', async () => {
    const absent = (server: string, ...names: string[]): [ToolCall, string][] =>
      names.map((name) => [ask(server, name), 'absent'])
    const own = ['UNDECLARED_KEY', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_OTEL_FILE_EXPORTER_PATH']
    const expected: readonly [ToolCall, string][] = [
      [ask('a', 'OPENAI_API_KEY'), fingerprint(secrets.A_KEY)],
      ...absent('a', 'A_KEY', 'B_KEY', ...own, ...neutral),
      [ask('b', 'B_KEY'), fingerprint(secrets.B_KEY)],
      ...absent('b', 'OPENAI_API_KEY', 'GITHUB_TOKEN', ...own, ...neutral),
      [ask('remote', 'Authorization'), fingerprint(`Bearer ${secrets.GITHUB_TOKEN}`)],
      [ask('remote', 'X-Key'), fingerprint(secrets.X_KEY)],
    ]
    const run = await runInside(
      spec,
      expected.map(([call]) => call),
      { secrets },
    )
    expect(run.stderr).toContain('level shared')
    expect(run.status, run.stderr).toBe(0)
    expect(run.report?.results).toEqual(expected.map(([, text]) => text))
    expect(run.report?.variables).toContain('BRIDLE_V1')
    expect(run.report?.variables).not.toContain('UNDECLARED_KEY')
  })

  test('that are missing stop the run before anything starts, all of them at once', async () => {
    const { A_KEY, GITHUB_TOKEN, ...rest } = secrets
    const run = await runInside(spec, [], { secrets: rest })
    expect(run.status).toBe(125)
    expect(run.report).toBeUndefined()
    expect(run.stderr).toContain('A_KEY')
    expect(run.stderr).toContain('GITHUB_TOKEN')
    expect([A_KEY, GITHUB_TOKEN].some((value) => run.stderr.includes(value))).toBe(false)
  })

  test('reach the model and a server over the network of the host', async () => {
    const model = await startChatModel([ask('remote', 'Authorization')])
    const http = await startDumpHttp({ token: secrets.GITHUB_TOKEN })
    const outside = {
      ...spec,
      servers: { remote: { url: http.url, bearerTokenVariable: 'GITHUB_TOKEN' } },
      targets: {
        copilot: {
          environment: { ...environment, COPILOT_PROVIDER_BASE_URL: model.url },
          account: { variables: ['COPILOT_PROVIDER_API_KEY'] },
        },
      },
    }
    // The script under which npm installs it finds its package beside itself.
    const command = ['run', 'copilot', '--network', 'host', '--harness', copilotCommand, '--', ...prompt]
    const run = await runBridle(place, outside, command, { secrets })
    await Promise.all([model.close(), http.close()])
    expect(run.status, run.stderr).toBe(0)
    expect(new Set(model.keys)).toEqual(new Set([`Bearer ${secrets.COPILOT_PROVIDER_API_KEY}`]))
    expect(model.results().map(({ text }) => text)).toEqual([fingerprint(`Bearer ${secrets.GITHUB_TOKEN}`)])
  })
})

test('the agent works with its own tools, and cannot write what the next launch trusts', async () => {
  const { project } = place
  writeFileSync(path.join(project, 'notes.txt'), 'first\n')
  mkdirSync(path.join(project, '.github'))
  const inProject = (name: string) => path.join(project, name)
  const script: ToolCall[] = [
    shell('echo second >> notes.txt; cat notes.txt'),
    { name: 'create', input: { path: inProject('new.txt'), file_text: 'made' } },
    { name: 'edit', input: { path: inProject('new.txt'), old_str: 'made', new_str: 'changed' } },
    { name: 'view', input: { path: '/etc/passwd' } },
    shell('cat /proc/self/status | head -1; echo x > /tmp/y; cat /tmp/y'),
    shell(
      'for f in .mcp.json .github/mcp.json .github/hooks/h.json .github/agents/a.md .github/copilot/settings.json ' +
        '.claude/settings.json; do (mkdir -p $(dirname $f); echo x > $f) 2>/dev/null && echo wrote $f; done; echo end',
    ),
    shell(
      'f=$(find $COPILOT_CACHE_HOME -name app.js | head -1); echo "// planted" >> $f; echo planted > ' +
        '$COPILOT_CACHE_HOME/pkg/new; rm -rf $COPILOT_CACHE_HOME/pkg 2>&1 | head -1; ls -d $f | wc -l',
    ),
  ]
  const run = await runInside({ servers: {} }, script)
  expect(run.status, run.stderr).toBe(0)
  const results = run.report?.results ?? []
  expect(results[0]).toContain('first\nsecond')
  expect(readFileSync(inProject('new.txt'), 'utf8')).toBe('changed')
  expect(results[3]).toContain('agent:')
  expect(results[4]).toContain('Name:')
  expect(results[5]).toMatch(/^end\n/)
  expect(results[6]).toContain('Read-only file system')
  expect(results[6]).toMatch(/\n1\n/)
  const again = await runInside({ servers: {} }, [
    shell('grep -c planted $(find $COPILOT_CACHE_HOME -name app.js)'),
  ])
  expect(again.status, again.stderr).toBe(0)
  expect(again.report?.results[0]).toMatch(/^0\n/)
})

test('what a project brings is not let in: servers, hooks, settings', async () => {
  const write = (name: string, content: object) => {
    mkdirSync(path.join(place.project, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(place.project, name), JSON.stringify(content))
  }
  const own = { mcpServers: { own: { command: 'node', args: ['dump-stdio.mjs'] } } }
  const hooks = { sessionStart: [{ type: 'command', bash: 'touch ran' }] }
  write('.mcp.json', own)
  write('.github/mcp.json', own)
  write('.github/hooks/start.json', { version: 1, hooks })
  write('.github/copilot/settings.json', { hooks })
  const run = await runInside({ servers: { given: dumpServer } }, [shell('ls')])
  expect(run.status, run.stderr).toBe(0)
  const offered = run.report?.offered.filter((name) => name.endsWith('-dump'))
  expect(offered).toEqual(['given-dump'])
  expect(run.report?.results[0]).not.toContain('ran\n')
})

test('an agent of the project that brings servers is refused before anything starts', async () => {
  const agents = path.join(place.project, '.github/agents/team')
  mkdirSync(agents, { recursive: true })
  writeFileSync(
    path.join(agents, 'reviewer.md'),
    '---\nname: reviewer\n"mcp\\x2dservers": { own: { command: node } }\n---\nReview.\n',
  )
  const run = await runInside({ servers: {} }, [])
  expect(run.status).toBe(125)
  expect(run.report).toBeUndefined()
  expect(run.stderr).toContain('BRIDLE620')
  expect(run.stderr).toContain('.github/agents/team/reviewer.md')
})

test('a server that does not start ends the run, with its name and the reason', async () => {
  const servers = {
    good: dumpServer,
    bad: { ...dumpServer, environment: { DUMP_EXIT: '3' }, required: true },
  }
  const run = await runInside({ servers }, [{ name: 'good-extra' }])
  expect(run.status).toBe(125)
  expect(run.stderr).toContain('BRIDLE622')
  expect(run.stderr).toMatch(/`bad` did not connect.*exit code 3/)
})

test.each([
  [['--yolo']],
  [['--allow-all-tools']],
  [['--additional-mcp-config', '{}']],
  [['--trust-folder']],
  [['--agent', 'reviewer']],
])('an argument that undoes a promise is refused: %j', async (args) => {
  const run = await runInside({ servers: { given: dumpServer } }, [], { args: [...prompt, ...args] })
  expect(run.status).toBe(125)
  expect(run.report).toBeUndefined()
  expect(run.stderr).toContain('BRIDLE608')
})

test('what would trust the project is refused in the settings of the target', async () => {
  const settings = { environment: { ...environment, COPILOT_ALLOW_ALL: 'true', COPILOT_CACHE_HOME: '.' } }
  const run = await runInside({ servers: {}, targets: { copilot: settings } }, [])
  expect(run.status).toBe(125)
  expect(run.stderr).toContain('`COPILOT_ALLOW_ALL` cannot be given')
  expect(run.stderr).toContain('`COPILOT_CACHE_HOME` cannot be given')
})
