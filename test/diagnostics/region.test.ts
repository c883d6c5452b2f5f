import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { regionFinder } from '../../src/diagnostics/region.ts'
import { lineStarts, positionAt } from '../../src/text/lines.ts'

const span = { file: 'a', line: 1, column: 3, length: 4 }

describe('The region of a span', () => {
  it.each([
    { name: 'in one line', text: 'abcdefgh\n', end: { line: 1, column: 7 } },
    { name: 'over the end of a line', text: 'abcd\nefgh', end: { line: 2, column: 2 } },
    { name: 'over two ends of lines', text: 'ab\r\n\ncd', end: { line: 3, column: 2 } },
    { name: 'in a text that is not known', text: undefined, end: { line: 1, column: 7 } },
    { name: 'behind the end of its text', text: 'ab', end: { line: 1, column: 7 } },
  ])('ends behind its last character $name', ({ text, end }) => {
    expect(regionFinder(() => text)(span)).toEqual({ start: { line: 1, column: 3 }, end })
  })

  it('holds just the text of the span, whatever the text is', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', '😀'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.nat(20), fc.nat(20), (text, from, length) => {
        const starts = lineStarts(text)
        const offset = Math.min(from, text.length)
        const bounded = Math.min(length, text.length - offset)
        const place = { file: 'a', ...positionAt(starts, offset), length: bounded }
        const { start, end } = regionFinder(() => text)(place)
        const offsetOf = ({ line, column }: { line: number; column: number }) =>
          (starts[line - 1] ?? Number.NaN) + column - 1
        expect(text.slice(offsetOf(start), offsetOf(end))).toBe(text.slice(offset, offset + bounded))
      }),
    )
  })
})
