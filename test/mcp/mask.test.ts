import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mask } from '../../src/mcp/mask.ts'

const secret = 'canary-"; $(id) ${HOME}/é'
const forms: [string, string][] = [
  ['as it is', secret],
  ['as JSON', JSON.stringify(secret).slice(1, -1)],
  ['in a URL', encodeURIComponent(secret)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
  ['in a URL with small letters', encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase())],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in hexadecimal with capitals', Buffer.from(secret).toString('hex').toUpperCase()],
]

describe('mask', () => {
  it.each(forms)('takes a value out %s', (_, form) => {
    expect(mask(`<${form}>${form}`, [secret])).toBe('<[secret]>[secret]')
  })

  it('leaves nothing of a value that stands in a longer text in base64', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 })
    const value = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 20 })
    fc.assert(
      fc.property(
        text,
        value,
        text,
        fc.constantFrom('base64', 'base64url'),
        (before, value, after, encoding) => {
          fc.pre(value.trim() !== '')
          const whole = Buffer.from(before + value + after).toString(encoding)
          const rest = mask(whole, [value]).replace('[secret]', '')
          expect(whole.length - rest.length).toBeGreaterThanOrEqual(Math.floor((value.length * 8 - 10) / 6))
        },
      ),
    )
  })

  it('takes out each line of a value with several', () => {
    const key = '-----BEGIN KEY-----\nabcdefgh\n-----END KEY-----\n'
    expect(mask('stderr: abcdefgh', [key])).toBe('stderr: [secret]')
  })

  it('takes out the longer of two values of which one holds the other', () => {
    expect(mask('token-long token', ['token', 'token-long'])).toBe('[secret] [secret]')
  })

  it('leaves a text alone without secrets', () => {
    expect(mask('fine', [])).toBe('fine')
    expect(mask('fine', ['', ' '])).toBe('fine')
  })

  it('leaves no secret of any kind in any text', () => {
    const word = fc
      .string({ unit: 'binary', minLength: 9, maxLength: 20 })
      .filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(word, fc.string(), fc.string(), (secret, before, after) => {
        expect(mask(`${before}${secret}${after}`, [secret])).not.toContain(secret)
      }),
    )
  })
})
