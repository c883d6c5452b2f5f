import { readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { formIds } from '../../src/import/forms/index.ts'
import { Workplace } from '../fixtures/workplace.ts'
import { searchFor } from '../support/canary.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const mcp = (servers: object) => JSON.stringify({ mcpServers: servers }, null, 2)

describe('bridle import', () => {
  it('prints a spec that checks and builds, and tells what it did by file and place', async () => {
    place.write(
      'project/.mcp.json',
      mcp({
        'My Docs': {
          type: 'http',
          url: 'https://docs.example.com/mcp',
          headers: { Authorization: 'Bearer ${DOCS_TOKEN}' },
        },
        old: { type: 'sse', url: 'https://old.example.com/sse' },
      }),
    )
    const { status, stdout, stderr } = await place.run(['import', '.mcp.json'])
    expect(status).toBe(0)
    expect(stdout).toBe(`# Imported from .mcp.json (Claude Code) by \`bridle import\`.
# Left out: old. The report of the import says why.

version: 1
variables:
  DOCS_TOKEN: {}
servers:
  my-docs:
    title: My Docs
    url: https://docs.example.com/mcp
    bearerTokenVariable: DOCS_TOKEN
targets:
  claude: {}
`)
    expect(stderr).toContain('note BRIDLE425: The server is called `my-docs` now')
    expect(stderr).toContain('.mcp.json:11:7 · server old')
    expect(stderr).toMatch(/\.mcp\.json: 1 server and 1 variable imported; 1 server left out\n$/)
    place.write('project/bridle.yaml', stdout)
    expect((await place.run(['check'])).status).toBe(0)
    const built = await place.run(['build', '--print'])
    expect(built.stdout).toContain('"Authorization": "Bearer ${DOCS_TOKEN}"')
  })

  it('writes a file, as its name says, and replaces none unless it is told to', async () => {
    place.write('project/.mcp.json', mcp({ a: { command: 'a' } }))
    expect(await place.run(['import', '.mcp.json', '--out', 'bridle.json'])).toMatchObject({
      status: 0,
      stdout: 'bridle.json\n',
    })
    const file = path.join(place.project, 'bridle.json')
    const spec = { version: 1, servers: { a: { command: 'a' } }, targets: { claude: {} } }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(spec)

    expect((await place.run(['import', '.mcp.json', '--out', 'bridle.toml'])).status).toBe(0)
    expect(readFileSync(path.join(place.project, 'bridle.toml'), 'utf8')).toBe(
      '# Imported from .mcp.json (Claude Code) by `bridle import`.\n\nversion = 1\n\n[servers.a]\ncommand = "a"\n\n[targets.claude]\n',
    )

    place.write('project/bridle.json', 'mine')
    const refused = await place.run(['import', '.mcp.json', '--out', 'bridle.json'])
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('bridle import: bridle.json is already there; `--force` replaces it\n')
    expect(readFileSync(file, 'utf8')).toBe('mine')

    expect((await place.run(['import', '.mcp.json', '--out', 'bridle.json', '--force'])).status).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(spec)
    expect((await place.run(['import', '.mcp.json', '--format', 'json'])).stdout).toBe(
      readFileSync(file, 'utf8'),
    )
  })

  it('does not write through a link that leads nowhere', async () => {
    place.write('project/.mcp.json', mcp({}))
    symlinkSync(path.join(place.folder, 'elsewhere'), path.join(place.project, 'bridle.yaml'))
    expect((await place.run(['import', '.mcp.json', '--out', 'bridle.yaml'])).status).toBe(1)
  })

  it.each([
    ['--out', 'bridle.txt'],
    ['--out', 'bridle.yaml', '--format', 'json'],
    ['--format', 'xml'],
    ['--unknown'],
  ])('ends with 2 for %s %s %s %s', async (...options) => {
    place.write('project/.mcp.json', mcp({}))
    expect(await place.run(['import', '.mcp.json', ...options])).toMatchObject({ status: 2, stdout: '' })
  })

  it('reads the files of a program from their default places, the nearer first', async () => {
    place.write(
      'home/.codex/config.toml',
      '[mcp_servers.a]\ncommand = "far"\n[mcp_servers.b]\ncommand = "b"\n',
    )
    place.write('project/.codex/config.toml', '[mcp_servers.a]\ncommand = "near"\n')
    const { status, stdout, stderr } = await place.run(['import', 'codex'])
    expect(status).toBe(0)
    expect(parse(stdout)).toEqual({
      version: 1,
      servers: { a: { command: 'near' }, b: { command: 'b' } },
      targets: { codex: {} },
    })
    expect(stderr).toContain('BRIDLE426')
    expect(stderr).toContain('.codex/config.toml:1:14 · server a')
  })

  it.each([
    ['claude', 'home/.claude.json', mcp({ u: { command: 'u' } })],
    ['kimi', 'home/.kimi-code/mcp.json', mcp({ u: { command: 'u' } })],
    ['copilot', 'home/.copilot/mcp-config.json', mcp({ u: { command: 'u' } })],
    ['cursor', 'home/.cursor/mcp.json', mcp({ u: { command: 'u' } })],
    ['vscode', 'home/.config/Code/User/mcp.json', '{ "servers": { "u": { "command": "u" } } }'],
    ['copilot', 'project/.github/mcp.json', mcp({ u: { command: 'u' } })],
    ['vscode', 'project/.vscode/mcp.json', '{ "servers": { "u": { "command": "u" } } }'],
  ])('finds the file of %s at %s', async (program, file, text) => {
    place.write(file, text)
    const { status, stdout } = await place.run(['import', program])
    expect(status).toBe(0)
    expect(parse(stdout).servers).toEqual({ u: { command: 'u' } })
  })

  it('finds the files in the folder that a variable of the program names', async () => {
    place.write('elsewhere/mcp.json', mcp({ u: { command: 'u' } }))
    const environment = { KIMI_CODE_HOME: path.join(place.folder, 'elsewhere') }
    expect((await place.run(['import', 'kimi'], { environment })).status).toBe(0)
  })

  it('takes the rules of Claude Code from its settings, and the servers of this project from its state', async () => {
    place.write('project/.mcp.json', mcp({ a: { command: 'a' } }))
    place.write('project/.claude/settings.json', JSON.stringify({ permissions: { deny: ['mcp__a__drop'] } }))
    place.write('home/.claude/settings.json', JSON.stringify({ permissions: { ask: ['mcp__l'] } }))
    const projects = { [place.project]: { mcpServers: { l: { command: 'l' } } } }
    place.write('home/.claude.json', JSON.stringify({ projects }))
    const { stdout } = await place.run(['import', 'claude'])
    expect(parse(stdout).servers).toEqual({
      l: { command: 'l', requiresConfirmation: true },
      a: { command: 'a', tools: { exclude: ['drop'] } },
    })
  })

  it('says where it looked when there is nothing', async () => {
    const { status, stdout, stderr } = await place.run(['import', 'cursor'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('error BRIDLE420: No configuration of Cursor was found')
    expect(stderr).toContain('.cursor/mcp.json')
  })

  it.each([
    ['does-not-exist.json', 'BRIDLE101'],
    ['.', 'BRIDLE103'],
    ['mentor', 'BRIDLE420'],
  ])('refuses %s with %s', async (source, code) => {
    const { status, stdout, stderr } = await place.run(['import', source])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(`error ${code}: `)
  })

  it.each(['{ "mcpServers": { "a": ', '{ "mcpServers": { "a": {}, "a": {} } }', 'not JSON', '\u0000'])(
    'refuses the broken file %j with its place and without a stack trace',
    async (text) => {
      place.write('project/.mcp.json', text)
      const { status, stdout, stderr } = await place.run(['import', '.mcp.json'])
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^error BRIDLE10[567]: /)
      expect(stderr).not.toMatch(/\bat .*\.js|internal fault/)
    },
  )

  it.each(formIds)('takes the form %s by name', async (form) => {
    const text = { codex: '', mentor: '[]' }[form] ?? '{}'
    place.write('project/file', text)
    const { status, stderr } = await place.run(['import', 'file', '--from', form])
    expect(stderr).not.toContain('BRIDLE420')
    expect(status).toBe(0)
  })

  it('asks for the form of a file that several programs read', async () => {
    place.write('project/mcp.json', mcp({ a: { command: 'a', env: { A: '${env:A}' } } }))
    const { status, stderr } = await place.run(['import', 'mcp.json'])
    expect(status).toBe(1)
    expect(stderr).toContain('--from FORM')
    expect(parse((await place.run(['import', 'mcp.json', '--from', 'cursor'])).stdout)).toEqual({
      version: 1,
      variables: { A: {} },
      servers: { a: { command: 'a', variables: ['A'] } },
    })
  })

  it('copies no secret, and shows none: not even the line in which one stands', async () => {
    const secret = 'canary-5e4d-c3b2a1908f7e'
    const text = mcp({
      a: { command: 'a', env: { API_KEY: secret, B_TOKEN: `x${secret}` }, unknown: secret },
      b: { command: 'b', args: [`--password=${secret}`] },
      c: { type: 'http', url: `https://u:${secret}@c.example.com/mcp` },
    })
    const file = place.write('project/.mcp.json', text.replaceAll('\n', ' '))
    const { status, stdout, stderr } = await place.run(['import', file, '--out', 'bridle.yaml'])
    expect(status).toBe(0)
    const written = readFileSync(path.join(place.project, 'bridle.yaml'), 'utf8')
    expect(parse(written).servers).toEqual({
      a: { command: 'a', variables: ['API_KEY', 'B_TOKEN'] },
      c: { url: 'https://c.example.com/mcp' },
    })
    for (const output of [stdout, stderr, written])
      expect(searchFor([secret]).notationIn(output)).toBeUndefined()
    expect(stderr.match(/BRIDLE423/g)).toHaveLength(4)
    expect(stderr).toContain('Replace the secret where it was issued')
  })
})
