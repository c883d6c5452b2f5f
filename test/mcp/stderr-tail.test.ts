import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mask } from '../../src/mcp/mask.ts'
import { StderrTail } from '../../src/mcp/stderr-tail.ts'

const secret = 'canary-value'

describe('the tail of stderr', () => {
  it('is the last ten lines, printable', () => {
    const text = Array.from({ length: 15 }, (_, index) => `\x1b[31mline ${index}\x07\r\n`).join('')
    expect(tailOf([Buffer.from(text)])).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 5}`))
  })

  it('is the same however the bytes arrive', () => {
    const bytes = Buffer.from('first é😀\nsecond\n\nthird')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: bytes.length }), (size) => {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        expect(tailOf(chunks)).toEqual(['first é😀', 'second', 'third'])
      }),
    )
  })

  it('never shows a part of a secret where a line is cut', () => {
    for (let padding = 380; padding <= 400; padding += 1) {
      const line = 'x'.repeat(padding) + secret + 'x'.repeat(100_000)
      expect(tailOf([Buffer.from(line)]).join('')).not.toContain('can')
    }
  })
})

function tailOf(chunks: readonly Buffer[]): readonly string[] {
  const tail = new StderrTail((text) => mask(text, [secret]))
  for (const chunk of chunks) tail.append(chunk)
  return tail.lines
}
