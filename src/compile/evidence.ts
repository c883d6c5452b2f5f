import { type Feature, features, featureTitles } from './feature.ts'
import { supportOf } from './support.ts'
import { markdownRows } from './table.ts'
import { type Context, contextsOf, type Evidence, type Support, type Target } from './target.ts'

/** What a cell of the table rests on; undefined where the target is not proved on the program. */
function evidenceOf(target: Target, feature: Feature, context: Context): Evidence | undefined {
  const cell = target.evidence?.[feature]
  return cell === undefined || 'test' in cell || 'fact' in cell ? cell : cell[context]
}

/** A line for each cell: what it says, and the test or the heading that it rests on. */
export function renderEvidenceText(targets: readonly Target[]): string {
  return targets.map(textOf).join('\n')
}

/** The same in Markdown, a table for each target. */
export function renderEvidenceMarkdown(targets: readonly Target[]): string {
  return targets.map(markdownOf).join('\n')
}

/** The same for other programs. */
export function renderEvidenceJson(targets: readonly Target[]): string {
  const rows = targets.flatMap((target) =>
    cellsOf(target).map(({ feature, context, evidence }) => ({
      target: target.id,
      feature,
      context,
      support: supportOf(target, feature, context).kind,
      ...(evidence !== undefined && { evidence: asObject(evidence, target) }),
    })),
  )
  return `${JSON.stringify(rows, null, 2)}\n`
}

function textOf(target: Target): string {
  const lines = cellsOf(target).map(({ feature, context, evidence }) => [
    `  ${featureTitles[feature].replaceAll('`', '')}`,
    placeOf[context],
    supportOf(target, feature, context).kind,
    evidence === undefined ? 'not proved' : inWords(evidence, target),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const rows = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return [headingOf(target), ...rows, ''].join('\n')
}

function markdownOf(target: Target): string {
  const rows = cellsOf(target).map(({ feature, context, evidence }) => [
    featureTitles[feature],
    placeOf[context],
    supportOf(target, feature, context).kind,
    evidence === undefined ? 'not proved' : escaped(inWords(evidence, target)),
  ])
  const header = ['feature', 'context', 'support', 'rests on']
  return [`## ${headingOf(target)}`, '', ...markdownRows(header, rows), ''].join('\n')
}

const placeOf: Readonly<Record<Context, string>> = { standalone: 'files', launch: 'run' }

function headingOf({ title, provedWith }: Target): string {
  return provedWith === undefined ? title : `${title} ${provedWith}`
}

/** A text that Markdown shows as it stands: titles of tests hold code, placeholders and stars. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_~$|<>[\]]/g, '\\$&')
}

function cellsOf(target: Target) {
  return features.flatMap((feature) =>
    contextsOf(target).map((context) => ({
      feature,
      context,
      evidence: evidenceOf(target, feature, context),
    })),
  )
}

function inWords(evidence: Evidence, target: Target): string {
  if ('fact' in evidence) return `${factFile(target)}, "${evidence.fact}"`
  const [file, title] = evidence.test
  return `test/${file}, "${title}"`
}

function asObject(evidence: Evidence, target: Target): Readonly<Record<string, string>> {
  if ('fact' in evidence) return { file: factFile(target), heading: evidence.fact }
  const [file, title] = evidence.test
  return { file: `test/${file}`, test: title }
}

function factFile({ id }: Target): string {
  return `docs/targets/${id}.md`
}

/**
 * What is wrong with the evidence: a cell of a target that is said to be proved and names nothing, one that is honored
 * and names a fact in place of a test, a test that does not stand in its file, a heading that does not stand in the facts
 * of the target.
 *
 * @param read the text of a file, by its path from the root of the repository; undefined where there is none
 */
export function findEvidenceFaults(
  targets: readonly Target[],
  read: (file: string) => string | undefined,
): string[] {
  return targets
    .filter(({ provedWith, evidence }) => provedWith !== undefined || evidence !== undefined)
    .flatMap((target) =>
      cellsOf(target).flatMap(({ feature, context, evidence }) => {
        const { kind } = supportOf(target, feature, context)
        const fault = faultOf(evidence, kind, target, read)
        return fault === undefined ? [] : [`${target.id}, ${feature}, ${context}: ${fault}`]
      }),
    )
}

/** That a harness cannot do a thing may be a fact; that it does it, and does it right, is shown by a test. */
const mustBeTested: ReadonlySet<Support['kind']> = new Set(['native', 'conditional'])

function faultOf(
  evidence: Evidence | undefined,
  support: Support['kind'],
  target: Target,
  read: (file: string) => string | undefined,
): string | undefined {
  if (evidence === undefined) return 'names no evidence'
  if ('fact' in evidence) {
    if (mustBeTested.has(support)) return `is ${support}, but names a fact and no test`
    const lines = read(factFile(target))?.split('\n') ?? []
    const found = lines.some((line) => /^#+ (.*)$/.exec(line)?.[1] === evidence.fact)
    return found ? undefined : `${factFile(target)} has no heading "${evidence.fact}"`
  }
  const [file, title] = evidence.test
  const text = read(`test/${file}`) ?? ''
  const found = ["'", '"', '`'].some((quote) => text.includes(quote + title + quote))
  return found ? undefined : `test/${file} has no test "${title}"`
}
