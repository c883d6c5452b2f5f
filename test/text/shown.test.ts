import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shown, shownJson, shownLines, shownPlainly } from '../../src/text/shown.ts'

/** By what they would do on a terminal. */
const attacks: readonly [what: string, text: string][] = [
  ['write into the clipboard', 'a\u001B]52;c;cm0gLXJm\u0007b'],
  ['change the title', 'a\u001B]0;title\u001B\\b'],
  ['move the cursor', 'a\u001B[1Ab'],
  ['move it in the 8-bit form', 'a\u009B1Ab'],
  ['overwrite the line', 'password:\rall is fine'],
  ['go back', 'abc\b\b\bxyz'],
  ['reorder the line', 'a\u202Ecba\u202C'],
  ['isolate a direction', 'a\u2066cba\u2069'],
  ['mark a direction', 'a\u200Fcba\u061C'],
  ['delete', 'a\u007Fb'],
]
const steering = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/

describe('A text that would', () => {
  it.each(attacks)('%s is shown without doing so', (_, text) => {
    for (const show of [shown, shownLines, shownPlainly]) expect(show(text)).not.toMatch(steering)
    const json = shownJson(JSON.stringify(text))
    expect(json).not.toMatch(steering)
    expect(JSON.parse(json)).toBe(text)
  })
})

describe('Whatever the text is', () => {
  const any = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...attacks.map(([, text]) => text)))

  it('nothing in it steers a terminal, and lines stay lines only where they are meant to', () => {
    fc.assert(
      fc.property(any, (text) => {
        for (const show of [shown, shownPlainly]) expect(show(text)).not.toMatch(/[\n\t]/)
        for (const show of [shown, shownLines, shownPlainly]) expect(show(text)).not.toMatch(steering)
        expect(JSON.parse(shownJson(JSON.stringify(text)))).toBe(text)
      }),
    )
  })
})

describe('A harmless text', () => {
  it.each(['plain', 'é漢字 😀 e\u0301', 'a "b" \\ ${c}', ''])('stays as it is: %j', (text) => {
    for (const show of [shown, shownLines, shownPlainly]) expect(show(text)).toBe(text)
  })

  it('keeps its lines and tabs where lines are shown', () => {
    expect(shownLines('a\tb\r\nc\n\n')).toBe('a\tb\nc\n\n')
  })

  it('loses the colours of a program, and has blanks for its breaks', () => {
    expect(shownPlainly('\u001B[31mred\u001B[0m\tand\r\nmore')).toBe('red and more')
  })
})
