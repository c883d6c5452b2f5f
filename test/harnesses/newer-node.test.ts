import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWorkplace, runBridle, type Workplace } from './support/bridle.ts'
import { newerNode } from './support/programs.ts'
import { runProgram } from './support/run-program.ts'

/** The other tests run on the Node.js that runs them; the command has to work on newer ones too. */
const options = { node: newerNode }
const dumpServer = { command: 'node', arguments: ['dump-stdio.mjs'], variables: ['KEY'] }
const spec = {
  variables: { KEY: {} },
  servers: {
    local: { ...dumpServer, tools: { exclude: ['extra'] } },
    remote: { url: 'https://mcp.example.com/mcp' },
  },
  targets: { claude: {}, codex: {}, builtin: { servers: { include: ['local'] } } },
}
const secrets = { KEY: 'canary-node-4c2e' }

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

describe('the built command on Node.js 24', () => {
  it('is what is tested here', async () => {
    const { stdout } = await runProgram([newerNode, '--version'], { environment: {}, workingDirectory: '/' })
    expect(stdout).toMatch(/^v24\./)
  })

  it.each([0, 100])('checks a spec with %i more servers, and V8 complains of nothing', async (count) => {
    const more = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`more-${index}`, dumpServer]),
    )
    const larger = { ...spec, servers: { ...spec.servers, ...more } }
    const { status, stdout, stderr } = await runBridle(place, larger, ['check'], options)
    expect(status, stdout + stderr).toBe(0)
    expect(stderr).toBe('')
  })

  it('builds for all targets what it builds on any other', async () => {
    const print = ['build', '--print']
    const newer = await runBridle(place, spec, print, options)
    expect(newer.status, newer.stderr).toBe(0)
    expect(newer.stdout).toContain('mcp_servers')
    expect(newer.stdout).toBe((await runBridle(place, spec, print)).stdout)
  })

  it('lists the tools of a server in the sandbox, which runs on it too', async () => {
    const run = (...args: string[]) =>
      runBridle(place, spec, ['run', 'builtin', '--', ...args], { ...options, secrets })
    const listed = await run('tools')
    expect(listed.status, listed.stderr).toBe(0)
    expect(listed.stdout).toMatch(/^local {2}dump +All that this server received$/m)
    expect(listed.stdout).not.toContain('extra')
    const { status, stderr } = await run('call', 'local', 'fingerprint', '{"name":"KEY"}')
    expect(status, stderr).toBe(0)
  })

  it('gives the servers in the sandbox the same Node.js', async () => {
    const script = `require('fs').writeFileSync('version', process.version)`
    const servers = { local: { command: 'node', arguments: ['-e', script] } }
    await runBridle(place, { servers, targets: { builtin: {} } }, ['run', 'builtin', '--', 'tools'], options)
    expect(readFileSync(path.join(place.project, 'version'), 'utf8')).toMatch(/^v24\./)
  })
})
