import { shown } from '../text/shown.ts'
import { covered } from './cover.ts'
import type { Diagnostic, RelatedPlace, Severity, Span } from './diagnostic.ts'
import { type Excerpt, excerpt } from './excerpt.ts'
import { describeSummary, summarize } from './summary.ts'
import { aboutOf, sentence } from './text.ts'

type Style = (text: string) => string

/** The styles that the output uses; picocolors' `createColors()` is one. */
export interface Palette {
  readonly bold: Style
  readonly dim: Style
  readonly red: Style
  readonly yellow: Style
  readonly cyan: Style
}

const asItIs: Style = (text) => text
export const noColors: Palette = { bold: asItIs, dim: asItIs, red: asItIs, yellow: asItIs, cyan: asItIs }

export interface TerminalOptions {
  /** The text of a file that diagnostics name, when it is known; without it only the place is printed. */
  readonly textOf: (file: string) => string | undefined
  readonly palette?: Palette
  /** The width of the terminal; longer source lines are cut around the place that is meant. */
  readonly columns?: number
}

/** The diagnostics for people: each with its source line, and a summary at the end. Empty when there are none. */
export function renderTerminal(diagnostics: readonly Diagnostic[], options: TerminalOptions): string {
  if (diagnostics.length === 0) return ''
  const { textOf, palette = noColors, columns = 100 } = options
  const linesOf = lineReader(textOf)
  const told = mostSevere(diagnostics)
  const blocks = told.map((diagnostic) => renderOne(covered(diagnostic), { linesOf, palette, columns }))
  const untold = diagnostics.length - told.length
  const rest = untold === 0 ? [] : [`… and ${untold} more${whereAllAre(diagnostics)}.`]
  return `${[...blocks, ...rest, palette.bold(describeSummary(summarize(diagnostics)))].join('\n\n')}\n`
}

/** Another command tells all of what is wrong with a spec; nothing else has a second form. */
function whereAllAre(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.every(({ code }) => /^BRIDLE[123]/.test(code))
    ? ': `bridle check --format json` tells all of them'
    : ' that are not shown here; those above are the most severe'
}

/** Nobody reads more of them, and a hundred thousand would take a terminal minutes. */
const mostTold = 1_000

/** All of them, or when there are too many the errors first; in their order in either case. */
function mostSevere(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= mostTold) return diagnostics
  const bySeverity = Object.keys(severityColors).flatMap((severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity),
  )
  const told = new Set(bySeverity.slice(0, mostTold))
  return diagnostics.filter((diagnostic) => told.has(diagnostic))
}

interface RenderOptions extends Required<Omit<TerminalOptions, 'textOf'>> {
  /** The lines of a file, when its text is known. */
  readonly linesOf: (file: string) => readonly string[] | undefined
}

/** Each text is taken apart once, however many findings are in it. */
function lineReader(textOf: TerminalOptions['textOf']): RenderOptions['linesOf'] {
  const known = new Map<string, readonly string[] | undefined>()
  return (file) => {
    if (!known.has(file)) known.set(file, textOf(file)?.split(/\r\n|\n|\r/))
    return known.get(file)
  }
}

function renderOne(diagnostic: Diagnostic, options: RenderOptions): string {
  const { palette } = options
  const paint = palette[severityColors[diagnostic.severity]]
  const title = paint(palette.bold(`${diagnostic.severity} ${diagnostic.code}`))
  const lines = placesOf(diagnostic)
  const gutter = lines.reduce((width, { span }) => Math.max(width, String(span.line).length), 2) + 1
  return [
    `${title}${palette.bold(`: ${shown(sentence(diagnostic.message))}`)}`,
    ...renderPlaces(lines, diagnostic, gutter, options),
    ...renderHelp(diagnostic, gutter, palette),
  ].join('\n')
}

const severityColors = { error: 'red', warning: 'yellow', note: 'cyan' } as const satisfies Record<
  Severity,
  string
>

interface ShownPlace {
  readonly span: Span
  readonly message: string
  readonly isPrimary: boolean
}

/** By file, that of the primary place first, and down the text. */
function placesOf({ span, related = [] }: Diagnostic): ShownPlace[] {
  const primary = span === undefined ? [] : [{ span, message: '', isPrimary: true }]
  const places = [...primary, ...related.map((place: RelatedPlace) => ({ ...place, isPrimary: false }))]
  const files = [...new Set(places.map((place) => place.span.file))]
  return places.sort(
    ({ span: a }, { span: b }) =>
      files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  )
}

function renderPlaces(
  places: readonly ShownPlace[],
  diagnostic: Diagnostic,
  gutter: number,
  { linesOf, palette, columns }: RenderOptions,
): string[] {
  const { severity, span } = diagnostic
  const about = aboutOf(diagnostic)
  const rail = (mark: string, line = '') => palette.dim(`${line.padStart(gutter)} ${mark}`)
  if (places.length === 0) return about === '' ? [] : [`${rail('╭─')} ${palette.dim(about)}`]
  return places.flatMap((place, index) => {
    const previous = places[index - 1]?.span
    const isNewFile = previous?.file !== place.span.file
    const head = previous === undefined ? '╭─' : '├─'
    const heading = isNewFile ? [`${rail(head)} ${headingOf(place.span, span, about)}`] : []
    const gap = !isNewFile && place.span.line > previous.line + 1 ? [rail('┆')] : []
    const source = linesOf(place.span.file)
    if (source === undefined) return [...heading, ...gap]
    const isSameLine = !isNewFile && previous.line === place.span.line
    const shownLine = excerpt(source[place.span.line - 1] ?? '', place.span, columns - gutter - 3)
    const sourceLine =
      isSameLine && !shownLine.isCut ? [] : [`${rail('│', String(place.span.line))} ${shownLine.line}`]
    const paint = place.isPrimary ? palette[severityColors[severity]] : palette.cyan
    return [...heading, ...gap, ...sourceLine, `${rail('│')} ${underline(shownLine, place, paint)}`]
  })
}

function headingOf({ file, line, column }: Span, primary: Span | undefined, about: string): string {
  const place = primary?.file === file ? primary : { line, column }
  return `${shown(file)}:${place.line}:${place.column}${about === '' ? '' : ` · ${shown(about)}`}`
}

function underline({ indent, width }: Excerpt, { isPrimary, message }: ShownPlace, paint: Style): string {
  const mark = (isPrimary ? '━' : '─').repeat(Math.max(1, width))
  return `${' '.repeat(indent)}${paint(message === '' ? mark : `${mark} ${shown(message)}`)}`
}

function renderHelp({ help }: Diagnostic, gutter: number, palette: Palette): string[] {
  if (help === undefined) return []
  const [first = '', ...others] = sentence(help).split('\n').map(shown)
  const rail = palette.dim(`${' '.repeat(gutter)} ╰─`)
  return [`${rail} ${first}`, ...others.map((line) => `${' '.repeat(gutter + 4)}${line}`)]
}
