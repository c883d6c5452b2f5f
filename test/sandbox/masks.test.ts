import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contains } from '../../src/host/paths.ts'
import { Holdings } from '../../src/sandbox/holdings.ts'
import { openMasked } from '../../src/sandbox/masks.ts'
import { SandboxRefusal } from '../../src/sandbox/sandbox.ts'

const umasks = ['000', '002', '022', '077']

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

function held(paths: readonly string[]) {
  return paths.map((path) => ({ path, whenAbsent: 'held' as const }))
}

/** Relative destination and access of each mount, below the folder itself. */
function masks(protectedPaths: readonly string[]) {
  const [root, ...mounts] = openMasked(folder, held(protectedPaths), holdings)
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

const ordinary = { uid: 54321, gid: 54321 }

/** As an ordinary user even when root runs the tests, whom no mode stops. */
function openMaskedAs(owner: { uid: number; gid: number } | undefined) {
  return openMasked(folder, held(['a/b']), holdings, owner)
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

  test.each([
    { closed: '.', mode: 0o555, whose: 'the agent’s', refused: 'a' },
    { closed: 'a', mode: 0o555, whose: 'the agent’s', refused: 'a/b' },
    { closed: 'a', mode: 0o000, whose: 'the agent’s', refused: 'a/b' },
    { closed: 'a', mode: 0o000, whose: 'another’s', refused: 'a/b' },
  ])('are refused where $closed is $whose and has the mode $mode, which the agent would change', (row) => {
    const owner = process.getuid?.() === 0 ? ordinary : undefined
    if (row.whose === 'another’s' && !owner) return
    if (row.closed !== '.') mkdirSync(join(folder, row.closed))
    if (owner) chownSync(folder, owner.uid, owner.gid)
    if (owner && row.whose === 'the agent’s') chownSync(join(folder, row.closed), owner.uid, owner.gid)
    chmodSync(join(folder, row.closed), row.mode)
    expect(() => openMaskedAs(owner)).toThrow(SandboxRefusal)
    expect(() => openMaskedAs(owner)).toThrow(`${join(folder, row.refused)} cannot be protected`)
    chmodSync(join(folder, row.closed), 0o755)
  })

  test.runIf(process.getuid?.() === 0)('need nothing where another user keeps the agent out', () => {
    mkdirSync(join(folder, 'a'), { mode: 0o755 })
    chownSync(folder, ordinary.uid, ordinary.gid)
    const [, ...mounts] = openMaskedAs(ordinary)
    expect(mounts).toMatchObject([{ destination: join(folder, 'a'), access: 'read-write' }])
  })

  test('leave a placeholder to another run that relies on it, whoever ends first', () => {
    const other = new Holdings()
    masks(['a/b'])
    expect(openMasked(folder, held(['a/b']), other)).toHaveLength(2)
    holdings.release()
    expect(readdirSync(join(folder, 'a'))).toHaveLength(1)
    other.release()
    expect(existsSync(join(folder, 'a'))).toBe(false)
  })

  test.each(umasks)('know their placeholders when new files get the mode of umask %s', (umask) => {
    const before = process.umask(Number.parseInt(umask, 8))
    try {
      masks(['a'])
      const other = new Holdings()
      openMasked(folder, held(['a']), other)
      other.release()
      holdings.release()
      expect(tree()).toEqual([])
    } finally {
      process.umask(before)
    }
  })

  test('leave what somebody on the host put into a placeholder', () => {
    masks(['a'])
    writeFileSync(join(folder, 'a/file'), 'text')
    holdings.release()
    expect(tree()).toEqual([`${folder}/a/`, `${folder}/a/file`])
  })

  test('create an empty file where a folder would disturb, and leave it', () => {
    expect(openMasked(folder, [{ path: 'a', whenAbsent: 'empty file' }], holdings)[1]).toMatchObject({
      destination: join(folder, 'a'),
      access: 'read-only',
    })
    holdings.release()
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('')
  })

  test('leave an absent path alone that may be created, and protect it where it exists', () => {
    const open = [{ path: 'a', whenAbsent: 'open' }] as const
    expect(openMasked(folder, open, holdings)).toHaveLength(1)
    write('a')
    expect(openMasked(folder, open, holdings)[1]).toMatchObject({ access: 'read-only' })
  })

  test.each([
    { held: [], kept: 0 },
    { held: ['folder/b'], kept: 1 },
  ])('hold the absent parent of one that may be created only for $held', ({ held: others, kept }) => {
    const open = { path: 'folder/a', whenAbsent: 'open' } as const
    for (const paths of [
      [open, ...held(others)],
      [...held(others), open],
    ]) {
      expect(openMasked(folder, paths, holdings).slice(1)).toHaveLength(kept)
      holdings.release()
    }
  })

  describe('of a path that is held alone', () => {
    const alone = ['a/b', 'a/c/d'].map((path) => ({ path, whenAbsent: 'held alone' as const }))
    const opened = () =>
      openMasked(folder, alone, holdings)
        .slice(1)
        .map(({ destination, access }) => [destination.slice(folder.length + 1), access])
    const expected = [
      ['a', 'read-write'],
      ['a/b', 'read-only'],
      ['a/c', 'read-write'],
      ['a/c/d', 'read-only'],
    ]

    test('make the folders on the way, and take them away again', () => {
      expect(opened()).toEqual(expected)
      holdings.release()
      expect(tree()).toEqual([])
    })

    test('leave what was put into a folder on the way, and one that was there before', () => {
      mkdirSync(join(folder, 'a'))
      expect(opened()).toEqual(expected)
      write('a/c/new')
      holdings.release()
      expect(tree().map((path) => path.slice(folder.length + 1))).toEqual(['a/', 'a/c/', 'a/c/new'])
      rmSync(join(folder, 'a/c'), { recursive: true })
      expect(opened()).toEqual(expected)
      holdings.release()
      expect(tree().map((path) => path.slice(folder.length + 1))).toEqual(['a/'])
    })

    test('hold the parent where another path wants that', () => {
      const [, ...mounts] = openMasked(folder, [...alone, ...held(['a/x/y'])], holdings)
      expect(mounts.map(({ access }) => access)).toEqual(['read-only'])
    })
  })

  test('take a sticky folder of the user’s for what it is', () => {
    write('a/settings.json')
    chmodSync(join(folder, 'a'), 0o1755)
    expect(masks(['a/settings.json'])).toEqual([
      ['a', 'read-write'],
      ['a/settings.json', 'read-only'],
    ])
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
