import { type Feature, features, featureTitles } from './feature.ts'
import { supportOf } from './support.ts'
import { contextsOf, isLaunchable, type Support, type Target } from './target.ts'

/** Every cell with its reason, for other programs. */
export function renderTargetsJson(targets: readonly Target[]): string {
  const rows = targets.map((target) => ({
    id: target.id,
    title: target.title,
    ...(target.provedWith !== undefined && { provedWith: target.provedWith }),
    ...(isUnproved(target) && { proved: false }),
    features: Object.fromEntries(
      features.map((feature) => [
        feature,
        Object.fromEntries(
          contextsOf(target).map((context) => [context, describe(supportOf(target, feature, context))]),
        ),
      ]),
    ),
  }))
  return `${JSON.stringify(rows, null, 2)}\n`
}

/** The table in Markdown: a cell says the files' context, then the launch's where it differs. */
export function renderTargetsMarkdown(targets: readonly Target[]): string {
  const { header, rows, notes } = tableOf(targets)
  return [...markdownRows(header, rows), '', ...notes.map((note, index) => `${index + 1}. ${note}`), ''].join(
    '\n',
  )
}

/** The same without the notes, for an overview. */
export function renderTargetsOverview(targets: readonly Target[]): string {
  const { header, rows } = tableOf(targets)
  const plain = rows.map((row) => row.map((text) => text.replaceAll(/ \[\d+\]/g, '')))
  return [...markdownRows(header, plain), ''].join('\n')
}

/** The lines of a table in Markdown; a text with `|` must be escaped. */
export function markdownRows(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

/** The same for a terminal. */
export function renderTargetsText(targets: readonly Target[]): string {
  const { header, rows, notes } = tableOf(targets)
  const table = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('`', '')))
  const widths = header.map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, '', ...notes.map((note, index) => `[${index + 1}] ${note}`), ''].join('\n')
}

interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
}

function tableOf(targets: readonly Target[]): Table {
  const notes: string[] = []
  const noteFor = (text: string): number => {
    if (!notes.includes(text)) notes.push(text)
    return notes.indexOf(text) + 1
  }
  const header = ['', ...targets.map(heading)]
  const rows = features.map((feature) => [
    featureTitles[feature],
    ...targets.map((target) => cell(target, feature, noteFor)),
  ])
  return { header, rows, notes }
}

function heading(target: Target): string {
  const { title, provedWith } = target
  return isUnproved(target) ? `${title} (not proved)` : [title, provedWith].filter(Boolean).join(' ')
}

/** Bridle's own harness is of the version that prints the table; another without a version was never seen at work. */
function isUnproved(target: Target): boolean {
  return target.provedWith === undefined && !isLaunchable(target)
}

function cell(target: Target, feature: Feature, noteFor: (text: string) => number): string {
  const [standalone, launch] = contextsOf(target).map((context) => {
    const support = supportOf(target, feature, context)
    const text = noteOf(support)
    return text === undefined ? mark(support) : `${mark(support)} [${noteFor(`${target.title}: ${text}`)}]`
  })
  if (launch === undefined) return `files ${standalone}`
  return standalone === launch ? launch : `files ${standalone}, run ${launch}`
}

function mark(support: Support): string {
  return { native: 'yes', conditional: 'partly', unsupported: 'refused', inapplicable: '–' }[support.kind]
}

function noteOf(support: Support): string | undefined {
  if (support.kind === 'conditional') return support.condition
  if (support.kind === 'unsupported') return `${support.reason}; ${support.help}`
  return support.kind === 'inapplicable' ? support.reason : undefined
}

function describe(support: Support): Record<string, string> {
  const { kind } = support
  if (kind === 'conditional') return { kind, condition: support.condition }
  if (kind === 'unsupported') return { kind, reason: support.reason, help: support.help }
  return kind === 'inapplicable' ? { kind, reason: support.reason } : { kind }
}
