import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findOutside, findProgram, isThere, type ProgramSearch } from '../../src/launch/find-program.ts'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
let search: ProgramSearch
beforeEach(() => {
  place = new Workplace()
  search = {
    searchPath: [path.join(place.home, 'bin'), 'relative', '', '/usr/bin', '/bin'].join(':'),
    workingDirectory: place.makeFolder('project/a/b'),
    project: place.project,
  }
})
afterEach(() => place.remove())

function program(name: string): string {
  return place.write(name, '#!/bin/sh\n', 0o755)
}

/** With the folder of the test left out. */
function found(command: string, changes: Partial<ProgramSearch> = {}) {
  return findProgram(command, { ...search, ...changes })?.replace(`${place.folder}/`, '')
}

describe('a command', () => {
  it('is found on PATH in its order', () => {
    program('home/bin/tool')
    program('project/a/b/node_modules/.bin/tool')
    expect(found('tool')).toBe('home/bin/tool')
  })

  it('is not found by a relative or empty entry of PATH, which would be the working directory', () => {
    program('project/a/b/tool')
    program('project/a/b/relative/tool')
    expect(found('tool')).toBeUndefined()
  })

  it('is found in the packages of the project, the nearest first', () => {
    program('project/node_modules/.bin/tool')
    expect(found('tool')).toBe('project/node_modules/.bin/tool')
    program('project/a/node_modules/.bin/tool')
    expect(found('tool')).toBe('project/a/node_modules/.bin/tool')
  })

  it('is not found in packages above the project, nor from a folder outside of it', () => {
    program('node_modules/.bin/tool')
    expect(found('tool')).toBeUndefined()
    program('project/node_modules/.bin/tool')
    expect(found('tool', { workingDirectory: place.home })).toBeUndefined()
  })

  it('with a slash is a path from the working directory', () => {
    program('project/a/tool')
    expect(found('../tool')).toBe('project/a/tool')
    expect(found(path.join(place.project, 'a/tool'))).toBe('project/a/tool')
  })

  it('must be a file that can be executed', () => {
    place.makeFolder('home/bin/folder')
    place.write('home/bin/text', 'x')
    symlinkSync('nowhere', path.join(place.home, 'bin/broken'))
    symlinkSync('loop', path.join(place.home, 'bin/loop'))
    for (const name of ['folder', 'text', 'broken', 'loop', 'nothing']) expect(found(name)).toBeUndefined()
    expect(['folder', 'text', 'broken', 'loop', 'nothing'].map((name) => isThere(name, search))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a program outside of the project', () => {
  const outside = (name: string, ...folders: string[]) =>
    findOutside(name, {
      ...search,
      searchPath: folders.map((each) => path.join(place.folder, each)).join(':'),
    })

  it('is found on PATH, past the folders of the project', () => {
    program('project/node_modules/.bin/tool')
    program('project/a/tool')
    const file = program('opt/tool')
    expect(outside('tool', 'project/node_modules/.bin', 'project/a', 'opt')).toBe(file)
    expect(outside('tool', 'project/node_modules/.bin')).toBeUndefined()
  })

  it('is not one that is reached through the project, by whichever link on the way', () => {
    program('private/tool')
    symlinkSync('../private', path.join(place.project, 'planted'))
    symlinkSync('project/planted', path.join(place.folder, 'aliased'))
    symlinkSync(path.join(place.project, 'planted/tool'), path.join(place.makeFolder('linked'), 'tool'))
    for (const folder of ['project/planted', 'aliased', 'linked']) {
      expect(outside('tool', folder)).toBeUndefined()
    }
  })
})
