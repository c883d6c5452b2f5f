import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LiteralField } from '../../../src/compile/target.ts'
import { encodeLiteral, readLiteral, refuseLiteral } from '../../../targets/copilot/literals.ts'

const fields: readonly LiteralField[] = [
  ...(['command', 'argument', 'environment', 'workingDirectory', 'url', 'header'] as const),
]
const piece = fc.constantFrom(
  ...[
    '$',
    '{',
    '}',
    '${HOME}',
    '$HOME',
    '${NO:-x}',
    '${',
    ':-',
    '${BRIDLE_U:-$}',
    '$BRIDLE_U',
    '=',
    ' ',
    '\t',
    '\n',
    'a',
    'é',
  ],
)
const short = fc.array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
const text = short.map((pieces) => pieces.join(''))
const around = fc.tuple(text, fc.integer({ min: 0, max: 40 }), text)
const long = around.map(([one, length, other]) => one + 'x'.repeat(960 + length) + other)
const many = fc.integer({ min: 1, max: 330 }).map((count) => '$A '.repeat(count))

describe('a literal for Copilot', () => {
  it.each(fields)('is read as the text itself, whatever the text is (%s)', (field) => {
    fc.assert(
      fc.property(fc.oneof(text, long, many), (each) => {
        fc.pre(refuseLiteral(each, field) === undefined)
        expect(readLiteral(encodeLiteral(each, field), field)).toBe(each)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    '',
    'plain',
    '$5 and $$',
    '$(id) `id`',
    '%PATH%',
    '{env:X}',
    '${',
    '${}',
    '${a-b}',
    '~/x',
    ' a b ',
  ])('stays as it is where Copilot changes nothing: %j', (each) => {
    expect(encodeLiteral(each, 'argument')).toBe(each)
    expect(encodeLiteral(`${each}=`, 'environment')).toBe(`${each}=`)
  })

  it.each([
    ['$HOME', 'argument', '${BRIDLE_U:-$}HOME'],
    ['a ${HOME}', 'header', 'a ${BRIDLE_U:-$}{HOME}'],
    ['https://a.test/?q=$x', 'url', 'https://a.test/?q=${BRIDLE_U:-$}x'],
    ['warn', 'environment', '${BRIDLE_U:-}warn'],
    [' warn\n', 'environment', '${BRIDLE_U:-} warn\n${BRIDLE_U:-}'],
    [' $X ', 'environment', '${BRIDLE_U:-} ${BRIDLE_U:-$}X ${BRIDLE_U:-}'],
    [' a=b ', 'environment', ' a=b '],
    [' ', 'environment', ' '],
  ] as const)('%j (%s) is written as %j', (each, field, written) => {
    expect(encodeLiteral(each, field)).toBe(written)
  })

  it('is written in fewer characters where there are many references in it', () => {
    const script = 'echo $A; '.repeat(100)
    expect(encodeLiteral(script, 'argument')).toBe(`echo \${BRIDLE_U:-${script.slice(5)}}`)
    const braces = '${A} $B '.repeat(120)
    expect(refuseLiteral(braces, 'argument')?.reason).toContain('1000 characters')
    expect(encodeLiteral(braces.repeat(2), 'argument')).toBe(braces.repeat(2))
  })

  it('has blanks around it that do not count in `env`', () => {
    const value = `${'x'.repeat(995)}$HOME`
    expect(encodeLiteral(` ${value}`, 'argument')).toBe(` ${value}`)
    expect(refuseLiteral(` ${value}`, 'environment')?.reason).toContain('1000 characters')
    expect(encodeLiteral(` x${value}`, 'environment')).toBe(` x${value}`)
  })

  it.each([
    ['\ud800', 'argument'],
    ['a\0', 'command'],
    ['a\nb', 'header'],
    ['a ', 'header'],
  ] as const)('is refused where no encoding helps: %j (%s)', (each, field) => {
    expect(refuseLiteral(each, field)).toBeDefined()
  })

  it.each(['$HOME', '${HOME}', '${HOME:-x}', '$BRIDLE_U', '${BRIDLE_U}'])(
    'of another target that depends on the environment is not known: %s',
    (each) => expect(readLiteral(each, 'argument')).toBeUndefined(),
  )
})
