import { readStatements } from '../../toml/read.ts'
import type { Place, Statement } from '../../toml/syntax.ts'
import { buildTable, type Table } from '../../toml/tables.ts'
import type { DocumentFault, TextRange } from './document.ts'

/** A text of TOML and what it says. */
export interface TomlText {
  readonly text: string
  readonly statements: readonly Statement[]
  readonly root: Table
}

/** Codex 0.171.0 refuses more, and each level costs a stack frame in the readers of every language. */
const deepest = 100

/** Reads a whole file; of several faults, the first is given. */
export function readToml(text: string): TomlText | { readonly fault: DocumentFault } {
  const { statements, faults: syntaxFaults } = readStatements(text, deepest)
  const [syntaxFault] = syntaxFaults
  if (syntaxFault !== undefined) return { fault: faultAt(syntaxFault, syntaxFault.message) }
  const { root, faults } = buildTable(statements)
  const [fault] = faults
  return fault === undefined ? { text, statements, root } : { fault: faultAt(fault, fault.message) }
}

export function faultAt(place: Place, message: string): DocumentFault {
  return { message, range: rangeOf(place) }
}

export function rangeOf({ start, end }: Place): TextRange {
  return { offset: start, length: end - start }
}
