import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint } from '../../src/install/entries.ts'
import { type StartOptions, Workplace } from '../fixtures/workplace.ts'
import { filesBelow } from '../support/canary.ts'

const isRoot = process.getuid?.() === 0
const servers = { a: { command: 'a' } }

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  mkdirSync(path.join(place.project, '.git/hooks'), { recursive: true })
  place.writeSpec({ servers, targets: { claude: {} } })
})
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+w', place.folder])
  place.remove()
})

/** Every file with its text, to see that nothing has changed. */
function everything(): Record<string, string> {
  return Object.fromEntries(filesBelow(place.folder).map((file) => [file, readFileSync(file, 'utf8')]))
}

function project(name: string): string {
  return path.join(place.project, name)
}

async function isRefused(code: string, reason: RegExp, options: StartOptions = {}): Promise<void> {
  const before = everything()
  const { status, stdout, stderr } = await place.run(['build'], options)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(code)
  expect(stderr).toMatch(reason)
  expect(everything()).toEqual(before)
}

describe('A link in a project, which an agent may have made', () => {
  const links: Readonly<Record<string, { make: () => void; targets?: object }>> = {
    'the file, to a file of the home folder': {
      make: () => symlinkSync(place.write('home/.claude.json', '{}'), project('.mcp.json')),
    },
    'a folder, to one of the home folder': {
      targets: { codex: {} },
      make: () => symlinkSync(place.makeFolder('home/.codex'), project('.codex')),
    },
    'a folder, by a relative link through another one': {
      targets: { codex: {} },
      make: () => {
        place.makeFolder('home/.codex')
        symlinkSync('../home', project('up'))
        symlinkSync('up/.codex', project('.codex'))
      },
    },
    "the file, to git's own settings": {
      targets: { codex: {} },
      make: () => {
        place.write('project/.git/config', '')
        place.makeFolder('project/.codex')
        symlinkSync('../.git/config', project('.codex/config.toml'))
      },
    },
    'the file, to the spec': {
      make: () => symlinkSync('bridle.json', project('.mcp.json')),
    },
    'the record of earlier builds': {
      make: () => {
        place.makeFolder('project/.bridle')
        symlinkSync(place.write('home/notes.json', '{}'), project('.bridle/state.json'))
      },
    },
    'the folder of that record': {
      make: () => symlinkSync(place.makeFolder('home/elsewhere'), project('.bridle')),
    },
  }

  it.each(Object.entries(links))('is not followed out of it: %s', async (_, { make, targets }) => {
    make()
    if (targets) place.writeSpec({ servers, targets })
    await isRefused('BRIDLE406', /is reached by a link/)
  })

  it('is followed within it, and stays a link', async () => {
    place.write('project/config/mcp.json', '{\n}\n')
    symlinkSync('config/mcp.json', project('.mcp.json'))
    expect(await place.run(['build'])).toMatchObject({ status: 0, stderr: '' })
    expect(readlinkSync(project('.mcp.json'))).toBe('config/mcp.json')
    expect(readFileSync(project('config/mcp.json'), 'utf8')).toContain('"a"')
    await place.run(['build', '--remove'])
    expect(readFileSync(project('config/mcp.json'), 'utf8')).toBe('{\n}\n')
  })

  it('that makes one file of two is refused', async () => {
    place.write('project/.claude/settings.json', '{}')
    symlinkSync('.claude/settings.json', project('.mcp.json'))
    await isRefused('BRIDLE405', /are one file, by a link/)
  })

  it('of the name of a temporary file is not written through', async () => {
    const victim = place.write('home/victim', 'mine')
    symlinkSync(victim, project('.mcp.json.bridle-new'))
    expect(await place.run(['build'])).toMatchObject({ status: 0, stderr: '' })
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(lstatSync(project('.mcp.json')).isFile()).toBe(true)
  })
})

describe("A link of the user's own", () => {
  it('is followed wherever it leads, and stays a link', async () => {
    place.writeSpec({ servers, targets: { codex: {} } }, 'home/.config/bridle/bridle.json')
    const real = place.write('dotfiles/codex.toml', '# mine\n', 0o600)
    mkdirSync(path.join(place.home, '.codex'))
    symlinkSync(real, path.join(place.home, '.codex/config.toml'))
    expect(await place.run(['build', '--user'])).toMatchObject({ status: 0, stderr: '' })
    expect(lstatSync(path.join(place.home, '.codex/config.toml')).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain('mcp_servers.a')
    expect(statSync(real).mode & 0o777).toBe(0o600)
    await place.run(['build', '--user', '--remove'])
    expect(readFileSync(real, 'utf8')).toBe('# mine\n')
  })
})

describe('What is no file that can be written', () => {
  const obstacles: Readonly<Record<string, { make: () => void; reason: RegExp }>> = {
    'a folder': { make: () => mkdirSync(project('.mcp.json')), reason: /is a folder, not a file/ },
    'a pipe': {
      make: () => execFileSync('mkfifo', [project('.mcp.json')]),
      reason: /is a pipe, not a file/,
    },
    'a link that leads nowhere': {
      make: () => symlinkSync('nowhere', project('.mcp.json')),
      reason: /is a link that leads nowhere/,
    },
    'a link to itself': {
      make: () => symlinkSync('.mcp.json', project('.mcp.json')),
      reason: /a link in its path leads back to itself/,
    },
    'a device': {
      make: () => symlinkSync('/dev/zero', project('.mcp.json')),
      reason: /leads to \/dev\/zero/,
    },
    'a file of more than anybody writes, of which the disk may hold nothing': {
      make: () => truncateSync(place.write('project/.mcp.json', ''), 65 * 1024 * 1024),
      reason: /has 65 MiB, and Bridle edits none of more than 64/,
    },
    'a read-only file': {
      make: () => place.write('project/.mcp.json', '{}', 0o444),
      reason: /is read-only/,
    },
    'a file in a read-only folder': {
      make: () => chmodSync(place.project, 0o555),
      reason: /which you may not write/,
    },
    'a record that is a pipe': {
      make: () => {
        mkdirSync(project('.bridle'))
        execFileSync('mkfifo', [project('.bridle/state.json')])
      },
      reason: /state\.json` is a pipe, not a file/,
    },
    'a file where the folder of the record belongs': {
      make: () => place.write('project/.bridle', ''),
      reason: /a part of its path is a file/,
    },
  }

  it.each(Object.entries(obstacles))('is named, and nothing is changed: %s', async (_, { make, reason }) => {
    make()
    await isRefused('BRIDLE40', reason)
  })

  it('holds back every other file of the build', async () => {
    place.writeSpec({ servers, targets: { codex: {}, claude: {} } })
    mkdirSync(project('.mcp.json'))
    await isRefused('BRIDLE405', /is a folder/)
    expect(existsSync(project('.codex'))).toBe(false)
  })
})

describe('Owner and mode', () => {
  it.each([0o600, 0o640, 0o664])('stay: %o', async (mode) => {
    place.write('project/.mcp.json', '{}', mode)
    await place.run(['build'])
    expect(statSync(project('.mcp.json')).mode & 0o777).toBe(mode)
  })

  it('are 0644 and 0755 for what is new', async () => {
    place.writeSpec({ servers, targets: { codex: {} } })
    await place.run(['build'])
    expect(statSync(project('.codex')).mode & 0o777).toBe(0o755)
    expect(statSync(project('.codex/config.toml')).mode & 0o777).toBe(0o644)
  })

  it.runIf(isRoot)('stay when root builds in the project of somebody else', async () => {
    place.write('project/.mcp.json', '{}', 0o640)
    chownSync(project('.mcp.json'), 12_345, 23_456)
    expect((await place.run(['build'])).status).toBe(0)
    expect(statSync(project('.mcp.json'))).toMatchObject({ uid: 12_345, gid: 23_456 })
    expect(statSync(project('.mcp.json')).mode & 0o777).toBe(0o640)
  })

  it.runIf(isRoot)('would not stay for anybody else, so that the file is left alone', async () => {
    place.write('project/.mcp.json', '{}', 0o666)
    for (const folder of [place.folder, place.project, place.home]) chmodSync(folder, 0o777)
    await isRefused('BRIDLE405', /belongs to another user/, { identity: { uid: 12_345, gid: 12_345 } })
  })
})

describe('A record that somebody else has written', () => {
  it('removes no file and no folder that holds something', async () => {
    place.write('project/src/keep.json', '{ "a": 1 }')
    const record = {
      targets: ['claude'],
      created: true,
      folders: ['src'],
      members: { '/a': ['0'.repeat(64)] },
    }
    place.write(
      'project/.bridle/state.json',
      JSON.stringify({ version: 1, files: { 'src/keep.json': record } }),
    )
    const { status, stderr } = await place.run(['build', '--remove'])
    expect(status).toBe(1)
    expect(stderr).toContain('BRIDLE404')
    expect(readFileSync(project('src/keep.json'), 'utf8')).toBe('{ "a": 1 }')
    rmSync(project('src/keep.json'))
    writeFileSync(project('src/other'), '')
    await place.run(['build', '--remove'])
    expect(existsSync(project('src/other'))).toBe(true)
  })

  /** A file that says what the record claims: by its fingerprint, anybody could know it. */
  function forge(file: string, text: string, record: object): void {
    if (text !== '') place.write(`project/${file}`, text)
    const files = { [file]: { targets: ['claude'], ...record } }
    place.write('project/.bridle/state.json', JSON.stringify({ version: 1, files }))
  }

  it('removes no folder behind a link, nor one in which git keeps its own', async () => {
    place.makeFolder('home/empty')
    place.makeFolder('project/.git/refs/tags')
    symlinkSync(place.home, project('link'))
    for (const folder of ['link/empty', '.git/refs/tags']) {
      forge('gone.json', '', { targets: ['kimi'], folders: [folder] })
      await place.run(['build'])
      await place.run(['build', '--remove'])
      expect(existsSync(project(folder))).toBe(true)
    }
  })

  it('takes nothing out of what is not a config file of a harness: the spec, git, the record itself', async () => {
    for (const file of ['.git/own.json', '.GIT/own.json', 'bridle.json', '.bridle/state.json']) {
      forge(file, '{ "version": 1 }', { members: { '/version': [fingerprint(1)] } })
      if (file === 'bridle.json') place.writeSpec({ servers })
      const before = readFileSync(project(file), 'utf8')
      const { stderr } = await place.run(['build', '--diff'])
      expect(stderr).toContain('BRIDLE411')
      await place.run(['build', '--remove'])
      if (file !== '.bridle/state.json') expect(readFileSync(project(file), 'utf8')).toBe(before)
    }
  })

  const mine = { mine: { command: 'mine' } }
  const claims: Readonly<Record<string, object>> = {
    'the table of all servers': { members: { '/mcpServers': [fingerprint(mine)] } },
    'the whole file': { members: { '': [fingerprint({ mcpServers: mine, other: ['x'] })] } },
    'what is no server': { members: { '/other': [fingerprint(['x'])] } },
    'an element where none is ours': { elements: { '/other': [fingerprint('x')] } },
    'an entry and what it lies in': {
      members: { '/mcpServers': [fingerprint(mine)], '/mcpServers/mine': [fingerprint(mine.mine)] },
    },
  }
  for (const [claim, record] of Object.entries(claims)) {
    it(`takes nothing out of a file because it claims ${claim}`, async () => {
      const text = JSON.stringify({ mcpServers: mine, other: ['x'] })
      forge('.mcp.json', text, record)
      const { status, stderr } = await place.run(['build'])
      expect(status, stderr).toBe(0)
      expect(JSON.parse(readFileSync(project('.mcp.json'), 'utf8'))).toMatchObject(JSON.parse(text))
      await place.run(['build', '--remove'])
      expect(readFileSync(project('.mcp.json'), 'utf8')).toBe(text)
    })
  }

  it.runIf(isRoot)(
    'is not looked for above the working directory when another user has put it there',
    async () => {
      rmSync(project('.git'), { recursive: true })
      rmSync(project('bridle.json'))
      const text = '{ "a": 1 }'
      place.write('project/sub/x.json', text)
      forge('sub/x.json', text, { members: { '/a': [fingerprint(1)] } })
      chownSync(project('.bridle/state.json'), 12_345, 12_345)
      await place.run(['build', '--remove'], { workingDirectory: project('sub') })
      expect(readFileSync(project('sub/x.json'), 'utf8')).toBe(text)
    },
  )

  it('steers no workflow of GitHub by the name of a file', async () => {
    const file = '::stop-commands::x/y.json'
    forge(file, '{ "a": 1 }', { targets: ['kimi'], members: { '/a': [fingerprint(1)] } })
    const { stdout } = await place.run(['build', '--check'])
    expect(stdout).toContain(`./${file}: would remove a`)
    expect(stdout).not.toMatch(/^\s*::/m)
  })

  it('puts nothing into a file in place of what Bridle found there', async () => {
    const text = 'mcp_servers = { a = { command = "a" } }\n'
    const members = { '/mcp_servers/a': [fingerprint({ command: 'a' })] }
    for (const origin of ['{ evil = { command = "evil" } }', '{}\n[evil]', '{}\n# evil', '"evil"']) {
      forge('.codex/config.toml', text, { targets: ['codex'], members, origins: { '/mcp_servers': origin } })
      const { status } = await place.run(['build', '--remove'])
      expect(status).toBe(0)
      expect(readFileSync(project('.codex/config.toml'), 'utf8')).toBe('mcp_servers = {}\n')
    }
  })
})
