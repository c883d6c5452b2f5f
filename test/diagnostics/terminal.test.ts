import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Diagnostic, diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { type Palette, renderTerminal } from '../../src/diagnostics/terminal.ts'
import { widthOf } from '../../src/diagnostics/text.ts'
import { findings, read } from '../spec/support.ts'

function show(text: string, diagnostics: readonly Diagnostic[], columns = 100): string {
  return renderTerminal(diagnostics, {
    textOf: (file) => (file === 'bridle.yaml' ? text : undefined),
    columns,
  })
}

/** A finding at the first place of the needle. */
function at(text: string, needle: string, rest: Partial<Diagnostic> = {}): Diagnostic {
  const before = text.slice(0, text.indexOf(needle)).split('\n')
  const span = {
    file: 'bridle.yaml',
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    length: needle.length,
  }
  return { ...diagnostic('BRIDLE201', 'error', 'It is wrong.', { span }), ...rest }
}

const lines = (...all: string[]) => `${all.join('\n')}\n`

describe('On a terminal a finding', () => {
  it('has its place, its line, a mark and the way out', () => {
    const text = 'version: 1\nservers:\n  s: { args: [a] }'
    expect(
      show(text, [at(text, 'args', { help: 'Did you mean `arguments`?', server: 's', target: 'codex' })]),
    ).toBe(
      lines(
        'error BRIDLE201: It is wrong.',
        '    ╭─ bridle.yaml:3:8 · server s · target codex',
        '  3 │   s: { args: [a] }',
        '    │        ━━━━',
        '    ╰─ Did you mean `arguments`?',
        '',
        '1 error',
      ),
    )
  })

  it('without a place has its message and help', () => {
    expect(
      show('', [diagnostic('BRIDLE101', 'error', 'No spec was found.', { help: 'Run `bridle init`.' })]),
    ).toBe(lines('error BRIDLE101: No spec was found.', '    ╰─ Run `bridle init`.', '', '1 error'))
  })

  it('is one of many: the errors are told first, in order, and how many more there are', () => {
    const span = { file: 'bridle.yaml', line: 1, column: 1, length: 1 }
    const note = diagnostic('BRIDLE302', 'note', 'A note.', { span })
    const many = [
      note,
      ...Array.from({ length: 1_500 }, (_, index) => ({ ...at('x', 'x'), message: `No ${index}.` })),
    ]
    const text = show('x', many)
    expect(text.match(/^error BRIDLE201: No /gm)).toHaveLength(1_000)
    expect(text).toContain(': No 999.\n')
    expect(text).not.toContain(': No 1000.\n')
    expect(text).toMatch(/\n… and 501 more: .*--format json.*\n\n1500 errors, 1 note\n$/)
    const ofImport = show(
      'x',
      many.map((each) => ({ ...each, code: 'BRIDLE421' })),
    )
    expect(ofImport).toMatch(/\n… and 501 more that are not shown here; .*\n\n1500/)
    expect(ofImport).not.toContain('bridle check')
  })

  it('asks for the text of a file once, however many there are', () => {
    let asked = 0
    const finding = at('x', 'x')
    const textOf = () => {
      asked++
      return 'x'
    }
    renderTerminal([finding, finding, finding], { textOf })
    expect(asked).toBe(1)
  })

  it('in a file whose text is not known has its place', () => {
    const span = { file: 'other.json', line: 12, column: 3, length: 1 }
    expect(show('', [diagnostic('BRIDLE106', 'error', 'It is wrong.', { span })])).toContain(
      '╭─ other.json:12:3\n',
    )
  })

  it('shows related places down the text, with what they are and a sign for the gap', () => {
    const text = 'a: 1\nb: 2\nc: 3\nd: 4'
    const { span } = at(text, 'a')
    const related = [{ message: 'first here', span: span as NonNullable<typeof span> }]
    expect(show(text, [at(text, 'd', { related })])).toBe(
      lines(
        'error BRIDLE201: It is wrong.',
        '    ╭─ bridle.yaml:4:1',
        '  1 │ a: 1',
        '    │ ─ first here',
        '    ┆',
        '  4 │ d: 4',
        '    │ ━',
        '',
        '1 error',
      ),
    )
  })

  it('shows two places of one line under the line', () => {
    const text = 'a: [x, x]'
    const { span } = at(text, 'x')
    const related = [{ message: 'first here', span: span as NonNullable<typeof span> }]
    const shownText = show(text, [at(text, 'x]', { related })])
    expect(shownText.match(/a: \[x, x\]/g)).toHaveLength(1)
    expect(shownText).toContain('    │     ─ first here\n    │        ━━')
  })

  it('counts what there is', () => {
    const all = (['error', 'error', 'warning', 'note'] as const).map((severity) =>
      diagnostic('BRIDLE201', severity, 'It is wrong.'),
    )
    expect(show('', all)).toMatch(/\n\n2 errors, 1 warning, 1 note\n$/)
    expect(show('', [])).toBe('')
  })

  it('is a sentence, whoever wrote it', () => {
    const text = show('', [
      diagnostic('BRIDLE701', 'error', 'the server did not connect', { help: 'start `x` by hand' }),
    ])
    expect(text).toContain(': The server did not connect.\n')
    expect(text).toContain('╰─ Start `x` by hand.\n')
  })

  it('has colours only from the palette', () => {
    const tagged = (name: string) => (text: string) => `<${name}>${text}</${name}>`
    const palette: Palette = {
      bold: tagged('b'),
      dim: tagged('dim'),
      red: tagged('red'),
      yellow: tagged('yellow'),
      cyan: tagged('cyan'),
    }
    const text = renderTerminal([at('a', 'a', { severity: 'warning' })], { textOf: () => 'a', palette })
    expect(text).toContain('<yellow><b>warning BRIDLE201</b></yellow><b>: It is wrong.</b>')
    expect(text).toContain('<yellow>━</yellow>')
  })
})

describe('A source line', () => {
  it('keeps the mark under the place behind tabs and wide characters', () => {
    const text = '\t名前é: \u{1F600} x'
    expect(show(text, [at(text, 'x')])).toContain('  1 │     名前é: \u{1F600} x\n    │               ━\n')
  })

  it('shows what would move the cursor, change colours or reorder the line as signs', () => {
    const text = 'a: "\u001B[31m\u202E\u0007\u0000\u009B" x'
    expect(show(text, [at(text, 'x')])).toContain('  1 │ a: "␛[31m�␇␀�" x\n    │                ━\n')
  })

  it('never lets a control character of a message, a file or a server through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const span = { file: text, line: 1, column: 1, length: 1 }
        const finding = {
          ...diagnostic('BRIDLE201', 'error', text, { span, help: text, server: text }),
          target: text,
        }
        const shownText = renderTerminal([finding], { textOf: () => text })
        expect(shownText).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/)
      }),
    )
  })

  it('fits the terminal, with the place in sight', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }),
        fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }),
        fc.integer({ min: 40, max: 120 }),
        (before, after, columns) => {
          const text = `${before}\u25CF${after}`
          const [source = '', mark = ''] = show(text, [at(text, '\u25CF')], columns)
            .split('\n')
            .slice(2, 4)
          expect(widthOf(source)).toBeLessThanOrEqual(columns)
          const column = widthOf(source.slice(0, source.indexOf('\u25CF')))
          expect(mark).toBe(`${'    │ '.padEnd(column)}━`)
        },
      ),
    )
  })

  it('is cut on both sides where a text of one line is long', () => {
    const text = `${'a'.repeat(200)} x ${'b'.repeat(200)}`
    const source = show(text, [at(text, 'x')], 60).split('\n')[2]
    expect(source).toMatch(/^ {2}1 │ …a+ x b+…$/)
  })

  it('ends the mark at the end of the line', () => {
    const text = 'a:\n  b: 1\n  c: 2\n'
    expect(show(text, [at(text, 'b: 1\n  c: 2')])).toContain('  2 │   b: 1\n    │   ━━━━\n')
  })
})

it('The findings of a whole spec read well', async () => {
  const text = 'version: 1\nservers:\n  notes: { command: npx, args: [-y, notes-mcp], toolTimeoutMs: "5" }\n'
  const { diagnostics } = await read(text)
  expect(findings(await read(text))).toHaveLength(2)
  expect(show(text, diagnostics)).toBe(
    lines(
      'error BRIDLE202: Unknown key "args".',
      '    ╭─ bridle.yaml:3:26 · server notes',
      '  3 │   notes: { command: npx, args: [-y, notes-mcp], toolTimeoutMs: "5" }',
      '    │                          ━━━━',
      '    ╰─ Write `arguments`.',
      '',
      'error BRIDLE201: `toolTimeoutMs` must be a whole number, not text.',
      '    ╭─ bridle.yaml:3:64 · server notes',
      '  3 │   notes: { command: npx, args: [-y, notes-mcp], toolTimeoutMs: "5" }',
      '    │                                                                ━━━',
      '    ╰─ Write 5, without quotes.',
      '',
      '2 errors',
    ),
  )
})
