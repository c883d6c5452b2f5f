import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codes, isCode } from '../../src/diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { renderGithub } from '../../src/diagnostics/github.ts'
import { wholeText } from '../../src/diagnostics/text.ts'
import { shownLines } from '../../src/text/shown.ts'

const span = { file: 'bridle.yaml', line: 3, column: 5, length: 4 }
const text = 'version: 1\nservers:\n  s: { args: [a] }\n'

function render(...diagnostics: Diagnostic[]): string {
  return renderGithub(diagnostics, { textOf: (file) => (file === span.file ? text : undefined) })
}

/** As the runner reads a line (actions/runner, `ActionCommand.TryParseV2`). */
function parse(line: string) {
  const [, name, list = '', data = ''] = /^::([a-z-]+)(?: (.*?))?::(.*)$/.exec(line) ?? []
  const properties = list.split(',').map((pair) => {
    const [key = '', ...value] = pair.split('=')
    return [key, decode(value.join('='), { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' })]
  })
  return {
    name,
    properties: Object.fromEntries(properties),
    message: decode(data, { '%0D': '\r', '%0A': '\n', '%25': '%' }),
  }
}

function decode(text: string, signs: Readonly<Record<string, string>>): string {
  return Object.entries(signs).reduce(
    (decoded, [sign, character]) => decoded.replaceAll(sign, character),
    text,
  )
}

describe('A workflow command of GitHub', () => {
  it('has the place, the code with its title, and all that the finding says', () => {
    const found = diagnostic('BRIDLE202', 'error', 'there is no key `args`', {
      span,
      server: 's',
      target: 'codex',
      help: 'write `arguments`: 100%',
    })
    expect(render(found)).toBe(
      '::error file=bridle.yaml,line=3,endLine=3,col=5,endColumn=9,title=BRIDLE202%3A Unknown key' +
        '::There is no key `args`.%0AWrite `arguments`: 100%25%0A(server s · target codex)\n',
    )
  })

  it.each([
    ['error', 'error'],
    ['warning', 'warning'],
    ['note', 'notice'],
  ] as const)('for the severity %s is %s', (severity, name) => {
    expect(render(diagnostic('BRIDLE201', severity, 'It is wrong.', { span }))).toMatch(`::${name} file=`)
  })

  it('without a place names none, and without findings there is no command', () => {
    expect(render(diagnostic('BRIDLE101', 'error', 'No spec was found.'))).toBe(
      '::error title=BRIDLE101%3A No spec was found::No spec was found.\n',
    )
    expect(render()).toBe('')
  })

  it('names lines alone where the place goes over several', () => {
    expect(
      render(diagnostic('BRIDLE201', 'error', 'It is wrong.', { span: { ...span, line: 2, length: 9 } })),
    ).toMatch(/^::error file=bridle\.yaml,line=2,endLine=3,title=/)
  })

  it('shows no secret', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    expect(render(diagnostic('BRIDLE202', 'error', `There is no key \`${token}\`.`, { span }))).not.toContain(
      token,
    )
  })

  it('is one line that the runner reads back, whatever the texts are', () => {
    const attacks = [
      'x\n::set-env name=PATH::/evil',
      'x\r::add-mask::y',
      'x\r\n::stop-commands::z',
      'a::b',
      'a,file=/etc/passwd',
      '%0A::error::x',
      '%25',
      '##[command]rm',
      '\u001B[31m',
      '\u202E',
    ]
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...attacks),
      fc.string({ unit: 'grapheme' }),
    )
    const everyCode = fc.constantFrom(...Object.keys(codes).filter(isCode))
    fc.assert(
      fc.property(everyCode, texts, texts, texts, texts, (code, file, message, help, server) => {
        const found = diagnostic(code, 'error', message, { span: { ...span, file }, help, server })
        const output = render(found)
        expect(output.endsWith('\n')).toBe(true)
        expect(output.slice(0, -1)).not.toMatch(/[\n\r]/)
        expect(parse(output.slice(0, -1))).toEqual({
          name: 'error',
          properties: {
            file: shownLines(file),
            line: '3',
            endLine: '3',
            col: '5',
            endColumn: '9',
            title: `${code}: ${codes[code]}`,
          },
          message: shownLines(wholeText(found)),
        })
      }),
    )
  })
})
