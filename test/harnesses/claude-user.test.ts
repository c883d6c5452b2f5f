import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Finished, Workplace } from '../fixtures/workplace.ts'
import { claudeBinary } from './support/programs.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

async function build(...args: string[]): Promise<Finished> {
  const searchPath = [path.dirname(claudeBinary), path.dirname(process.execPath), '/usr/bin', '/bin']
  const environment = {
    PATH: searchPath.join(':'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  return place.run(['build', '--user', ...args], { environment })
}

function writeSpec(servers: object): void {
  const spec = { variables: { TOKEN: {} }, servers, targets: { claude: {} } }
  place.writeSpec(spec, 'home/.config/bridle/bridle.json')
}

function stored(): { mcpServers: Record<string, unknown>; foreign?: unknown } {
  return JSON.parse(readFileSync(path.join(place.home, '.claude.json'), 'utf8'))
}

const mine = { type: 'stdio', command: 'mine', args: [] }

describe('bridle build --user, by the command of the real Claude Code', () => {
  it('adds, changes and removes servers of the user, and no others', async () => {
    place.write('home/.claude.json', JSON.stringify({ foreign: 1, mcpServers: { mine } }))
    writeSpec({
      notes: {
        command: 'npx',
        arguments: ['-y', '', { verbatim: '${HOME} "quoted"\n' }],
        variables: ['TOKEN'],
        tools: { exclude: ['rm'] },
        toolTimeoutMs: 5000,
      },
      docs: {
        url: 'https://mcp.example.com/mcp',
        headers: { 'X-Team': 'core' },
        bearerTokenVariable: 'TOKEN',
      },
    })
    expect(await build()).toMatchObject({ status: 0, stderr: '' })
    expect(stored()).toMatchObject({
      foreign: 1,
      mcpServers: {
        mine,
        notes: {
          args: ['-y', '', '${BRIDLE_U:-$}{HOME} "quoted"\n'],
          env: { TOKEN: '${TOKEN}' },
          timeout: 5000,
        },
        docs: { headers: { 'X-Team': 'core', Authorization: 'Bearer ${TOKEN}' } },
      },
    })
    expect(readFileSync(path.join(place.home, '.claude/settings.json'), 'utf8')).toContain('mcp__notes__rm')
    expect((await build('--check')).status).toBe(0)
    writeSpec({ notes: { command: 'other' } })
    expect((await build()).status).toBe(0)
    expect(stored().mcpServers).toEqual({ mine, notes: { type: 'stdio', command: 'other', args: [] } })
    expect(existsSync(path.join(place.home, '.claude/settings.json'))).toBe(false)
    expect(await build('--remove')).toMatchObject({ status: 0, stderr: '' })
    expect(stored().mcpServers).toEqual({ mine })
  })
})
