import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Finished, Workplace } from '../fixtures/workplace.ts'

/**
 * A stand-in for `claude mcp`, as far as Bridle uses it: like the real one it adds nothing that is there, reads an entry
 * from standard input, and keeps the servers in a file of its own state. `FAIL_AT` is the call that fails.
 */
const standIn = `#!/usr/bin/env node
const fs = require('node:fs')
const state = process.env.HOME + '/.claude.json'
const log = process.env.HOME + '/calls'
const [, , mcp, action, ...args] = process.argv
const before = fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : ''
fs.writeFileSync(log, before + action + ' ' + args.join(' ') + '\\n')
const calls = before.split('\\n').length
if (calls === Number(process.env.FAIL_AT)) {
  console.error('\\u001b[31mno more today')
  process.exit(1)
}
const content = fs.existsSync(state) ? JSON.parse(fs.readFileSync(state, 'utf8')) : { startups: 1 }
const servers = (content.mcpServers ??= {})
const name = args[2]
if (action === 'remove') delete servers[name]
else if (servers[name]) process.exit(1)
else {
  servers[name] = JSON.parse(fs.readFileSync(0, 'utf8'))
  if (process.env.FORGET) delete servers[name][process.env.FORGET]
}
fs.writeFileSync(state, JSON.stringify(content))
`

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  place.write('programs/claude', standIn, 0o755)
  place.write('home/.claude.json', JSON.stringify({ startups: 7, mcpServers: { mine: { command: 'x' } } }))
})
afterEach(() => place.remove())

function writeSpec(servers: object): void {
  place.writeSpec(
    { variables: { TOKEN: {} }, servers, targets: { claude: {} } },
    'home/.config/bridle/bridle.json',
  )
}

async function build(args: readonly string[] = [], more: Record<string, string> = {}): Promise<Finished> {
  const searchPath = [path.join(place.folder, 'programs'), path.dirname(process.execPath), '/usr/bin', '/bin']
  return place.run(['build', '--user', ...args], { environment: { PATH: searchPath.join(':'), ...more } })
}

function servers(): Record<string, { args?: unknown }> {
  return JSON.parse(readFileSync(path.join(place.home, '.claude.json'), 'utf8')).mcpServers
}

function settings(): boolean {
  return existsSync(path.join(place.home, '.claude/settings.json'))
}

const two = {
  a: { command: 'a', arguments: ['literal-of-mine'], tools: { exclude: ['x'] } },
  b: { command: 'b', variables: ['TOKEN'] },
}

describe("The user's servers of a harness that keeps them itself", () => {
  it('are changed by its own command, the entry over standard input, and taken out again', async () => {
    writeSpec(two)
    const { status, stdout, stderr } = await build()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(
      /^~\/\.claude\.json: added mcpServers\.a, mcpServers\.b \(through `claude`\)\n {2}Claude Code reads/,
    )
    expect(Object.keys(servers())).toEqual(['mine', 'a', 'b'])
    expect(readFileSync(path.join(place.home, 'calls'), 'utf8')).not.toContain('literal-of-mine')
    expect((await build()).stdout).toBe('nothing to do: 2 files checked\n')
    writeSpec({ a: { command: 'a', arguments: ['new'] } })
    expect((await build(['--check'])).status).toBe(3)
    expect((await build()).stdout).toContain('changed mcpServers.a; removed mcpServers.b (through `claude`)')
    expect(servers()).toMatchObject({ mine: { command: 'x' }, a: { args: ['new'] } })
    expect(await build(['--remove'])).toMatchObject({ status: 0, stderr: '' })
    expect(servers()).toEqual({ mine: { command: 'x' } })
  })

  it('are a conflict when they were written by hand, until they are adopted', async () => {
    writeSpec({ mine: { command: 'new' } })
    const { status, stderr } = await build()
    expect(status).toBe(1)
    expect(stderr).toMatch(/BRIDLE404: `mcpServers\.mine` in `~\/\.claude\.json` was not written by Bridle/)
    expect(servers()).toEqual({ mine: { command: 'x' } })
    const difference = /"mcpServers\.mine": \{\n- {4}"command": "x"\n(\+.*\n)*\+ {4}"command": "new",\n/
    expect((await build(['--diff'])).stdout).toMatch(difference)
    const preview = await build(['--adopt', '--diff'])
    expect(preview.status).toBe(0)
    expect(preview.stdout).toMatch(/^--- ~\/\.claude\.json\n/)
    expect(preview.stdout).toMatch(difference)
    expect(servers()).toEqual({ mine: { command: 'x' } })
    const adopted = await build(['--adopt'])
    expect(adopted.status).toBe(0)
    expect(adopted.stdout).toMatch(difference)
    expect(adopted.stdout).toContain('~/.claude.json: changed mcpServers.mine (through `claude`)\n')
    expect(servers()).toMatchObject({ mine: { command: 'new' } })
  })

  it.each([1, 2, 3])(
    'are as they were when call %i of the command fails, and so is every file',
    async (call) => {
      writeSpec({ a: { command: 'old' } })
      await build()
      const before = servers()
      writeSpec(two)
      const calls = readFileSync(path.join(place.home, 'calls'), 'utf8').split('\n').length - 1
      const { status, stdout, stderr } = await build([], { FAIL_AT: String(calls + call) })
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/BRIDLE409: `claude` did not change `[ab]`: no more today/)
      expect(stderr).toContain('What it did before was undone')
      expect(servers()).toEqual(before)
      expect(settings()).toBe(false)
      expect((await build()).status).toBe(0)
      expect(Object.keys(servers())).toEqual(['mine', 'a', 'b'])
    },
  )

  it('are as they were when it stores something else than it was given', async () => {
    writeSpec(two)
    const { status, stderr } = await build([], { FORGET: 'args' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/BRIDLE409: `claude` did not store in `~\/\.claude\.json` what it was given/)
    expect(servers()).toEqual({ mine: { command: 'x' } })
    expect(settings()).toBe(false)
  })

  it('stay when the command is not on PATH, or only in the project', async () => {
    writeSpec(two)
    place.write('project/node_modules/.bin/claude', standIn, 0o755)
    const PATH = `${place.project}/node_modules/.bin:${path.dirname(process.execPath)}:/usr/bin:/bin`
    const { status, stderr } = await build([], { PATH })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /BRIDLE409: `claude` was not found on PATH, and only it changes `~\/\.claude\.json`/,
    )
    expect(servers()).toEqual({ mine: { command: 'x' } })
  })

  it('are changed by a program whose interpreter is not one of the project, where an agent could have put it', async () => {
    writeSpec(two)
    const mark = path.join(place.folder, 'ran')
    place.write('project/node_modules/.bin/node', `#!/bin/sh\ntouch '${mark}'\n`, 0o755)
    const rest = [path.join(place.folder, 'programs'), path.dirname(process.execPath), '/usr/bin', '/bin']
    const PATH = ['node_modules/.bin', path.join(place.project, 'node_modules/.bin'), ...rest].join(':')
    const { status, stderr } = await build([], { PATH })
    expect(existsSync(mark)).toBe(false)
    expect(status, stderr).toBe(0)
    expect(Object.keys(servers())).toEqual(['mine', 'a', 'b'])
  })

  it('are never there without the rules about their tools, also when Bridle is killed meanwhile', async () => {
    const stand = place.write('stand-in', standIn)
    const guard = 'grep -q mcp__a__x "$HOME/.claude/settings.json" || echo "$*" >> "$HOME/unguarded"'
    place.write('programs/claude', `#!/bin/sh\n${guard}\nexec node '${stand}' "$@"\n`, 0o755)
    writeSpec(two)
    for (const args of [[], ['--remove']]) {
      const { status, stderr } = await build(args)
      expect(status, stderr).toBe(0)
    }
    expect(readFileSync(path.join(place.home, 'calls'), 'utf8')).toMatch(
      /add-json.*\n.*add-json.*\nremove.*\nremove/,
    )
    expect(existsSync(path.join(place.home, 'unguarded'))).toBe(false)
    expect(settings()).toBe(false)
  })
})
