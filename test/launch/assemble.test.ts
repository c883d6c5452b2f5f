import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemble } from '../../src/launch/assemble.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { builtin } from '../../targets/builtin/target.ts'
import { claude } from '../../targets/claude/target.ts'
import { prepared } from './support.ts'

const session = { home: '/home/agent', stateFolder: '/home/agent/.bridle' }
const spec = `version: 1
variables: { KEY: {} }
servers:
  notes: { command: notes, variables: { TOKEN: KEY } }
targets:
  builtin: { environment: { LANG: de, MODE: test } }
`

describe('an assembled launch', () => {
  it('has its secrets in the environment and nowhere else', async () => {
    const launch = assemble(await prepared(spec, builtin), session, [])
    expect(launch.command.environment['BRIDLE_V1']).toBe('value of BRIDLE_V1')
    const { environment: _, ...command } = launch.command
    expect(JSON.stringify({ command, confinement: launch.confinement })).not.toContain('value of')
  })

  it('starts the program with what goes before the arguments of the harness', async () => {
    const harness = {
      file: '/opt/node',
      folders: [],
      searchFolders: [],
      leadingArguments: ['/opt/bridle/builtin.js'],
    }
    const launch = assemble(await prepared(spec, builtin, { arguments: ['tools'] }, { harness }), session, [])
    expect(launch.command.argv).toEqual([
      '/opt/node',
      '/opt/bridle/builtin.js',
      '--config',
      '/home/agent/.bridle/builtin.json',
      '--log',
      '/home/agent/.bridle/connections.jsonl',
      'tools',
    ])
  })

  it('lets literals of the spec win over what is taken from the launcher, but not over what a launch needs', async () => {
    const others = 'MODE: test, PATH: /own, HTTP_PROXY: own, CLAUDE_CONFIG_DIR: /own'
    const text = spec.replace('builtin: {', 'claude: {').replace('MODE: test', others)
    const { environment } = assemble(await prepared(text, claude), session, []).command
    expect(environment).toMatchObject({
      LANG: 'de',
      MODE: 'test',
      PATH: expect.stringContaining('/usr/bin'),
      HTTP_PROXY: expect.stringContaining('127.0.0.1'),
      CLAUDE_CONFIG_DIR: session.stateFolder,
    })
  })

  it('keeps the whole search path without a sandbox', async () => {
    const environment = { PATH: '/home/ada/bin:/usr/bin' }
    const sandbox = { name: 'none' } as Sandbox
    const launch = assemble(
      await prepared(spec, builtin, { environment, sandbox, network: 'host' }),
      session,
      [],
    )
    expect(launch.command.environment['PATH']).toBe('/home/ada/bin:/usr/bin')
  })

  it('puts the emission into the state folder, and the settings of npm where npm looks', async () => {
    const npm = { text: 'registry=https://npm.example/\n', readable: ['/etc/ca.pem'] }
    const { files, readable } = assemble(await prepared(spec, builtin, {}, { npm }), session, []).confinement
    expect(files.map((file) => file.path)).toEqual(['/home/agent/.bridle/builtin.json', '/home/agent/.npmrc'])
    expect(readable).toEqual(['/etc/ca.pem'])
    const without = assemble(await prepared(spec, builtin), session, []).confinement
    expect(without.files.map((file) => file.path)).toEqual(['/home/agent/.bridle/builtin.json'])
  })

  it('shows each thing once, and nothing of the project again', async () => {
    const folders = ['/opt/a/lib', '/opt/a', '/project/dist', '/opt/a', '/opt/ab']
    const programs = [{ file: '/opt/a/bin/x', folders, searchFolders: [] }]
    const launch = await prepared(spec, builtin, {}, { programs })
    expect(assemble(launch, session, []).confinement.readable).toEqual(['/opt/a', '/opt/ab'])
  })

  const places: { name: string; request: object; inside: string[]; outside: string[] }[] = [
    {
      name: 'a spec at the top',
      request: { workingDirectory: '/project/a/b' },
      inside: [
        'bridle.yaml',
        'bridle.toml',
        '.bridle',
        '.vscode',
        '.cursor',
        'opencode.json',
        '.mcp.json',
        'a/bridle.json',
        'a/b/bridle.yaml',
      ],
      outside: ['a/.bridle', 'b/bridle.yaml', 'CLAUDE.md', 'AGENTS.md', '.github/copilot-instructions.md'],
    },
    {
      name: 'a spec below, with another name',
      request: { specFile: '/project/conf/team.yaml' },
      inside: ['conf/team.yaml', 'conf/bridle.yaml', 'conf/.bridle', 'conf/bridle.lock.json', 'bridle.yaml'],
      outside: ['conf/.vscode'],
    },
    {
      name: 'a spec elsewhere',
      request: { specFile: '/elsewhere/bridle.yaml' },
      inside: ['bridle.yaml'],
      outside: ['../elsewhere/bridle.yaml'],
    },
  ]
  it.each(places)('protects with $name', async ({ request, inside, outside }) => {
    const launch = await prepared(spec, builtin, request)
    const { protectedPaths } = assemble(launch, session, ['.mcp.json']).confinement
    expect(protectedPaths).toEqual(expect.arrayContaining(inside))
    for (const file of outside) expect(protectedPaths).not.toContain(file)
  })

  it('protects the installations of Bridle', async () => {
    const launch = await prepared(spec, builtin, {}, { installations: ['/project/node_modules'] })
    expect(assemble(launch, session, []).confinement.protectedPaths).toContain('node_modules')
  })

  it('protects distinct places in the project only, wherever everything lies', async () => {
    const folder = fc
      .array(fc.constantFrom('a', 'b', 'project'), { maxLength: 3 })
      .map((names) => path.join('/', ...names))
    const launch = await prepared(spec, builtin)
    fc.assert(
      fc.property(folder, folder, (project, specFolder) => {
        const request = {
          ...launch.request,
          project,
          workingDirectory: project,
          specFile: path.join(specFolder, 'x.yaml'),
        }
        const { protectedPaths } = assemble({ ...launch, request }, session, ['.mcp.json']).confinement
        expect(new Set(protectedPaths).size).toBe(protectedPaths.length)
        for (const file of protectedPaths) expect(file).toMatch(/^(?!\.\.\/)[^/]/)
      }),
    )
  })
})
