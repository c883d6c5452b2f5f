import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorkplace, runHarness, type Workplace } from './support/bridle.ts'
import { toolResults } from './support/codex.ts'
import type { ToolCall } from './support/model.ts'
import { codexBinary } from './support/programs.ts'

const modelPort = 18_945
const dumpPort = 18_946
const url = `http://127.0.0.1:${dumpPort}/mcp`
const environment = { OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1` }
const events = ['exec', '--json', '-m', 'scripted', 'go']
const fine = { command: 'node', arguments: ['dump-stdio.mjs'] }
const ending = { ...fine, environment: { DUMP_EXIT: '3' } }
const hanging = { command: 'sleep', arguments: ['100'], startupTimeoutMs: 1000 }
const missing = { command: 'sh', arguments: ['-c', 'exec no-such-program'] }

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

function run(servers: object, { args = events, options = [] as string[], script = [] as ToolCall[] } = {}) {
  const services = { model: 'responses', modelPort, dumpPort, script } as const
  const harness = { target: 'codex', binary: codexBinary, services }
  const spec = { servers, targets: { codex: { environment } } }
  return runHarness(place, harness, spec, args, { options })
}

describe('a launch of Codex', () => {
  test('tells of servers that connected, over stdio and over HTTP', async () => {
    const { status, stderr } = await run({ local: fine, remote: { url } })
    expect(status, stderr).toBe(0)
    expect(stderr).toContain('bridle: local: connected\nbridle: remote: connected\n')
  })

  test.each([
    ['ends at once', ending],
    ['does not answer', hanging],
    ['is a missing program', missing],
    ['cannot be reached', { url: 'http://127.0.0.1:9/mcp' }],
  ])('ends for a server that %s, before the model is asked', async (_, bad) => {
    const { status, stderr, report } = await run({ bad })
    expect(status, stderr).toBe(125)
    expect(stderr).toMatch(/required MCP servers failed to initialize: bad: /)
    expect(stderr).toContain('bridle: bad: did not connect: Codex ended before its session began')
    expect(stderr).toMatch(/error BRIDLE622: `bad` did not connect.*\n.*bridle\.json:\d+:\d+ · server bad/)
    expect(report?.turns).toBe(0)
  })

  test('names all when it does not tell which one failed', async () => {
    const { status, stderr } = await run({ fine, bad: ending })
    expect(status).toBe(125)
    expect(stderr).toMatch(/error BRIDLE624: [Aa]t least one of `fine`, `bad` did not connect/)
  })

  test('goes on without a server that is not needed, and not without a required one', async () => {
    const options = ['--no-require-servers']
    const needed = { ...fine, required: true }
    const script = [{ name: 'mcp__needed__extra' }]
    const lenient = await run({ needed, bad: ending }, { options, script })
    expect(lenient.status, lenient.stderr).toBe(0)
    expect(toolResults(lenient.stdout)).toEqual([{ isError: false, text: 'extra' }])
    expect(lenient.stderr).toContain(
      'bridle: needed: connected\nbridle: bad: not known whether it connected\n',
    )
    const strict = await run({ fine, bad: { ...ending, required: true } }, { options })
    expect(strict.status, strict.stderr).toBe(125)
    expect(strict.stderr).toContain('BRIDLE622: `bad`')
  })

  test('blames no server when it has no work', async () => {
    const help = await run({ fine }, { args: ['exec', '--help'] })
    expect(help.status, help.stderr).toBe(0)
    expect(help.stderr).toContain('bridle: fine: not used\n')
    expect(help.stdout).toContain('Usage: codex exec')
  })
})
