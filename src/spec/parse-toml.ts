import { readStatements } from '../toml/read.ts'
import type { Fault, Scalar } from '../toml/syntax.ts'
import { buildTable, type Item, type Table } from '../toml/tables.ts'
import { deepestNesting, type Node, type Parsed, type Problem, tellingErrors, tooDeep } from './tree.ts'

/** Reads TOML 1.1. */
export function parseToml(text: string): Parsed {
  const { statements, faults } = readStatements(text, deepestNesting)
  if (faults.length > 0) return { problems: tellingErrors(faults.map(problemOf), text) }
  const [first] = statements
  if (first === undefined) return { problems: [] }
  const { root, faults: duplicates } = buildTable(statements)
  const problems = duplicates.map(problemOf)
  return { root: nodeOf({ ...root, start: first.start, end: first.start }, problems), problems }
}

function problemOf({ kind, message, help, first, start, end }: Fault): Problem {
  if (kind === 'nesting') return tooDeep(start)
  const code = kind === 'duplicate' ? 'BRIDLE107' : 'BRIDLE106'
  return { code, message, start, end, ...(help !== undefined && { help }), ...(first && { first }) }
}

function nodeOf(item: Item, problems: Problem[]): Node {
  const { start, end } = item
  if (item.kind === 'scalar') return { kind: 'scalar', value: plainValue(item, problems), start, end }
  if (item.kind === 'list') {
    return { kind: 'list', items: item.items.map((each) => nodeOf(each, problems)), start, end }
  }
  return { kind: 'mapping', entries: entriesOf(item, problems), start, end }
}

function entriesOf({ entries }: Table, problems: Problem[]) {
  return Array.from(entries.values(), ({ key: { name, start, end }, value }) => ({
    key: name,
    value: nodeOf(value, problems),
    start,
    end,
  }))
}

/** A date has no meaning in the language; it is taken for the text that is most likely meant, and reported. */
function plainValue({ value, start, end }: Scalar, problems: Problem[]): string | number | boolean {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object') return value
  problems.push({
    code: 'BRIDLE111',
    message: 'The language has no dates and times.',
    help: `Write "${value.moment}", in quotes, if the text is meant.`,
    start,
    end,
  })
  return value.moment
}
