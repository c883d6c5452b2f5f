import { statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cacheFolder, makeCache } from '../../src/launch/cache.ts'
import { Workplace } from '../fixtures/workplace.ts'

const owner = { uid: 12_345, gid: 12_346 }

describe('the cache folder', () => {
  it.each([
    [{}, undefined, /^\/home\/ada\/\.cache\/bridle\/projects\/notes-[0-9a-f]{16}$/],
    [{ XDG_CACHE_HOME: '/cache' }, undefined, /^\/cache\/bridle\/projects\/notes-/],
    [{ XDG_CACHE_HOME: 'relative' }, undefined, /^\/home\/ada\/\.cache\/bridle\//],
    [{ XDG_CACHE_HOME: '' }, undefined, /^\/home\/ada\/\.cache\/bridle\//],
    [{ XDG_CACHE_HOME: '/cache' }, owner, /^\/var\/cache\/bridle\/12345\/projects\/notes-/],
  ])('with %o for %o is %s', (environment, identity, folder) => {
    expect(cacheFolder('/srv/notes', '/home/ada', environment, identity)).toMatch(folder)
  })

  it('is another one for every project', () => {
    const name = fc.stringMatching(/^\/[a-z/.-]{0,20}$/)
    fc.assert(
      fc.property(name, name, (one, other) => {
        const [left, right] = [one, other].map((project) => cacheFolder(project, '/home/ada', {}, undefined))
        expect(left === right).toBe(one === other)
      }),
    )
  })
})

describe('making the cache', () => {
  let place: Workplace
  beforeEach(() => {
    place = new Workplace()
  })
  afterEach(() => place.remove())

  it('makes it for its owner only, and takes an existing one', () => {
    const folder = path.join(place.home, 'a/b/c')
    makeCache(folder, undefined)
    makeCache(folder, undefined)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.runIf(process.getuid?.() === 0)(
    'gives the folder alone to another owner, and not what a link in its place leads to',
    () => {
      const folder = path.join(place.home, 'cache/projects/notes')
      makeCache(folder, owner)
      expect(statSync(folder)).toMatchObject(owner)
      expect(statSync(path.dirname(folder)).uid).toBe(0)
      const victim = place.makeFolder('victim')
      symlinkSync(victim, path.join(path.dirname(folder), 'other'))
      makeCache(path.join(path.dirname(folder), 'other'), owner)
      expect(statSync(victim).uid).toBe(0)
    },
  )

  it('refuses when it cannot', () => {
    const file = place.write('file', 'x')
    expect(() => makeCache(path.join(file, 'cache'), undefined)).toThrow(
      /cannot be made: a part of its path is a file/,
    )
  })
})
