import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codes, isCode } from '../../src/diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { renderPage } from '../../src/diagnostics/pages/index.ts'
import { renderSarif } from '../../src/diagnostics/sarif.ts'
import { sarifLog } from './sarif-log.ts'

const span = { file: 'bridle.yaml', line: 3, column: 5, length: 4 }
const text = 'version: 1\nservers:\n  s: { args: [a] }\n'

function render(...diagnostics: Diagnostic[]) {
  const textOf = (file: string) => (file === span.file ? text : undefined)
  const { runs } = sarifLog.parse(JSON.parse(renderSarif(diagnostics, { version: '1.2.3', textOf })))
  return runs[0]
}

function wrong(rest: Parameters<typeof diagnostic>[3] = {}): Diagnostic {
  return diagnostic('BRIDLE211', 'error', 'these exclude each other', { span, ...rest })
}

describe('A SARIF log', () => {
  it('has a finding with its place, its words, the other places and what it is about', () => {
    const other = { ...span, line: 2, column: 1, length: 7 }
    const [result] = render(
      wrong({
        help: 'remove one',
        server: 's',
        target: 'codex',
        related: [{ message: 'the other', span: other }],
      }),
    ).results
    const at = (region: object) => ({
      physicalLocation: { artifactLocation: { uri: 'bridle.yaml', uriBaseId: '%SRCROOT%' }, region },
    })
    expect(result).toMatchObject({
      ruleId: 'BRIDLE211',
      level: 'error',
      message: { text: 'These exclude each other.\nRemove one.\n(server s · target codex)' },
      locations: [at({ startLine: 3, startColumn: 5, endLine: 3, endColumn: 9 })],
      relatedLocations: [
        {
          id: 0,
          message: { text: 'the other' },
          ...at({ startLine: 2, startColumn: 1, endLine: 2, endColumn: 8 }),
        },
      ],
      properties: { server: 's', target: 'codex' },
    })
  })

  it('explains every code', () => {
    const all = Object.keys(codes).filter(isCode)
    const { rules } = render(...all.map((code) => ({ ...wrong(), code }))).tool.driver
    expect(rules.map(({ id }) => id)).toEqual(all.toSorted())
    for (const { id, help } of rules) expect(isCode(id) && renderPage(id)).toBe(help.text)
  })

  it('is a log also when there is nothing to tell', () => {
    expect(render()).toMatchObject({ results: [], invocations: [{ executionSuccessful: true }] })
  })

  it('tells a finding without a place as a notification of the run, which then did not succeed', () => {
    const none = diagnostic('BRIDLE101', 'error', 'No spec was found.')
    expect(render(none)).toMatchObject({
      results: [],
      invocations: [
        {
          executionSuccessful: false,
          toolExecutionNotifications: [
            {
              associatedRule: { id: 'BRIDLE101', index: 0 },
              level: 'error',
              message: { text: 'No spec was found.' },
            },
          ],
        },
      ],
    })
  })

  it.each([
    { file: 'a folder/ü#?.yaml', uri: 'a%20folder/%C3%BC%23%3F.yaml' },
    { file: '../bridle.yaml', uri: '../bridle.yaml' },
    { file: 'c:x.yaml', uri: 'c%3Ax.yaml' },
  ])('names the file $file by a relative URI', ({ file, uri }) => {
    const [result] = render(wrong({ span: { ...span, file } })).results
    expect(result?.locations[0].physicalLocation.artifactLocation).toEqual({ uri, uriBaseId: '%SRCROOT%' })
  })

  it('names a file outside of the repository by its whole address', () => {
    const [result] = render(wrong({ span: { ...span, file: '/etc/a b.yaml' } })).results
    expect(result?.locations[0].physicalLocation.artifactLocation).toEqual({ uri: 'file:///etc/a%20b.yaml' })
  })

  it('knows a finding again when its lines were moved, and tells alike ones apart', () => {
    const printsOf = (...findings: Diagnostic[]) =>
      render(...findings).results.map(
        ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash,
      )
    const moved = { ...span, line: 2 }
    const [first, second, forCodex] = printsOf(wrong(), wrong({ span: moved }), wrong({ target: 'codex' }))
    expect(printsOf(wrong({ span: moved }))).toEqual([first])
    expect(new Set([first, second, forCodex]).size).toBe(3)
  })

  it('shows no secret, and makes no fingerprint of one', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const other = `ghp_${'Z9y8'.repeat(9)}`
    const finding = (secret: string) =>
      diagnostic('BRIDLE219', 'warning', `\`${secret}\` is a secret.`, { span })
    expect(JSON.stringify(render(finding(token)))).not.toContain(token)
    expect(render(finding(token)).results).toEqual(render(finding(other)).results)
  })

  it('makes no link and no gap of what the user wrote', () => {
    const [result] = render(
      wrong({ help: 'see [here](https://evil.example), {0} and arguments[3] { x }' }),
    ).results
    expect(result?.message.text).toContain('See [here\\](https://evil.example), {{0}} and arguments[3] { x }')
  })

  it('matches the schema, whatever the texts are', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    )
    const spans = fc.record({
      file: fc.oneof(fc.constant('bridle.yaml'), texts),
      line: fc.integer({ min: 1, max: 9 }),
      column: fc.integer({ min: 1, max: 30 }),
      length: fc.nat(30),
    })
    const findings = fc.record({
      code: fc.constantFrom(...Object.keys(codes).filter(isCode)),
      severity: fc.constantFrom('error', 'warning', 'note'),
      message: texts,
      help: texts,
      server: texts,
      span: spans,
      related: fc.array(fc.record({ message: texts, span: spans })),
    })
    fc.assert(fc.property(fc.array(findings, { maxLength: 5 }), (all) => void render(...all)))
  })
})
