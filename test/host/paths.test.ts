import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains, isBelow } from '../../src/host/paths.ts'

const cases: { folder: string; path: string; holds: boolean }[] = [
  { folder: '/a', path: '/a', holds: true },
  { folder: '/a', path: '/a/b/c', holds: true },
  { folder: '/a', path: '/ab', holds: false },
  { folder: '/a/b', path: '/a', holds: false },
  { folder: '/', path: '/a', holds: true },
  { folder: 'a', path: 'a/b', holds: true },
]

describe('a folder', () => {
  it.each(cases)('$folder contains $path: $holds', ({ folder, path, holds }) => {
    expect(contains(folder, path)).toBe(holds)
    expect(isBelow(path, ['/elsewhere', folder])).toBe(holds)
    expect(isBelow(path, [])).toBe(false)
  })

  it('contains exactly what begins with its names', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 4 })
    fc.assert(
      fc.property(names, names, (folder, path) => {
        const begins = folder.every((name, at) => path[at] === name)
        expect(contains(`/${folder.join('/')}`, `/${path.join('/')}`)).toBe(begins)
      }),
    )
  })
})
