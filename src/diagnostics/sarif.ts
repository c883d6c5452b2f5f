import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { shownLines } from '../text/shown.ts'
import { type Code, codes } from './codes.ts'
import { covered } from './cover.ts'
import { type Diagnostic, hasErrors, type Severity, type Span } from './diagnostic.ts'
import { pages, renderPage } from './pages/index.ts'
import { regionFinder } from './region.ts'
import { wholeText } from './text.ts'

export interface SarifOptions {
  /** The version of Bridle. */
  readonly version: string
  /** The text of a file that diagnostics name, where it is known. */
  readonly textOf: (file: string) => string | undefined
}

/**
 * The diagnostics as a SARIF 2.1.0 log with one run, for code scanning and editors. Files are relative to the root of
 * the repository, which a log names `%SRCROOT%`, or absolute where they lie outside of it. The same diagnostics always
 * give the same text.
 *
 * A finding without a place (no spec was found, say) is a notification of the run: GitHub refuses a whole log in which
 * a result has no location.
 *
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function renderSarif(diagnostics: readonly Diagnostic[], { version, textOf }: SarifOptions): string {
  const told = diagnostics.map(covered)
  const found = [...new Set(told.map(({ code }) => code))].sort()
  const locate = locator(textOf)
  const fingerprint = fingerprinter()
  const placed = told.flatMap((each) => (each.span === undefined ? [] : [{ each, span: each.span }]))
  const unplaced = told.filter(({ span }) => span === undefined)
  const results = placed.map(({ each, span }) => ({
    ruleId: each.code,
    ruleIndex: found.indexOf(each.code),
    ...wordsOf(each),
    locations: [locate(span)],
    ...relatedOf(each, locate),
    partialFingerprints: { primaryLocationLineHash: fingerprint(each, span.file) },
  }))
  const notifications = unplaced.map((each) => ({
    associatedRule: { id: each.code, index: found.indexOf(each.code) },
    ...wordsOf(each),
  }))
  const run = {
    tool: { driver: { name: 'Bridle', version, rules: found.map(ruleFor) } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [root]: { description: { text: 'The root of the repository.' } } },
    invocations: [{ executionSuccessful: !hasErrors(unplaced), toolExecutionNotifications: notifications }],
    results,
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, null, 2)}\n`
}

const root = '%SRCROOT%'

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'note' }

function ruleFor(code: Code): object {
  return {
    id: code,
    shortDescription: { text: codes[code] },
    fullDescription: { text: pages[code].meaning },
    help: { text: renderPage(code) },
  }
}

type Locate = (span: Span) => object

function locator(textOf: SarifOptions['textOf']): Locate {
  const regionOf = regionFinder(textOf)
  return (span) => {
    const { start, end } = regionOf(span)
    const region = {
      startLine: start.line,
      startColumn: start.column,
      endLine: end.line,
      endColumn: end.column,
    }
    return { physicalLocation: { artifactLocation: artifactOf(span.file), region } }
  }
}

function artifactOf(file: string): object {
  if (path.isAbsolute(file)) return { uri: pathToFileURL(file).href }
  return { uri: file.split(path.sep).map(encodeURIComponent).join('/'), uriBaseId: root }
}

/**
 * What a code scan knows a finding by when lines were moved: its code, file, server, target and words, and a number
 * where several have all of these in common. The words are those in which secrets are covered.
 */
function fingerprinter(): (diagnostic: Diagnostic, file: string) => string {
  const counts = new Map<string, number>()
  return ({ code, message, server = '', target = '' }, file) => {
    const identity = JSON.stringify([code, file, server, target, message])
    const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16)
    const number = (counts.get(hash) ?? 0) + 1
    counts.set(hash, number)
    return `${hash}:${number}`
  }
}

function wordsOf(diagnostic: Diagnostic): object {
  const { severity, server, target } = diagnostic
  const properties = { ...(server !== undefined && { server }), ...(target !== undefined && { target }) }
  return { level: levels[severity], message: messageOf(wholeText(diagnostic)), properties }
}

function relatedOf({ related = [] }: Diagnostic, locate: Locate): object {
  if (related.length === 0) return {}
  const places = related.map(({ message, span }, id) => ({
    id,
    ...locate(span),
    message: messageOf(message),
  }))
  return { relatedLocations: places }
}

/** A message is plain text in which `[words](target)` is a link and `{0}` a gap: what the user wrote is neither (3.11). */
function messageOf(text: string): { readonly text: string } {
  const plain = shownLines(text)
    .replaceAll('](', '\\](')
    .replaceAll(/\{(\d+)\}/g, '{{$1}}')
  return { text: plain }
}
