import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  argumentFolders,
  type CommandLookup,
  isThere,
  resolveCommand,
  systemSearchPath,
} from '../../src/launch/commands.ts'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
let lookup: CommandLookup
beforeEach(() => {
  place = new Workplace()
  lookup = {
    searchPath: [path.join(place.home, 'bin'), 'relative', '', '/usr/bin', '/bin'].join(':'),
    workingDirectory: place.makeFolder('project/a/b'),
    project: place.project,
    home: place.home,
    isSandboxed: true,
  }
})
afterEach(() => place.remove())

function program(name: string, firstLine = '#!/bin/sh'): string {
  return place.write(name, `${firstLine}\n`, 0o755)
}

function link(name: string, target: string): string {
  const file = path.join(place.folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  symlinkSync(target, file)
  return file
}

/** With the folder of the test left out. */
function resolved(command: string, changes: Partial<CommandLookup> = {}) {
  const found = resolveCommand(command, { ...lookup, ...changes })
  const short = (file: string) => file.replace(`${place.folder}/`, '')
  return (
    found && {
      file: short(found.file),
      folders: found.folders.map(short),
      searchFolders: found.searchFolders.map(short),
    }
  )
}

describe('a command', () => {
  it('is found on PATH in its order', () => {
    program('home/bin/tool')
    program('project/a/b/node_modules/.bin/tool')
    expect(resolved('tool')?.file).toBe('home/bin/tool')
  })

  it('is not found by a relative or empty entry of PATH, which would be the working directory', () => {
    program('project/a/b/tool')
    program('project/a/b/relative/tool')
    expect(resolved('tool')).toBeUndefined()
  })

  it('is found in the packages of the project, the nearest first', () => {
    program('project/node_modules/.bin/tool')
    expect(resolved('tool')?.file).toBe('project/node_modules/.bin/tool')
    program('project/a/node_modules/.bin/tool')
    expect(resolved('tool')?.file).toBe('project/a/node_modules/.bin/tool')
  })

  it('is not found in packages above the project, nor from a folder outside of it', () => {
    program('node_modules/.bin/tool')
    expect(resolved('tool')).toBeUndefined()
    program('project/node_modules/.bin/tool')
    expect(resolved('tool', { workingDirectory: place.home })).toBeUndefined()
  })

  it('with a slash is a path from the working directory', () => {
    program('project/a/tool')
    expect(resolved('../tool')?.file).toBe('project/a/tool')
    expect(resolved(path.join(place.project, 'a/tool'))?.file).toBe('project/a/tool')
  })

  it('must be a file that can be executed', () => {
    place.makeFolder('home/bin/folder')
    place.write('home/bin/text', 'x')
    link('home/bin/broken', 'nowhere')
    link('home/bin/loop', 'loop')
    for (const name of ['folder', 'text', 'broken', 'loop', 'nothing']) expect(resolved(name)).toBeUndefined()
    expect(['folder', 'text', 'broken', 'loop', 'nothing'].map((name) => isThere(name, lookup))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('of a program is made visible', () => {
  it('nothing when it belongs to the system or to the project', () => {
    expect(resolved('sh')).toEqual({ file: '/usr/bin/sh', folders: [], searchFolders: [] })
    program('project/tool')
    expect(resolved('../../tool')).toEqual({ file: 'project/tool', folders: [], searchFolders: [] })
  })

  it('the file alone where nothing tells what belongs to it, never a home or a folder that programs share', () => {
    place.makeFolder('home/lib')
    place.makeFolder('home/.local/lib')
    place.write('home/package.json', '{}')
    for (const name of ['home/bin/tool', 'home/.local/bin/tool', 'opt/tool']) {
      const file = program(name)
      expect(resolved(file)).toEqual({ file: name, folders: [name], searchFolders: [] })
    }
  })

  it('the packages beside it, for a link into a folder of packages', () => {
    program('opt/lib/node_modules/pkg/dist/cli.js', '#!/bin/sh')
    link('home/bin/tool', '../../opt/lib/node_modules/pkg/dist/cli.js')
    expect(resolved('tool')).toEqual({
      file: 'opt/lib/node_modules/pkg/dist/cli.js',
      folders: ['opt/lib/node_modules'],
      searchFolders: [],
    })
  })

  it('the packages behind a link of the project', () => {
    program('other/node_modules/pkg/cli.js')
    link('other/node_modules/.bin/tool', '../pkg/cli.js')
    link('project/node_modules', '../other/node_modules')
    expect(resolved('tool')).toEqual({
      file: 'project/node_modules/.bin/tool',
      folders: ['other/node_modules'],
      searchFolders: [],
    })
  })

  it('its own package and the packages above it, for one that is linked for development', () => {
    program('home/src/work/tool/cli.js')
    place.write('home/src/work/tool/package.json', '{}')
    place.makeFolder('home/src/work/node_modules')
    link('home/bin/tool', '../src/work/tool/cli.js')
    expect(resolved('tool')).toEqual({
      file: 'home/src/work/tool/cli.js',
      folders: ['home/src/work/tool', 'home/src/work/node_modules'],
      searchFolders: [],
    })
  })

  it('a prefix with its interpreter, whose folder comes on PATH', () => {
    place.makeFolder('home/.nvm/v1/lib')
    program('home/.nvm/v1/bin/node', '')
    program('home/.nvm/v1/lib/node_modules/npm/bin/npx-cli.js', '#!/usr/bin/env node')
    link('home/.nvm/v1/bin/npx', '../lib/node_modules/npm/bin/npx-cli.js')
    expect(resolved('npx', { searchPath: path.join(place.home, '.nvm/v1/bin') })).toEqual({
      file: 'home/.nvm/v1/bin/npx',
      folders: ['home/.nvm/v1', 'home/.nvm/v1/lib/node_modules'],
      searchFolders: ['home/.nvm/v1/bin'],
    })
  })

  it('a venv, by whose name its Python knows it', () => {
    place.write('opt/venv/pyvenv.cfg', '')
    link('opt/venv/bin/python', '/bin/sh')
    expect(resolved(path.join(place.folder, 'opt/venv/bin/python'))).toMatchObject({
      file: 'opt/venv/bin/python',
      folders: ['opt/venv'],
    })
    link('project/.venv/bin/python', '/bin/sh')
    expect(resolved('../../.venv/bin/python')).toMatchObject({
      file: 'project/.venv/bin/python',
      folders: [],
    })
  })

  it('a binary under the name that was found, since some do what it says', () => {
    program('home/.bun/bin/bun', '')
    link('home/bin/bunx', '../.bun/bin/bun')
    expect(resolved('bunx')).toMatchObject({
      file: 'home/bin/bunx',
      folders: ['home/.bun/bin/bun', 'home/bin/bunx'],
    })
  })

  it('the program beside it that it starts', () => {
    for (const name of ['uv', 'uvx', 'other']) program(`home/.local/bin/${name}`, '')
    expect(resolved(path.join(place.home, '.local/bin/uvx'))?.folders).toEqual([
      'home/.local/bin/uvx',
      'home/.local/bin/uv',
    ])
  })
})

describe('the interpreter of a script', () => {
  it('is missing when it is not found', () => {
    const file = program('opt/tool', '#!/usr/bin/env no-such-program')
    const missing = 'is a script for `no-such-program`, which was not found'
    expect(resolveCommand(file, lookup)?.refusal?.reason).toBe(missing)
    const outer = program('opt/outer', `#!${file}`)
    expect(resolveCommand(outer, lookup)?.refusal?.reason).toBe(
      `is a script for \`${file}\`, which ${missing}`,
    )
  })

  it('or the program itself may not be a shim, which looks for the real one outside of the sandbox', () => {
    const shim = program('home/.pyenv/shims/python')
    const script = program('opt/tool', '#!/usr/bin/env python')
    const shims = { ...lookup, searchPath: path.dirname(shim) }
    const reason = `is a shim of a version manager, ${shim}, which does not work in a sandbox`
    expect(resolveCommand('python', shims)?.refusal?.reason).toBe(reason)
    expect(resolveCommand(script, shims)?.refusal?.reason).toBe(`is a script for \`python\`, which ${reason}`)
    expect(resolveCommand(script, { ...shims, isSandboxed: false })).not.toHaveProperty('refusal')
  })

  it('may be a script in turn, but not without an end', () => {
    const file = path.join(place.folder, 'opt/tool')
    program('opt/tool', `#!${file}`)
    expect(resolved(file)).toMatchObject({ folders: ['opt/tool'] })
  })
})

describe('a script that is an argument', () => {
  it('is made visible with its package', () => {
    place.write('other/server/package.json', '{}')
    const script = place.write('other/server/dist/index.js', '')
    expect(argumentFolders(script, lookup)).toEqual([path.join(place.folder, 'other/server')])
    expect(argumentFolders(place.write('opt/x.py', ''), lookup)).toEqual([
      path.join(place.folder, 'opt/x.py'),
    ])
  })

  it('needs nothing in the project or the system, or when there is none', () => {
    place.write('project/server.js', '')
    for (const argument of ['../../server.js', 'nothing.js', '/usr/bin/env', '-', place.home]) {
      expect(argumentFolders(argument, lookup)).toEqual([])
    }
  })
})

describe('the search path inside', () => {
  it('keeps the folders of the system in the order of the user, and has all of them', () => {
    expect(systemSearchPath('/home/ada/bin:/sbin:/usr/local/games:.:/usr/bin')).toEqual([
      ...['/sbin', '/usr/local/games', '/usr/bin'],
      ...['/usr/local/bin', '/bin', '/usr/local/sbin', '/usr/sbin'],
    ])
  })
})
