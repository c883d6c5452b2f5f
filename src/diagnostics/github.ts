import { shownLines } from '../text/shown.ts'
import { codes } from './codes.ts'
import { covered } from './cover.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import { type Region, regionFinder } from './region.ts'
import { wholeText } from './text.ts'

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', note: 'notice' }

export interface GithubOptions {
  /** The text of a file that diagnostics name, where it is known. */
  readonly textOf: (file: string) => string | undefined
}

/**
 * The diagnostics as workflow commands of GitHub Actions, one a line, which puts them beside the lines of a pull
 * request. Files must be relative to the root of the repository. Empty when there are none.
 *
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function renderGithub(diagnostics: readonly Diagnostic[], { textOf }: GithubOptions): string {
  const regionOf = regionFinder(textOf)
  return diagnostics
    .map(covered)
    .map((each) => `${commandFor(each, each.span && regionOf(each.span))}\n`)
    .join('')
}

function commandFor(diagnostic: Diagnostic, region: Region | undefined): string {
  const { code, severity, span } = diagnostic
  const properties = {
    ...(span && { file: span.file }),
    ...(region && placeOf(region)),
    title: `${code}: ${codes[code]}`,
  }
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${commands[severity]} ${list.join(',')}::${escapeData(wholeText(diagnostic))}`
}

/** GitHub takes columns only where both ends stand in one line. */
function placeOf({ start, end }: Region): Record<string, number> {
  if (start.line !== end.line) return { line: start.line, endLine: end.line }
  return { line: start.line, endLine: end.line, col: start.column, endColumn: end.column }
}

/**
 * As the runner decodes it. A line break would end the command, and what follows it could be another one; what only a
 * terminal obeys is shown as signs, since the log is read in one.
 */
function escapeData(text: string): string {
  return shownLines(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
