import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Exposure, exposeProgram } from '../../src/launch/expose-program.ts'
import { findProgram } from '../../src/launch/find-program.ts'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
let exposure: Exposure
beforeEach(() => {
  place = new Workplace()
  exposure = {
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

function expose(command: string, changes: Partial<Exposure> = {}) {
  const all = { ...exposure, ...changes }
  const found = findProgram(command, all)
  if (found === undefined) throw new Error(`there is no ${command}`)
  return exposeProgram(found, all)
}

/** With the folder of the test left out. */
function exposed(command: string, changes: Partial<Exposure> = {}) {
  const { file, folders, searchFolders } = expose(command, changes)
  const short = (each: string) => each.replace(`${place.folder}/`, '')
  return { file: short(file), folders: folders.map(short), searchFolders: searchFolders.map(short) }
}

describe('of a program is made visible', () => {
  it('nothing when it belongs to the system or to the project', () => {
    expect(exposed('sh')).toEqual({ file: '/usr/bin/sh', folders: [], searchFolders: [] })
    program('project/tool')
    expect(exposed('../../tool')).toEqual({ file: 'project/tool', folders: [], searchFolders: [] })
  })

  it('the file alone where nothing tells what belongs to it, never a home or a folder that programs share', () => {
    place.makeFolder('home/lib')
    place.makeFolder('home/.local/lib')
    place.write('home/package.json', '{}')
    for (const name of ['home/bin/tool', 'home/.local/bin/tool', 'opt/tool']) {
      const file = program(name)
      expect(exposed(file)).toEqual({ file: name, folders: [name], searchFolders: [] })
    }
  })

  it('the packages beside it, for a link into a folder of packages', () => {
    program('opt/lib/node_modules/pkg/dist/cli.js', '#!/bin/sh')
    link('home/bin/tool', '../../opt/lib/node_modules/pkg/dist/cli.js')
    expect(exposed('tool')).toEqual({
      file: 'opt/lib/node_modules/pkg/dist/cli.js',
      folders: ['opt/lib/node_modules'],
      searchFolders: [],
    })
  })

  it('its own package and the packages above it, for one that is linked for development', () => {
    program('home/src/work/tool/cli.js')
    place.write('home/src/work/tool/package.json', '{}')
    place.makeFolder('home/src/work/node_modules')
    link('home/bin/tool', '../src/work/tool/cli.js')
    expect(exposed('tool')).toEqual({
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
    expect(exposed('npx', { searchPath: path.join(place.home, '.nvm/v1/bin') })).toEqual({
      file: 'home/.nvm/v1/bin/npx',
      folders: ['home/.nvm/v1', 'home/.nvm/v1/lib/node_modules'],
      searchFolders: ['home/.nvm/v1/bin'],
    })
  })

  it('a venv, by whose name its Python knows it', () => {
    place.write('opt/venv/pyvenv.cfg', '')
    link('opt/venv/bin/python', '/bin/sh')
    expect(exposed(path.join(place.folder, 'opt/venv/bin/python'))).toMatchObject({
      file: 'opt/venv/bin/python',
      folders: ['opt/venv'],
    })
    link('project/.venv/bin/python', '/bin/sh')
    expect(exposed('../../.venv/bin/python')).toMatchObject({
      file: 'project/.venv/bin/python',
      folders: [],
    })
  })

  it('a binary under the name that was found, since some do what it says', () => {
    program('home/.bun/bin/bun', '')
    link('home/bin/bunx', '../.bun/bin/bun')
    expect(exposed('bunx')).toMatchObject({
      file: 'home/bin/bunx',
      folders: ['home/.bun/bin/bun', 'home/bin/bunx'],
    })
  })

  it('the program beside it that it starts', () => {
    for (const name of ['uv', 'uvx', 'other']) program(`home/.local/bin/${name}`, '')
    expect(exposed(path.join(place.home, '.local/bin/uvx')).folders).toEqual([
      'home/.local/bin/uvx',
      'home/.local/bin/uv',
    ])
  })
})

describe('the interpreter of a script', () => {
  it('is missing when it is not found', () => {
    const file = program('opt/tool', '#!/usr/bin/env no-such-program')
    const missing = 'is a script for `no-such-program`, which was not found'
    expect(expose(file).refusal?.reason).toBe(missing)
    const outer = program('opt/outer', `#!${file}`)
    expect(expose(outer).refusal?.reason).toBe(`is a script for \`${file}\`, which ${missing}`)
  })

  it('or the program itself may not be a shim, which looks for the real one outside of the sandbox', () => {
    const shim = program('home/.pyenv/shims/python')
    const script = program('opt/tool', '#!/usr/bin/env python')
    const shims = { searchPath: path.dirname(shim) }
    const reason = `is a shim of a version manager, ${shim}, which does not work in a sandbox`
    expect(expose('python', shims).refusal?.reason).toBe(reason)
    expect(expose(script, shims).refusal?.reason).toBe(`is a script for \`python\`, which ${reason}`)
    expect(expose(script, { ...shims, isSandboxed: false })).not.toHaveProperty('refusal')
  })

  it('may be a script in turn, but not without an end', () => {
    const file = path.join(place.folder, 'opt/tool')
    program('opt/tool', `#!${file}`)
    expect(exposed(file)).toMatchObject({ folders: ['opt/tool'] })
  })
})

describe('nothing becomes visible because of what lies in the project:', () => {
  const refusalOf = (command: string, changes: Partial<Exposure> = {}) => {
    const { folders, searchFolders, refusal } = expose(command, changes)
    expect({ folders, searchFolders }).toEqual({ folders: [], searchFolders: [] })
    return refusal?.reason
  }
  beforeEach(() => {
    place.write('private/package.json', '{}')
    program('private/tool', '#!/bin/sh')
    place.makeFolder('private/lib')
    program('private/bin/tool', '')
  })

  const links: { name: string; link: string; target: string; command: string }[] = [
    { name: 'a link', link: 'project/tool', target: '../private/tool', command: '../../tool' },
    { name: 'a link to a binary', link: 'project/t', target: '../private/bin/tool', command: '../../t' },
    {
      name: 'a link among the packages',
      link: 'project/node_modules/.bin/tool',
      target: '../../../private/tool',
      command: 'tool',
    },
    {
      name: 'a link in place of the packages',
      link: 'project/node_modules/.bin',
      target: '../../private',
      command: 'tool',
    },
    { name: 'a link of a folder', link: 'project/sub', target: '../private', command: '../../sub/bin/tool' },
  ]
  it.each(links)('not by $name', ({ link: name, target, command }) => {
    link(name, target)
    expect(refusalOf(command)).toMatch(/^is .*\/private\/(bin\/)?tool, where a link of the project leads out/)
  })

  it('not by a link outside that leads through one of the project', () => {
    link('project/planted', '../private')
    link('aliased', 'project/planted')
    link('home/bin/aliased-tool', '../../project/planted/tool')
    expect(refusalOf(path.join(place.folder, 'aliased/tool'))).toMatch(/leads out/)
    expect(refusalOf('aliased-tool')).toMatch(/leads out/)
  })

  it('not by a link outside that leads into the project', () => {
    program('project/cli.js', '#!/bin/sh')
    link('opt/lib/node_modules/pkg', '../../../project')
    link('opt/bin/tool', '../lib/node_modules/pkg/cli.js')
    expect(exposed(path.join(place.folder, 'opt/bin/tool'))).toEqual({
      file: 'project/cli.js',
      folders: [],
      searchFolders: [],
    })
  })

  it('not by the path in the first line of a script', () => {
    program('project/script', `#!${place.folder}/private/bin/tool`)
    expect(refusalOf('../../script')).toMatch(/^is a script for `.*`, which lies outside of the project/)
    link('project/interpreter', '../private/bin/tool')
    program('project/script', `#!${place.project}/interpreter`)
    expect(refusalOf('../../script')).toMatch(/^is a script for `.*`, which is .* leads out/)
  })

  it('not by the name in the first line of a script, unless it is a language runtime', () => {
    place.makeFolder('home/.nvm/lib')
    for (const name of ['node', 'backup']) program(`home/.nvm/bin/${name}`, '')
    const changes = { searchPath: path.join(place.home, '.nvm/bin') }
    program('project/script', '#!/usr/bin/env backup')
    expect(refusalOf('../../script', changes)).toMatch(/^is a script for `backup`, which lies outside/)
    program('project/script', '#!/usr/bin/env node')
    expect(exposed('../../script', changes)).toEqual({
      file: 'project/script',
      folders: ['home/.nvm'],
      searchFolders: ['home/.nvm/bin'],
    })
  })

  it('not by a runtime that was put into the project, or is reached through it', () => {
    program('project/node_modules/.bin/python3', '')
    link('project/planted', '../private/bin')
    link('private/bin/python3', 'tool')
    const own = ['node_modules/.bin', 'planted'].map((folder) => path.join(place.project, folder))
    program('project/script', '#!/usr/bin/env python3')
    expect(refusalOf('../../script', { searchPath: own.join(':') })).toMatch(/`python3`, which was not found/)
    const outer = program('opt/script', '#!/usr/bin/env python3')
    expect(expose(outer, { searchPath: own.join(':') }).refusal?.reason).toMatch(/which was not found/)
  })

  it('but a program of the system may be linked to, and asked for', () => {
    link('project/venv/bin/python', '/bin/sh')
    program('project/script', `#!${place.project}/venv/bin/python`)
    for (const command of ['../../venv/bin/python', '../../script']) {
      expect(refusalOf(command)).toBeUndefined()
    }
  })

  it('and without a sandbox everything is visible anyway', () => {
    const file = link('project/tool', '../private/tool')
    expect(expose('../../tool', { isSandboxed: false })).toEqual({ file, folders: [], searchFolders: [] })
  })
})
