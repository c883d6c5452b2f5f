import type { Header, InlineTable, Pair, Statement } from '../../toml/syntax.ts'
import type { Plan, TablePlan, ValuePlan } from './plan.ts'
import { endOfBlock, endOfLine, startOfLine } from './toml-lines.ts'

/** A stretch in which an entry, or a part of it, is written. */
export type Part = Section | Line | Member

/** Whole lines, from a header of the entry to the end of its tables that stand together. */
export interface Section {
  readonly kind: 'section'
  readonly start: number
  readonly end: number
}

/** The whole lines of `keys = …` or `keys.more = …`. */
export interface Line {
  readonly kind: 'line'
  readonly start: number
  readonly end: number
  readonly pair: Pair
  /** The key of the entry as seen from the table in which the line stands. */
  readonly keys: readonly string[]
}

/** A member of an inline table. */
export interface Member {
  readonly kind: 'member'
  readonly table: InlineTable
  readonly pair: Pair
  /** The key of the entry as seen from the inline table. */
  readonly keys: readonly string[]
}

/** Where the entries of a plan and the tables around them are written. */
export interface Parts {
  /** In order of the text. */
  readonly entries: ReadonlyMap<ValuePlan, readonly Part[]>
  readonly inlineTables: ReadonlyMap<TablePlan, InlineTable>
  /** Where the last section of a table, or of a table inside it, ends. */
  readonly lastSections: ReadonlyMap<TablePlan, number>
}

/** Finds the parts in one pass over the statements, whatever the number of entries. */
export function findParts(text: string, statements: readonly Statement[], plan: TablePlan): Parts {
  const finder = new PartFinder(text)
  let last: ValuePlan | undefined
  for (const section of sectionsOf(statements)) last = finder.addSection(plan, section, last)
  return finder
}

/** A header with the pairs below it; the pairs above the first header have none. */
interface HeaderAndPairs {
  readonly header?: Header
  readonly pairs: Pair[]
}

function sectionsOf(statements: readonly Statement[]): HeaderAndPairs[] {
  let current: HeaderAndPairs = { pairs: [] }
  const sections = [current]
  for (const statement of statements) {
    if (statement.kind === 'pair') current.pairs.push(statement)
    else {
      current = { header: statement, pairs: [] }
      sections.push(current)
    }
  }
  return sections
}

class PartFinder implements Parts {
  readonly entries = new Map<ValuePlan, Part[]>()
  readonly inlineTables = new Map<TablePlan, InlineTable>()
  readonly lastSections = new Map<TablePlan, number>()

  constructor(private readonly text: string) {}

  /**
   * @param above the entry to which the section above belongs
   * @returns the entry to which this one belongs
   */
  addSection(plan: TablePlan, section: HeaderAndPairs, above: ValuePlan | undefined): ValuePlan | undefined {
    const { header, pairs } = section
    const { passed, reached } = walk(plan, namesOf(header?.keys ?? []))
    const own = passed.slice(1)
    if (reached?.kind === 'table' && header !== undefined) own.push(reached)
    if (header !== undefined && (own.length > 0 || reached !== undefined)) {
      const end = endOfBlock(this.text, (pairs.at(-1) ?? header).end)
      for (const table of own) this.lastSections.set(table, end)
      if (reached?.kind === 'value') {
        this.addLines(reached, startOfLine(this.text, header.start), end, reached === above)
        return reached
      }
    }
    if (reached?.kind === 'table') for (const pair of pairs) this.addPair(reached, pair)
    return undefined
  }

  private addLines(entry: ValuePlan, start: number, end: number, continues: boolean) {
    const parts = this.partsOf(entry)
    const last = continues ? parts.pop() : undefined
    parts.push({ kind: 'section', start: last?.kind === 'section' ? last.start : start, end })
  }

  /** A pair in the table of the plan: a part of an entry, or an inline table with entries in it. */
  private addPair(plan: TablePlan, pair: Pair, table?: InlineTable) {
    const names = namesOf(pair.keys)
    const { passed, reached } = walk(plan, names)
    if (reached?.kind === 'value') {
      const keys = names.slice(0, passed.length)
      this.partsOf(reached).push(
        table === undefined
          ? { kind: 'line', ...this.linesOf(pair), pair, keys }
          : { kind: 'member', table, pair, keys },
      )
    } else if (reached?.kind === 'table' && pair.value.kind === 'inline table') {
      this.inlineTables.set(reached, pair.value)
      for (const inner of pair.value.pairs) this.addPair(reached, inner, pair.value)
    }
  }

  private linesOf({ start, end }: Pair) {
    return { start: startOfLine(this.text, start), end: endOfLine(this.text, end) }
  }

  private partsOf(entry: ValuePlan): Part[] {
    const parts = this.entries.get(entry) ?? []
    this.entries.set(entry, parts)
    return parts
  }
}

/** An entry of a plan, its path, and the tables around it, that of the document first. */
export interface PlannedEntry {
  readonly path: readonly string[]
  readonly tables: readonly TablePlan[]
  readonly entry: ValuePlan
}

export function entriesOf(plan: TablePlan): PlannedEntry[] {
  return [...plan.keys].flatMap(([key, next]) => {
    if (next.kind === 'value') return [{ path: [key], tables: [plan], entry: next }]
    if (next.kind === 'list') throw new Error('an element of a TOML array is no entry')
    return entriesOf(next).map(({ path, tables, entry }) => ({
      path: [key, ...path],
      tables: [plan, ...tables],
      entry,
    }))
  })
}

/** Follows names into a plan, as far as an entry: the tables that were left on the way, and what was reached. */
function walk(plan: TablePlan, names: readonly string[]) {
  const passed: TablePlan[] = []
  let reached: Plan | undefined = plan
  for (const name of names) {
    if (reached?.kind !== 'table') break
    passed.push(reached)
    reached = reached.keys.get(name)
  }
  return { passed, reached }
}

function namesOf(keys: Pair['keys']): string[] {
  return keys.map(({ name }) => name)
}
