import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refuseText } from '../../src/compile/verbatim.ts'

const fields = ['argument', 'environment', 'header', 'clientSecret'] as const

describe('a text that no harness can hand on', () => {
  it.each(fields)('is one with half of a surrogate pair or a NUL, as %s', (field) => {
    expect(refuseText('a\ud800b', field)?.reason).toMatch(/surrogate/)
    expect(refuseText('a\0b', field)?.reason).toMatch(/NUL/)
  })

  it.each(['a\nb', 'a\rb', 'a\x1bb', 'a\x7f', ' a', 'a\t'])('is %j in a header, and nowhere else', (text) => {
    expect(refuseText(text, 'header')).toBeDefined()
    expect(refuseText(text, 'environment')).toBeUndefined()
  })

  it('is none of well-formed characters, and in a header none of printable ones with blanks within', () => {
    const printable = fc.stringMatching(/^[!-~é\u{1f600}]([ \t!-~é\u{1f600}]*[!-~é\u{1f600}])?$/u)
    fc.assert(fc.property(printable, (text) => fields.every((field) => !refuseText(text, field))))
  })

  it('is told without the text', () => {
    const texts = fc.string({ unit: 'binary', minLength: 12, maxLength: 40 })
    fc.assert(
      fc.property(texts, fc.constantFrom(...fields), (text, field) => {
        expect(JSON.stringify(refuseText(text, field) ?? '')).not.toContain(JSON.stringify(text).slice(1, -1))
      }),
    )
  })
})
