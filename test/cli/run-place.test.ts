import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { finish, Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

/** A body that says for each path whether it can be written. */
function tryToWrite(...files: string[]): string {
  return files.map((file) => `( echo agent > '${file}' ) 2>/dev/null && echo 'wrote ${file}'`).join('\n')
}

describe('the project of a launch', () => {
  it('is the root of the repository, and the harness starts where bridle was started', async () => {
    mkdirSync(path.join(place.project, '.git'))
    place.writeSpec()
    const sub = place.makeFolder('project/a/b')
    const { stdout, status } = await place.launch(`pwd; ${tryToWrite('../../new')}; exit 0`, [], {
      workingDirectory: sub,
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${sub}\nwrote ../../new\n` })
    expect(readFileSync(path.join(place.project, 'new'), 'utf8')).toBe('agent\n')
  })

  it('is the folder of the spec where there is no repository', async () => {
    place.writeSpec()
    const sub = place.makeFolder('project/a')
    await place.launch(tryToWrite('../new', '../../outside'), [], { workingDirectory: sub })
    expect(readdirSync(place.project).sort()).toEqual(['a', 'bridle.json', 'new'])
    expect(existsSync(path.join(place.folder, 'outside'))).toBe(false) // the /tmp inside is another one
  })

  it('is the working directory when the spec lies elsewhere', async () => {
    const spec = place.writeSpec({}, 'specs/bridle.json')
    const body = `pwd; ${tryToWrite('new', spec)}; cat '${spec}' 2>&1; exit 0`
    const { stdout } = await place.launch(body, ['--config', spec])
    expect(stdout).toMatch(new RegExp(`^${place.project}\nwrote new\ncat: .*: No such file`))
    expect(existsSync(path.join(place.project, 'new'))).toBe(true)
  })

  it("is the working directory for the user's own spec", async () => {
    place.writeSpec({}, 'home/.config/bridle/bridle.json')
    const { stdout } = await place.launch(`pwd; ${tryToWrite('new')}`, ['--user'])
    expect(stdout).toBe(`${place.project}\nwrote new\n`)
  })

  it('is found through links, and seen by its real path', async () => {
    place.writeSpec({ servers: { a: { command: './server', workingDirectory: 'tools' } } })
    place.write('project/tools/server', '#!/bin/sh\n', 0o755)
    symlinkSync(place.project, path.join(place.folder, 'link'))
    const link = path.join(place.folder, 'link')
    const options = { workingDirectory: place.folder, environment: { PWD: link } }
    const body = 'pwd; cat "$CLAUDE_CONFIG_DIR"/*.json'
    const { stdout, status } = await place.launch(
      body,
      ['--config', `${link}/bridle.json`, '--no-require-servers'],
      {
        ...options,
        workingDirectory: link,
      },
    )
    expect(status).toBe(0)
    expect(stdout.split('\n')[0]).toBe(place.project)
    expect(stdout).toContain(`${place.project}/tools`)
    expect(stdout).not.toContain(link)
  })
})

describe('an agent', () => {
  it('cannot write what the next launch trusts, in the folder of the spec and up from the working directory', async () => {
    mkdirSync(path.join(place.project, '.git'))
    const spec = place.writeSpec({}, 'project/sub/bridle.json')
    const deep = place.makeFolder('project/sub/deep')
    const trusted = [
      ...['', 'sub/', 'sub/deep/'].flatMap((folder) =>
        ['yaml', 'json', 'toml'].map((form) => `${folder}bridle.${form}`),
      ),
      ...['', 'sub/'].flatMap((folder) => [`${folder}.bridle/state.json`, `${folder}bridle.lock.json`]),
      ...[
        '.mcp.json',
        '.claude/settings.json',
        '.codex/config.toml',
        '.git/config',
        '.git/hooks/x',
        '.vscode/tasks.json',
        '.cursor/mcp.json',
        '.zed/tasks.json',
        '.gemini/settings.json',
        '.opencode/x',
        'opencode.json',
      ],
    ]
    const before = readFileSync(spec)
    const body = `cd '${place.project}'; mkdir -p .git/hooks .bridle .claude; ${tryToWrite(...trusted, 'sub/deep/fine')}`
    const { stdout } = await place.launch(body, [], { workingDirectory: deep })
    expect(stdout).toBe('wrote sub/deep/fine\n')
    expect(readFileSync(spec)).toEqual(before)
    expect(readdirSync(deep)).toEqual(['fine'])
    expect(readdirSync(path.join(place.project, 'sub')).sort()).toEqual(['bridle.json', 'deep'])
  })

  it('can write instructions for agents and workflows, but no hooks, and not those for Copilot that are there', async () => {
    place.writeSpec()
    const own = ['CLAUDE.md', 'AGENTS.md', '.github/workflows/ci.yaml']
    const copilot = '.github/copilot-instructions.md'
    const dangers = ['.github/hooks/start.json', '.github/mcp.json', '.github/agents/a.md']
    const absent = await place.launch(
      `mkdir -p .github/workflows; ${tryToWrite(...own, ...dangers, copilot)}`,
    )
    expect(absent.stdout).toBe([...own, copilot, ''].map((file) => file && `wrote ${file}`).join('\n'))
    const present = await place.launch(`mv .github x; ${tryToWrite(...own, ...dangers, copilot)}`)
    expect(present.stdout).toBe(own.map((file) => `wrote ${file}\n`).join(''))
  })

  it('cannot change a Bridle that is installed in the project, nor what npx reads to start it', async () => {
    const installed = path.join(place.project, 'node_modules/bridle')
    for (const name of ['dist', 'package.json']) {
      cpSync(path.join(import.meta.dirname, '../..', name), path.join(installed, name), { recursive: true })
    }
    place.writeSpec()
    const trusted = ['bridle/dist/cli.js', 'bridle/package.json', '.bin/bridle', '.bin/node']
    const files = [...trusted.map((file) => `node_modules/${file}`), '.npmrc', 'node_modules/other']
    const program = [process.execPath, path.join(installed, 'dist/cli.js')]
    const body = `mkdir -p node_modules/.bin; mv node_modules x; mv node_modules/bridle x; ${tryToWrite(...files)}`
    const { stdout } = await place.launch(body, [], { program })
    expect(stdout).toBe('wrote node_modules/other\n')
  })

  it('sees nothing of the home of the user, and keeps a cache of its own', async () => {
    place.writeSpec()
    place.write('home/.ssh/id', 'key')
    const body = `ls -A '${place.home}' 2>&1; ls -A ~; echo kept >> ~/.cache/mark; cat ~/.cache/mark; echo x > ~/other`
    await place.launch(body)
    const { stdout } = await place.launch(body)
    expect(stdout).toMatch(/No such file/)
    expect(stdout).not.toContain('.ssh')
    expect(stdout).not.toContain('other')
    expect(stdout).toMatch(/kept\nkept\n$/)
    expect(readdirSync(place.home).sort()).toEqual(['.cache', '.ssh'])
  })

  it('has another cache in another project', async () => {
    place.writeSpec()
    place.writeSpec({}, 'second/bridle.json')
    await place.launch('echo kept > ~/.cache/mark')
    const { stdout } = await place.launch('ls ~/.cache', [], { workingDirectory: place.makeFolder('second') })
    expect(stdout).toBe('')
  })
})

describe('two launches at once in one project', () => {
  it('do not disturb each other, and leave nothing', async () => {
    place.writeSpec()
    const body = `echo ready; read -r line; ${tryToWrite('bridle.yaml')}; echo "$line"`
    const args = ['run', 'claude', '--harness', place.harness(body), '--', '-p', 'x']
    const [first, second] = [place.start(args), place.start(args)]
    const finished = [finish(first), finish(second)]
    await Promise.all([first, second].map((child) => child.stdout && once(child.stdout, 'data')))
    first.stdin?.end('one\n')
    expect(await finished[0]).toMatchObject({ status: 0, stdout: 'ready\none\n' })
    second.stdin?.end('two\n')
    expect(await finished[1]).toMatchObject({ status: 0, stdout: 'ready\ntwo\n' })
    expect(readdirSync(place.project)).toEqual(['bridle.json'])
  })
})

describe('the cache', () => {
  it('lies in XDG_CACHE_HOME, for its owner only', async () => {
    place.writeSpec()
    const cache = path.join(place.folder, 'cache')
    await place.launch('touch ~/.cache/mark', [], { environment: { XDG_CACHE_HOME: cache } })
    const [folder = ''] = readdirSync(path.join(cache, 'bridle/projects'))
    expect(readdirSync(path.join(cache, 'bridle/projects', folder))).toEqual(['mark'])
    expect(readdirSync(place.home)).toEqual([])
  })

  it('that cannot be made is a refusal', async () => {
    place.writeSpec()
    const cache = place.write('file', 'x')
    const { status, stderr } = await place.launch('', [], { environment: { XDG_CACHE_HOME: cache } })
    expect(status).toBe(125)
    expect(stderr).toMatch(
      /^error BRIDLE602: The cache folder .*a part of its path is a file\.\n.*XDG_CACHE_HOME/m,
    )
  })
})

describe('bridle run --dry-run', () => {
  it('shows what would be started and writes nothing', async () => {
    place.writeSpec({
      variables: { KEY: {} },
      servers: { notes: { command: 'sh', arguments: ['-c', 'a b'], variables: { TOKEN: 'KEY' } } },
      targets: {
        claude: { environment: { ANTHROPIC_BASE_URL: 'x', MODE: 'a\u001b[31m\nb', PLAIN: "it's" } },
      },
    })
    const { status, stdout, stderr } = await place.launch('touch started', ['--dry-run'], {
      environment: { KEY: 'canary' },
    })
    expect(status).toBe(0)
    expect(stderr).not.toContain('canary')
    expect(stdout).toMatch(/^command\n {2}\S*programs\/harness .*-p hi$/m)
    expect(stdout).toContain(`working directory\n  ${place.project}\n`)
    expect(stdout).toContain('  BRIDLE_V1=<value of KEY>\n')
    expect(stdout).toContain(`  MODE=$'a\\u001b[31m\\nb'\n  PLAIN='it'\\''s'\n`)
    expect(stdout).toContain('network\n  none\n')
    expect(stdout).toMatch(
      new RegExp(`read-write\n  ${place.project}\n  ${place.home}/.cache/.* as /home/agent/.cache\n`),
    )
    expect(stdout).toMatch(/protected in the project\n {2}bridle\.yaml\n/)
    expect(stdout).not.toContain('canary')
    expect(readdirSync(place.home)).toEqual([])
    expect(readdirSync(place.project)).toEqual(['bridle.json'])
  })

  it('still refuses what a launch would', async () => {
    place.writeSpec({ variables: { KEY: {} }, servers: { a: { command: 'sh', variables: ['KEY'] } } })
    expect(await place.launch('', ['--dry-run'])).toMatchObject({ status: 125, stdout: '' })
  })
})

describe('bridle run --servers', () => {
  it('starts these only, and asks only for their secrets', async () => {
    place.writeSpec({
      variables: { A: {}, B: {} },
      servers: {
        a: { command: 'sh', variables: ['A'] },
        b: { command: 'no-such', variables: ['B'] },
        c: { command: 'sh' },
      },
    })
    const args = ['--servers', 'a, c', '--no-require-servers']
    const { status, stderr } = await place.launch('', args, { environment: { A: 'x' } })
    expect(status).toBe(0)
    expect(stderr).toMatch(/^bridle: 2 servers: a, c$/m)
  })
})
