import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Finished, Workplace } from '../fixtures/workplace.ts'
import { claudeBinary, codexBinary, copilotBinary, copilotUnpacked } from './support/programs.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  mkdirSync(path.join(place.folder, 'programs'))
  for (const [name, binary] of Object.entries({
    claude: claudeBinary,
    codex: codexBinary,
    copilot: copilotBinary,
  })) {
    symlinkSync(binary, path.join(place.folder, 'programs', name))
  }
})
afterEach(() => place.remove())

async function build(...args: string[]): Promise<Finished> {
  const searchPath = [path.join(place.folder, 'programs'), path.dirname(process.execPath), '/usr/bin', '/bin']
  const environment = { PATH: searchPath.join(':'), XDG_CACHE_HOME: path.dirname(copilotUnpacked) }
  return place.run(['build', '--verify', ...args], { environment })
}

const common = {
  notes: {
    command: 'npx',
    arguments: ['-y', '', { verbatim: '${HOME} $USER "quoted" \\ \n' }],
    environment: { LEVEL: '$5', EMPTY: '' },
    variables: ['TOKEN'],
    tools: { exclude: ['rm'] },
    toolTimeoutMs: 5000,
  },
  docs: { url: 'https://mcp.example.com/mcp', headers: { 'X-Team': 'core' }, bearerTokenVariable: 'TOKEN' },
}

describe('bridle build --verify', () => {
  it.each(['claude', 'codex', 'copilot'])(
    'has the real program read back what is written for %s',
    async (target) => {
      place.writeSpec({ variables: { TOKEN: {} }, servers: common, targets: { [target]: {} } })
      const { status, stdout, stderr } = await build()
      expect(stderr).not.toContain('BRIDLE412')
      expect(status, stderr).toBe(0)
      expect(stdout).toContain('notes')
      const told = /\nread back as the spec has it: .*(Claude|Codex|Copilot)/
      expect(stdout).toMatch(told)
      const again = await build()
      expect(again.stdout).toContain('nothing to do: ')
      expect(again.stdout).toMatch(told)
    },
  )

  it('says that nothing was read back where the harness cannot be asked', async () => {
    place.writeSpec({ servers: { a: { command: 'a' } }, targets: { kimi: {} } })
    const { status, stdout, stderr } = await build()
    expect(status).toBe(0)
    expect(stderr).toContain('note BRIDLE412: Kimi Code has no way to tell')
    expect(stdout).toMatch(/\nnothing was read back\n$/)
  })

  it('reads one file back by each of its readers', async () => {
    const targets = { claude: {}, copilot: {} }
    place.writeSpec({ variables: { TOKEN: {} }, servers: common, targets })
    const { status, stderr } = await build()
    expect(stderr).not.toContain('BRIDLE412')
    expect(status, stderr).toBe(0)
  })
})
