import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorkplace, runHarness, type Workplace } from './support/bridle.ts'
import { serverStates } from './support/claude.ts'
import { call } from './support/dump-tools.ts'
import type { ToolCall } from './support/model.ts'
import { claudeBinary } from './support/programs.ts'

const modelPort = 18_943
const dumpPort = 18_944
const url = `http://127.0.0.1:${dumpPort}/mcp`
const environment = {
  ENABLE_TOOL_SEARCH: 'false',
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
  ANTHROPIC_API_KEY: 'no-key',
}
const events = ['-p', '--output-format', 'stream-json', '--verbose', 'go']
const fine = { command: 'node', arguments: ['dump-stdio.mjs'] }
const ending = { ...fine, environment: { DUMP_EXIT: '3' } }
const hanging = { command: 'sleep', arguments: ['100'], startupTimeoutMs: 1500 }
const missing = { command: 'sh', arguments: ['-c', 'exec no-such-program'] }

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

function run(servers: object, { args = events, options = [] as string[], script = [] as ToolCall[] } = {}) {
  const services = { model: 'messages', modelPort, dumpPort, script } as const
  const harness = { target: 'claude', binary: claudeBinary, services }
  const spec = { servers, targets: { claude: { environment } } }
  return runHarness(place, harness, spec, args, { options })
}

describe('a launch of Claude Code', () => {
  test('tells of servers that connected, over stdio and over HTTP, and a name that covers a word', async () => {
    const { status, stderr, stdout } = await run({ local: fine, remote: { url }, token: fine })
    expect(status, stderr).toBe(0)
    for (const name of ['local', 'remote', 'token']) expect(stderr).toContain(`bridle: ${name}: connected\n`)
    expect(serverStates(stdout)).toEqual({ local: 'connected', remote: 'connected', token: 'connected' })
  })

  test.each([
    ['ends at once', ending, /Connection closed/],
    ['does not answer', hanging, /timed out after 1500ms/],
    ['is a missing program', missing, /Connection closed/],
    ['cannot be reached', { url: 'http://127.0.0.1:9/mcp' }, /ECONNREFUSED/],
    ['answers with an error', { url: `http://127.0.0.1:${modelPort}/mcp` }, /./],
  ])('is ended for a server that %s', async (_, bad, reason) => {
    const { status, stderr } = await run({ fine, bad })
    expect(status, stderr).toBe(125)
    expect(/^bridle: bad: did not connect: (.*)$/m.exec(stderr)?.[1]).toMatch(reason)
    expect(stderr).toMatch(/error BRIDLE622: `bad` did not connect.*\n.*bridle\.json:\d+:\d+ · server bad/)
  })

  test('goes on without a server that is not needed, and not without a required one', async () => {
    const options = ['--no-require-servers']
    const script = [call('fine__extra')]
    const lenient = await run({ fine, bad: ending }, { options, script })
    expect(lenient.status, lenient.stderr).toBe(0)
    expect(lenient.report?.results).toEqual(['extra'])
    expect(lenient.stderr).toContain('bridle: bad: did not connect: ')
    const strict = await run({ fine, bad: { ...ending, required: true } }, { options, script })
    expect(strict.status, strict.stderr).toBe(125)
  })

  test('leaves the output of the program as it is without Bridle', async () => {
    const { stdout, stderr } = await run({ fine }, { args: ['-p', 'go'] })
    expect(stdout).toBe('done\n')
    expect(stderr).toMatch(/\nbridle: visible read-only: .*\nbridle: fine: connected\n$/)
  })
})
