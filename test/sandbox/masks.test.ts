import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Holdings } from '../../src/sandbox/holdings.ts'
import { openMasked } from '../../src/sandbox/masks.ts'
import { contains } from '../../src/sandbox/project.ts'
import { SandboxRefusal } from '../../src/sandbox/sandbox.ts'

let folder: string
let holdings: Holdings
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridle-masks-'))
  holdings = new Holdings()
})
afterEach(() => {
  holdings.release()
  rmSync(folder, { recursive: true, force: true })
})

/** Relative destination and access of each mount, below the folder itself. */
function masks(protectedPaths: readonly string[]) {
  const [root, ...mounts] = openMasked(folder, protectedPaths, holdings)
  expect(root).toMatchObject({ destination: folder, access: 'read-write' })
  return mounts.map(({ destination, access }) => [destination.slice(folder.length + 1), access])
}

function write(path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), 'text')
}

function tree(path = folder): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = join(path, entry.name)
    return entry.isDirectory() ? [`${below}/`, ...tree(below)] : [below]
  })
}

describe('the masks of a folder', () => {
  test('make an existing file read-only and every folder on the way to it a mount point', () => {
    write('a/b/settings.json')
    expect(masks(['a/b/settings.json'])).toEqual([
      ['a', 'read-write'],
      ['a/b', 'read-write'],
      ['a/b/settings.json', 'read-only'],
    ])
  })

  test('take the outermost of two protected paths', () => {
    write('a/settings.json')
    expect(masks(['a/settings.json', 'a'])).toEqual([['a', 'read-only']])
  })

  test('hold the place of an absent path, and of the first absent folder on the way to it', () => {
    write('a/other')
    expect(masks(['a/settings.json', 'c/d/e'])).toEqual([
      ['a', 'read-write'],
      ['a/settings.json', 'read-only'],
      ['c', 'read-only'],
    ])
    expect(existsSync(join(folder, 'c/d'))).toBe(false)
  })

  test('make a file read-only that stands where a folder is meant to be', () => {
    write('a')
    expect(masks(['a/settings.json'])).toEqual([['a', 'read-only']])
  })

  test.each(['a', 'a/settings.json'])('are refused where %s is a link', (link) => {
    mkdirSync(join(folder, 'elsewhere'))
    mkdirSync(dirname(join(folder, link)), { recursive: true })
    symlinkSync(join(folder, 'elsewhere'), join(folder, link))
    expect(() => masks(['0/new', 'a/settings.json'])).toThrow(SandboxRefusal)
    expect(() => masks(['a/settings.json'])).toThrow(`${join(folder, link)} is a symbolic link`)
    holdings.release()
    expect(existsSync(join(folder, '0'))).toBe(false)
  })

  test('know a placeholder that a killed launcher left, and remove it at last', () => {
    masks(['a/b'])
    const later = new Holdings()
    const [, left] = openMasked(folder, ['a/b'], later)
    expect(left).toMatchObject({ destination: join(folder, 'a'), access: 'read-only' })
    later.release()
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })

  test('leave an empty folder of the user’s where it is', () => {
    mkdirSync(join(folder, 'a'))
    masks(['a'])
    holdings.release()
    expect(lstatSync(join(folder, 'a')).isDirectory()).toBe(true)
  })

  test('cover every protected path, forbid every way around it, and leave the folder as it was', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
    fc.assert(
      fc.property(
        fc.uniqueArray(path),
        fc.uniqueArray(path, { minLength: 1 }),
        (existing, protectedPaths) => {
          for (const one of existing) mkdirSync(join(folder, one), { recursive: true })
          const before = tree()
          const mounts = new Map(masks(protectedPaths) as [string, string][])
          for (const one of protectedPaths) {
            const cover = [...mounts].filter(
              ([place, access]) => access === 'read-only' && contains(place, one),
            )
            expect(cover).toHaveLength(1)
          }
          for (const place of mounts.keys()) {
            if (place.includes('/')) expect(mounts.get(dirname(place))).toBe('read-write')
          }
          holdings.release()
          expect(tree()).toEqual(before)
          for (const one of existing) rmSync(join(folder, one), { recursive: true, force: true })
        },
      ),
    )
  })
})
