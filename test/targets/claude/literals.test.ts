import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeLiteral, encodeValue, readLiteral, refuse } from '../../../targets/claude/literals.ts'
import { expandOnce } from './expansion.ts'

const environment = { HOME: '/home/someone', EMPTY: '', NESTED: '${HOME}', BRIDLE_V1: 'secret' }

/** Texts built from the pieces that matter to the expansion, so that most of them hold a reference or nearly one. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '$',
        '{',
        '}',
        '${',
        '${HOME}',
        '${NESTED}',
        '${NO}',
        ':-',
        '${NO:-',
        '${EMPTY:-x}',
        '\\',
        'A',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

const unchanged = [
  '',
  '$HOME',
  '$$',
  '${',
  '${}',
  '${1X}',
  '${A-b}',
  '${A',
  '%PATH%',
  '{env:X}',
  '`id` $(id)',
]

const encoded: readonly (readonly [text: string, once: string, twice: string])[] = [
  ['${HOME}', '${BRIDLE_U:-$}{HOME}', '${BRIDLE_U:-$}{BRIDLE_U:-$}{HOME}'],
  ['a${X:-b}c', 'a${BRIDLE_U:-$}{X:-b}c', 'a${BRIDLE_U:-$}{BRIDLE_U:-$}{X:-b}c'],
]

describe('a literal for Claude Code', () => {
  it.each(unchanged)('is written as it stands when nothing in it is a reference: %j', (text) => {
    expect(encodeLiteral(text, 'argument')).toBe(text)
    expect(encodeLiteral(text, 'header')).toBe(text)
  })

  it.each(encoded)('%j is encoded once, and twice in a header', (text, once, twice) => {
    expect(encodeLiteral(text, 'environment')).toBe(once)
    expect(encodeLiteral(text, 'header')).toBe(twice)
  })

  it.each(['command', 'argument', 'environment', 'url'] as const)(
    'survives one expansion in a %s',
    (field) => {
      fc.assert(
        fc.property(nasty, (text) => {
          expect(expandOnce(encodeLiteral(text, field), environment)).toBe(text)
        }),
        { numRuns: 2000 },
      )
    },
  )

  it('survives two expansions in a header', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const afterLoading = expandOnce(encodeLiteral(text, 'header'), environment)
        expect(expandOnce(afterLoading, environment)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a secret for Claude Code', () => {
  it('survives the second expansion of a header, which is the first one that sees it', () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const injected = { ...environment, BRIDLE_V1: encodeValue(value, 'header') }
        const afterLoading = expandOnce('Bearer ${BRIDLE_V1}', injected)
        expect(expandOnce(afterLoading, injected)).toBe(`Bearer ${value}`)
      }),
      { numRuns: 2000 },
    )
  })

  it('is injected as it is into an environment', () => {
    expect(encodeValue('${HOME}', 'environment')).toBe('${HOME}')
  })
})

const refusedHeaders: readonly (readonly [text: string, reason: RegExp])[] = [
  ['café', /outside ASCII/],
  ['Ā', /outside ASCII/],
  ['a\u{1f600}', /outside ASCII/],
  ['a\nb', /control character/],
  ['a\x7f', /control character/],
  [' a', /blanks/],
  ['a\t', /blanks/],
]

describe('what Claude Code cannot hand on', () => {
  it.each(refusedHeaders)('is refused in a header, as a literal and as a secret: %j', (text, reason) => {
    expect(refuse(text, 'header')?.reason).toMatch(reason)
    expect(refuse(text, 'header')?.reason).toMatch(reason)
  })

  it('is nothing in a header of printable ASCII with tabs inside', () => {
    expect(refuse('a "b" \\ \t c', 'header')).toBeUndefined()
  })

  it('is half of a surrogate pair in any field', () => {
    expect(refuse('\ud800', 'argument')?.reason).toMatch(/surrogate/)
    expect(refuse('é\u{1f600}\n', 'argument')).toBeUndefined()
  })

  it('is a NUL in a secret', () => {
    expect(refuse('a\0b', 'environment')?.reason).toMatch(/NUL/)
    expect(refuse('"; $(id) ${HOME}\né', 'environment')).toBeUndefined()
  })

  it('is told without the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 12, maxLength: 40 }), (value) => {
        for (const field of ['header', 'environment'] as const) {
          expect(JSON.stringify(refuse(value, field) ?? '')).not.toContain(JSON.stringify(value).slice(1, -1))
        }
      }),
    )
  })
})

describe('a text that another target has encoded', () => {
  it('is read as Claude Code expands it, and not at all when that depends on the environment', () => {
    fc.assert(
      fc.property(nasty, fc.constantFrom('argument' as const, 'header' as const), (text, field) => {
        const encoded = text.replaceAll('$', '${BRIDLE_U:-$}')
        const expanded = expandOnce(encoded, environment)
        const read = readLiteral(encoded, field)
        expect([undefined, field === 'header' ? expandOnce(expanded, environment) : expanded]).toContain(read)
        expect(readLiteral(encodeLiteral(text, field), field)).toBe(text)
      }),
    )
  })

  it.each(['${HOME}', '${HOME:-x}', 'a${BRIDLE_U}'])('is not known: %s', (text) => {
    expect(readLiteral(text, 'argument')).toBeUndefined()
  })

  it('is expanded twice in a header', () => {
    expect(readLiteral('${BRIDLE_U:-$}{HOME}', 'argument')).toBe('${HOME}')
    expect(readLiteral('${BRIDLE_U:-$}{HOME}', 'header')).toBeUndefined()
    expect(readLiteral('${BRIDLE_U:-}home', 'environment')).toBe('home')
  })
})
