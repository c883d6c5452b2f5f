import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = new Workplace()
})
afterAll(() => place.remove())
beforeEach(() => {
  place.writeSpec()
})

/** The codes of the errors, in their order. */
function errors(stderr: string): string[] {
  return [...stderr.matchAll(/^error (BRIDLE\d+)/gm)].map(([, code = '']) => code)
}

const mark = () => path.join(place.project, 'started')

describe('bridle run, before anything starts', () => {
  it('reports everything that stands against the launch at once, and starts nothing', async () => {
    place.writeSpec({
      variables: { FIRST: {}, SECOND: { env: 'OTHER_NAME' } },
      servers: {
        one: { command: 'no-such-program', variables: ['FIRST'] },
        two: { command: 'sh', variables: { KEY: 'FIRST', OTHER: 'SECOND' }, workingDirectory: 'nowhere' },
      },
      targets: { claude: {} },
    })
    const harness = place.harness('touch started', '1.0.0')
    const args = [
      'run',
      'claude',
      '--harness',
      harness,
      '--sandbox',
      'none',
      '--',
      '-p',
      'x',
      '--mcp-config',
      'y',
    ]
    const { status, stdout, stderr } = await place.run(args)
    expect({ status, stdout }).toEqual({ status: 125, stdout: '' })
    expect(errors(stderr).sort()).toEqual(
      ['501', '501', '602', '604', '606', '608', '609', '613'].map((number) => `BRIDLE${number}`),
    )
    expect(existsSync(mark())).toBe(false)
    expect(readdirSync(place.home)).toEqual([])
  })

  it('names every missing variable with every place that uses it; an empty value is missing', async () => {
    place.writeSpec({
      variables: { FIRST: {}, SECOND: { env: 'OTHER_NAME' } },
      servers: {
        one: { command: 'sh', variables: ['FIRST'] },
        two: { command: 'sh', variables: { KEY: 'FIRST', OTHER: 'SECOND' } },
      },
    })
    const { status, stderr } = await place.launch('touch started', [], { environment: { OTHER_NAME: '' } })
    expect(status).toBe(125)
    const [first = '', second = ''] = stderr.split('\n\n')
    expect(first).toMatch(/^error BRIDLE501: .*`FIRST`.*not set/)
    expect(first.match(/used here/g)).toHaveLength(2)
    expect(first).toContain('FIRST=… bridle run')
    expect(second).toMatch(
      /^error BRIDLE501: .*`SECOND`: `OTHER_NAME` is not set in the environment, or empty/,
    )
    expect(second.match(/used here/g)).toHaveLength(1)
    expect(existsSync(mark())).toBe(false)
  })

  const reserved = [
    ...[
      'PATH',
      'HOME',
      'SHELL',
      'TMPDIR',
      'npm_config_cache',
      'NPM_CONFIG_OFFLINE',
      'UV_OFFLINE',
      'HTTP_PROXY',
    ],
    ...['CLAUDE_CONFIG_DIR', 'DISABLE_AUTOUPDATER', 'OPTIND', 'PPID', 'CLAUDE_CODE_PLUGIN_DIRS'],
  ]
  it('leaves no name to the spec that a launch sets itself or that would undo it, be it a literal or a variable', async () => {
    const environment = {
      ...Object.fromEntries(reserved.map((name) => [name, 'x'])),
      ...{ ANTHROPIC_BASE_URL: 'x', TZ: 'UTC', npm_config_registry: 'x' },
    }
    place.writeSpec({ targets: { claude: { environment } } })
    const literals = await place.launch('touch started')
    const own = ['PATH', 'CLAUDE_CONFIG_DIR', 'IFS']
    place.writeSpec({
      variables: Object.fromEntries(own.map((name) => [name, { env: 'VALUE' }])),
      targets: { claude: { account: { variables: own } } },
    })
    const variables = await place.launch('touch started', [], { environment: { VALUE: 'x' } })
    for (const [{ status, stderr }, names] of [
      [literals, reserved],
      [variables, own],
    ] as const) {
      expect(status).toBe(125)
      const found = [...stderr.matchAll(/^error BRIDLE303: `(\w+)` .*\n.*bridle\.json:\d+/gm)]
      expect(found.map(([, name]) => name).sort()).toEqual([...names].sort())
    }
    expect(existsSync(mark())).toBe(false)
  })

  it('leaves the proxies of an open network to the spec', async () => {
    const environment = { ANTHROPIC_BASE_URL: 'x', HTTP_PROXY: 'http://proxy.example' }
    place.writeSpec({ targets: { claude: { environment } } })
    const { stdout } = await place.launch('echo $HTTP_PROXY', ['--network', 'host'])
    expect(stdout).toBe('http://proxy.example\n')
  })

  it('wants an account: a name that the harness reads, not any', async () => {
    place.writeSpec({ targets: { claude: { environment: { LOG_LEVEL: 'x' } } } })
    const { status, stderr } = await place.launch('touch started')
    expect(status).toBe(125)
    expect(errors(stderr)).toEqual(['BRIDLE609'])
    expect(stderr).toContain('ANTHROPIC_BASE_URL')
    expect(existsSync(mark())).toBe(false)
    place.writeSpec({ targets: { claude: { environment: { CLAUDE_CODE_USE_BEDROCK: '1' } } } })
    expect((await place.launch('')).status).toBe(0)
    place.writeSpec({ variables: { KEY: {} }, targets: { claude: { account: { variables: ['KEY'] } } } })
    expect(errors((await place.launch('', [], { environment: { KEY: 'x' } })).stderr)).toEqual(['BRIDLE609'])
    const name = 'ANTHROPIC_API_KEY'
    place.writeSpec({
      variables: { [name]: { env: 'KEY' } },
      targets: { claude: { account: { variables: [name] } } },
    })
    expect((await place.launch('', [], { environment: { KEY: 'x' } })).status).toBe(0)
  })

  const harnesses: { name: string; version: string; options?: string[]; status: number; stderr: RegExp }[] = [
    {
      name: 'older than the oldest',
      version: '1.9.9',
      status: 125,
      stderr: /^error BRIDLE606: .* 1\.9\.9 is older/m,
    },
    { name: 'newer', version: '99.0.0', status: 0, stderr: /^warning BRIDLE607: .* 99\.0\.0 is newer/m },
    {
      name: 'newer',
      version: '99.0.0',
      options: ['--strict-versions'],
      status: 125,
      stderr: /^error BRIDLE607/m,
    },
    { name: 'without a version', version: 'hello', status: 0, stderr: /^warning BRIDLE611/m },
    {
      name: 'without a version',
      version: 'hello',
      options: ['--strict-versions'],
      status: 125,
      stderr: /^error BRIDLE611/m,
    },
  ]
  it.each(harnesses)(
    'ends with $status for a harness $name $options',
    async ({ version, options = [], status, stderr }) => {
      const result = await place.run([
        'run',
        'claude',
        '--harness',
        place.harness('', version),
        ...options,
        '--',
        '-p',
        'x',
      ])
      expect(result.status).toBe(status)
      expect(result.stderr).toMatch(stderr)
    },
  )

  it('says where a harness is looked for, and ends with 127 as env(1) does', async () => {
    const { status, stderr } = await place.run(['run', 'claude', '--', '-p', 'x'], {
      environment: { PATH: '/bin' },
    })
    expect(status).toBe(127)
    expect(stderr).toMatch(/^error BRIDLE605: `claude` was not found\.\n.*\n.*on PATH.*`--harness PATH`/)
  })

  it('takes the name of a harness as a path, and else from PATH', async () => {
    const folder = path.dirname(place.harness('echo found on PATH'))
    const environment = { PATH: `${folder}:${process.env['PATH']}` }
    const args = ['run', 'claude', '--harness', 'harness', '--', '-p', 'hi']
    expect(await place.run(args, { environment })).toMatchObject({ status: 0, stdout: 'found on PATH\n' })
  })

  it('has no other program for the harness of its own', async () => {
    const { status, stderr } = await place.run(['run', 'builtin', '--harness', '/bin/true', '--', 'tools'])
    expect(status).toBe(125)
    expect(errors(stderr)).toEqual(['BRIDLE608'])
  })

  it('never takes a harness from the project that was not named, but says how to', async () => {
    const planted = place.write('project/node_modules/.bin/claude', '#!/bin/sh\ntouch started\n', 0o755)
    const own = path.dirname(planted)
    const PATH = `${own}:/usr/bin:/bin`
    const { status, stderr } = await place.run(['run', 'claude', '--', '-p', 'x'], { environment: { PATH } })
    expect(status).toBe(127)
    expect(stderr).toMatch(/^error BRIDLE605: `claude` was found only in the project/)
    expect(stderr).toContain(`--harness ${planted}`)
    expect(existsSync(mark())).toBe(false)
    const named = await place.run(['run', 'claude', '--harness', planted, '--', '-p', 'x'])
    expect(named.status).toBe(0)
    expect(existsSync(mark())).toBe(true)
    for (const file of [mark(), path.join(place.project, 'node_modules')]) rmSync(file, { recursive: true })
  })

  const unusable: { name: string; make: () => string; status: number; stderr: RegExp }[] = [
    {
      name: 'is not there',
      make: () => 'nowhere/claude',
      status: 127,
      stderr: /BRIDLE605: `nowhere\/claude` was not found/,
    },
    {
      name: 'is a folder',
      make: () => place.project,
      status: 126,
      stderr: /BRIDLE612: .* is not a file that you may/,
    },
    { name: 'cannot be executed', make: () => place.write('text', 'x'), status: 126, stderr: /BRIDLE612/ },
    {
      name: 'has no interpreter',
      make: () => place.write('script', '#!/usr/bin/env no-such-shell\n', 0o755),
      status: 127,
      stderr: /BRIDLE605: .* is a script for `no-such-shell`, which was not found/,
    },
  ]
  it.each(unusable)('ends with $status when --harness $name', async ({ make, status, stderr }) => {
    const result = await place.run(['run', 'claude', '--harness', make(), '--', '-p', 'x'])
    expect(result.status).toBe(status)
    expect(result.stderr).toMatch(stderr)
  })

  const commandLines: { name: string; args: string[]; stderr: RegExp }[] = [
    {
      name: 'an unknown target',
      args: ['cluade'],
      stderr: /BRIDLE213: .*`cluade`.*\n.*Did you mean `claude`\? The targets are/,
    },
    { name: 'no target', args: [], stderr: /missing required argument 'target'/ },
    {
      name: 'an unknown server',
      args: ['builtin', '--servers', 'on', '--', 'tools'],
      stderr: /BRIDLE214: .*`on`.*\n.*Did you mean `one`/,
    },
    {
      name: 'a server that is off',
      args: ['builtin', '--servers', 'off', '--', 'tools'],
      stderr: /BRIDLE214: .*`off`.*\n.*bridle\.json/,
    },
    {
      name: 'an empty name of a server',
      args: ['builtin', '--servers', 'one,', '--', 'tools'],
      stderr: /names separated by commas/,
    },
    { name: 'an unknown option', args: ['builtin', '--netwrok', 'host'], stderr: /Did you mean --network/ },
    { name: 'an unknown network', args: ['builtin', '--network', 'some'], stderr: /choices are none, host/ },
    {
      name: 'options of the harness before --',
      args: ['claude', '-p', 'hi'],
      stderr: /'-p'\n.*goes after `--`/,
    },
    {
      name: 'no arguments for the built-in harness',
      args: ['builtin'],
      stderr: /BRIDLE608: .*needs a command.*\n.*\n.*tools/,
    },
    { name: 'no arguments for Claude Code', args: ['claude', '--harness', '/bin/true'], stderr: /BRIDLE608/ },
    {
      name: 'a spec that is not there',
      args: ['builtin', '--config', 'no.yaml', '--', 'tools'],
      stderr: /BRIDLE101/,
    },
    {
      name: 'no sandbox with a closed network',
      args: ['builtin', '--sandbox', 'none', '--', 'tools'],
      stderr: /BRIDLE602: .*\n.*--sandbox none --network host/,
    },
  ]
  it.each(commandLines)('ends with 125 for $name', async ({ args, stderr }) => {
    place.writeSpec({ servers: { one: { command: 'sh' }, off: { command: 'sh', enabled: false } } })
    const result = await place.run(['run', ...args])
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status: 125, stdout: '' })
    expect(result.stderr).toMatch(stderr)
  })

  it('ends with 125 for an error in the spec, with the place', async () => {
    place.write('project/bridle.json', '{ "version": 1, "servers": { "a": { "comand": "sh" } } }')
    const { status, stderr } = await place.launch('touch started')
    expect(status).toBe(125)
    expect(stderr).toMatch(/BRIDLE202: .*\n.*bridle\.json:1:37/)
    expect(existsSync(mark())).toBe(false)
  })

  it.each(['home', '/'])('does not open %s to an agent, and says so beside the rest', async (which) => {
    const folder = which === 'home' ? place.home : which
    const spec = place.writeSpec({ targets: { claude: {} } }, 'other/bridle.json')
    const { status, stderr } = await place.launch('touch started', ['--config', spec], {
      workingDirectory: folder,
    })
    expect(status).toBe(125)
    expect(errors(stderr)).toEqual(['BRIDLE609', 'BRIDLE603'])
  })

  it('keeps no cache in the project, where an agent could exchange it', async () => {
    const environment = { XDG_CACHE_HOME: path.join(place.project, '.cache') }
    const { status, stderr } = await place.launch('touch started', [], { environment })
    expect(status).toBe(125)
    expect(errors(stderr)).toEqual(['BRIDLE602'])
    expect(existsSync(mark())).toBe(false)
  })
})

describe('a server', () => {
  it('is warned of what waits in vain behind a closed network, and only there', async () => {
    place.writeSpec({ servers: { docs: { url: 'https://mcp.example.com/mcp' } } })
    const closed = await place.launch('exit 0', ['--no-require-servers'])
    expect(closed.status).toBe(0)
    expect(closed.stderr).toContain('warning BRIDLE616: Claude Code cannot reach its model')
    expect(closed.stderr).toContain('warning BRIDLE616: `docs` cannot be reached')
    const open = await place.launch('exit 0', ['--network', 'host'])
    expect(open.stderr).not.toContain('BRIDLE616')
  })

  it('must have its command: on PATH, in the packages of the project, or by its path', async () => {
    place.writeSpec({ servers: { a: { command: 'no-such-program' }, b: { command: './no-such-program' } } })
    const { status, stderr } = await place.launch('touch started')
    expect(status).toBe(125)
    expect(stderr).toMatch(
      /BRIDLE604: `no-such-program` was not found.*\n.*bridle\.json:5:\d+ · server a\n(.*\n)*.*`node_modules\/.bin`/,
    )
    expect(stderr).toMatch(
      /BRIDLE604: `.\/no-such-program` was not found.*\n.*bridle\.json:8:\d+ · server b\n(.*\n)*.*`workingDirectory`/,
    )
  })

  it('must have the interpreter of its script', async () => {
    place.write('project/server', '#!/opt/no-such-shell\n', 0o755)
    place.writeSpec({ servers: { a: { command: './server' } } })
    const { status, stderr } = await place.launch('touch started')
    expect(status).toBe(125)
    expect(stderr).toContain(
      'BRIDLE604: `./server` is a script for `/opt/no-such-shell`, which was not found',
    )
  })

  const folders: { name: string; workingDirectory: string; stderr: RegExp }[] = [
    {
      name: 'that is not there',
      workingDirectory: 'nowhere',
      stderr: /BRIDLE613: .*project\/nowhere does not exist/,
    },
    {
      name: 'that is a file',
      workingDirectory: 'bridle.json',
      stderr: /BRIDLE613: .*bridle\.json is not a folder/,
    },
    {
      name: 'outside of the project',
      workingDirectory: '../other',
      stderr: /BRIDLE613: .*\/other lies outside of the project/,
    },
    {
      name: 'linked to outside of the project',
      workingDirectory: 'link',
      stderr: /BRIDLE613: .*\/link lies outside/,
    },
  ]
  it.each(folders)('may not have a working directory $name', async ({ workingDirectory, stderr }) => {
    place.makeFolder('other')
    const link = path.join(place.project, 'link')
    if (!existsSync(link)) symlinkSync('../other', link)
    place.writeSpec({ servers: { a: { command: 'sh', workingDirectory } } })
    const result = await place.launch('touch started')
    expect(result.status).toBe(125)
    expect(result.stderr).toMatch(stderr)
    expect(result.stderr).toMatch(/bridle\.json:6:\d+ · server a/)
  })

  it('may have a working directory elsewhere without a sandbox', async () => {
    place.makeFolder('other')
    place.writeSpec({ servers: { a: { command: 'sh', workingDirectory: '../other' } } })
    const args = ['--sandbox', 'none', '--network', 'host', '--no-require-servers']
    const { status } = await place.launch('', args)
    expect(status).toBe(0)
  })

  it('is warned of paths that it will not see', async () => {
    place.write('other/notes.txt', 'x')
    const hidden = path.join(place.folder, 'other')
    const server = {
      command: 'sh',
      arguments: [
        '.',
        hidden,
        `--notes=${hidden}/notes.txt`,
        '../other',
        'no/such/file',
        '/tmp',
        '/usr/bin',
        'https://a/b',
      ],
      environment: { NOTES: `${hidden}/notes.txt`, MODE: 'other' },
    }
    place.writeSpec({ servers: { a: server } })
    const { status, stderr } = await place.launch('', ['--no-require-servers'])
    expect(status).toBe(0)
    expect(stderr.match(/warning BRIDLE614/g)).toHaveLength(4)
    expect(stderr).toMatch(/BRIDLE614: .*\/other\/notes\.txt is not visible in the sandbox\.\n.*bridle\.json/)
  })
})
