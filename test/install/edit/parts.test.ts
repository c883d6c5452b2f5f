import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../src/install/edit/canonical-json.ts'
import { pathOf, pointerOf } from '../../../src/install/edit/pointer.ts'
import { type TextChange, withChanges } from '../../../src/install/edit/text-change.ts'

describe('A JSON pointer', () => {
  it.each([
    [[], ''],
    [[''], '/'],
    [['a', 'b'], '/a/b'],
    [['a/b', 'm~n', '~1'], '/a~1b/m~0n/~01'],
  ])('of %j is %j, as in RFC 6901', (path, pointer) => {
    expect(pointerOf(path)).toBe(pointer)
  })

  it('names the path that it was made of', () => {
    const key = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('~', '/', '0', '1') }))
    fc.assert(
      fc.property(fc.array(key), (path) => {
        expect(pathOf(pointerOf(path))).toEqual(path)
      }),
    )
  })
})

describe('The canonical text of a value', () => {
  it('knows no order of keys, on any level', () => {
    const reversed = (_: string, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toReversed())
        : part
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const other = JSON.parse(JSON.stringify(value, reversed))
        expect(canonicalJson(other)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))))
        expect(JSON.parse(canonicalJson(other))).toEqual(other)
      }),
    )
  })
})

describe('A text with changes', () => {
  const change = (start: number, end: number, text: string): TextChange => ({ start, end, text })

  it('is made in one go, whatever their order', () => {
    const changes = [change(4, 5, 'E'), change(0, 0, '<'), change(1, 3, ''), change(5, 5, '>')]
    expect(withChanges('abcde', changes)).toBe('<adE>')
    expect(withChanges('abcde', changes.toReversed())).toBe('<adE>')
  })

  it('has insertions at one offset in their order, before what is replaced there', () => {
    expect(withChanges('abc', [change(1, 2, 'B'), change(1, 1, '1'), change(1, 1, '2')])).toBe('a12Bc')
  })

  it('cannot be made of changes that overlap', () => {
    expect(() => withChanges('abc', [change(0, 2, ''), change(1, 3, '')])).toThrow(/overlap/)
  })
})
