import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { call } from '../../src/cli/call.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { tools } from '../../src/cli/tools.ts'

const canary = 'canary-"; $(id) ${HOME}'
const folder = mkdtempSync(path.join(tmpdir(), 'bridle-tools-'))
const fixtures = path.join(path.dirname(fileURLToPath(import.meta.url)), '../fixtures')

writeFileSync(
  path.join(folder, 'bridle.yaml'),
  `version: 1
variables: { API_KEY: {}, TOKEN: {} }
servers:
  dump:
    command: ${process.execPath}
    arguments: [${fixtures}/dump.mjs]
    variables: { KEY: API_KEY }
    tools: { exclude: [sleep, slepe] }
  broken:
    command: ${process.execPath}
    arguments: [${fixtures}/faulty.mjs, exiting]
    variables: [TOKEN]
  off: { command: never, enabled: false }
  steering: { command: ${process.execPath}, arguments: [${fixtures}/faulty.mjs, steering] }
`,
)
afterAll(() => rmSync(folder, { recursive: true }))

const values = { API_KEY: canary, TOKEN: 'canary-token' }

describe('bridle tools', () => {
  it('lists the tools of every enabled server, and what is wrong with each place', async () => {
    const { exitCode, out, err } = await run((terminal) => tools(terminal, [], { format: 'table' }), values)
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /^dump {6}dump {3}Tells what it was given\ndump {6}fail {3}Fails as a tool\nsteering {2}tool0/,
    )
    expect(out).not.toMatch(/[\u0007\u001B\u202E]/)
    expect(err).toMatch(/BRIDLE702: .*`slepe`.*\n.*bridle.yaml:4:3/)
    expect(err).toMatch(/BRIDLE701: .*status 3.*\n.*bridle.yaml:9:3/)
    expect(err).not.toContain('canary')
  })

  it('starts nothing while a secret is missing', async () => {
    const { exitCode, out, err } = await run((terminal) => tools(terminal, [], { format: 'table' }), {})
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toMatch(/BRIDLE501: .*`API_KEY`/)
    expect(err).toMatch(/BRIDLE501: .*`TOKEN`/)
    expect(err).not.toContain('BRIDLE701')
  })

  it('needs the secrets of the named servers only', async () => {
    const { out } = await run((terminal) => tools(terminal, ['dump'], { format: 'json' }), {
      API_KEY: canary,
    })
    expect(JSON.parse(out)).toMatchObject({
      servers: [{ name: 'dump', tools: [{ name: 'dump' }, { name: 'fail' }] }],
    })
  })
})

describe('a command of a server', () => {
  it('is found in the packages of the project, as in a launch', async () => {
    const project = path.join(folder, 'project')
    const program = path.join(project, 'node_modules/.bin/dump-server')
    mkdirSync(path.dirname(program), { recursive: true })
    mkdirSync(path.join(project, 'below'))
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${fixtures}/dump.mjs'\n`, { mode: 0o755 })
    writeFileSync(
      path.join(project, 'bridle.json'),
      '{"version":1,"servers":{"a":{"command":"dump-server"}}}',
    )
    const below = path.join(project, 'below')
    const command = (terminal: Terminal) => tools(terminal, [], { format: 'table' })
    const { exitCode, out } = await run(command, {}, { workingDirectory: below })
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^a {2}dump {2}/)
  })

  it('that is not found stops the start of all', async () => {
    const config = path.join(folder, 'missing.json')
    writeFileSync(config, '{"version":1,"servers":{"a":{"command":"no-such-program"}}}')
    const command = (terminal: Terminal) => tools(terminal, [], { format: 'table', config })
    const { exitCode, out, err } = await run(command, {})
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(err).toMatch(/BRIDLE604: `no-such-program` was not found.*\n.*missing\.json:1:/)
  })
})

describe('what a server says', () => {
  const listing = (terminal: Terminal) => tools(terminal, ['steering'], { format: 'json' })
  const calling = (terminal: Terminal) => call(terminal, 'steering', 'tool0', '{}', { format: 'text' })

  it.each([listing, calling])(
    'does not steer a terminal, and goes to a pipe to the byte (%#)',
    async (command) => {
      const [shown, piped] = [await run(command, values, { isTerminal: true }), await run(command, values)]
      expect([shown.exitCode, piped.exitCode]).toEqual([0, 0])
      expect(shown.out).not.toMatch(/[\u0007\u001B\u202E]/)
      expect(piped.out).toContain('\u202Eok')
      expect(shown.out).toContain('ok')
    },
  )
})

describe('bridle call', () => {
  it('gives the server its secret under its own name, and prints what the tool answers', async () => {
    const { exitCode, out } = await run(
      (terminal) => call(terminal, 'dump', 'dump', '{}', { format: 'text' }),
      values,
    )
    expect(exitCode).toBe(0)
    expect(JSON.parse(out).env).toMatchObject({ KEY: canary })
    expect(JSON.parse(out).env).not.toHaveProperty('API_KEY')
    expect(out).not.toContain('canary-token')
  })

  it.each([
    { server: 'dump', tool: 'fail', json: '{}', status: 1, text: /BRIDLE702/ },
    { server: 'dump', tool: 'sleep', json: '{}', status: 1, text: /BRIDLE703/ },
    { server: 'dumb', tool: 'dump', json: '{}', status: 1, text: /BRIDLE214: .*\n.*Did you mean `dump`/ },
    { server: 'off', tool: 'dump', json: '{}', status: 1, text: /BRIDLE214: .*\n.*bridle.yaml:13:3/ },
    { server: 'dump', tool: 'dump', json: '{', status: 2, text: /not JSON/ },
  ])('ends with $status for $server $tool $json', async ({ server, tool, json, status, text }) => {
    const { exitCode, err } = await run(
      (terminal) => call(terminal, server, tool, json, { format: 'text' }),
      values,
    )
    expect(exitCode).toBe(status)
    expect(err).toMatch(text)
  })
})

async function run(
  command: (terminal: Terminal) => Promise<number>,
  variables: Record<string, string>,
  { workingDirectory = folder, isTerminal = false } = {},
) {
  const written = { out: '', err: '' }
  const exitCode = await command({
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    isTerminal,
    colors: { out: false, err: false },
    columns: 200,
    environment: { PATH: process.env['PATH'], ...variables },
    workingDirectory,
    home: folder,
  })
  return { exitCode, ...written }
}
