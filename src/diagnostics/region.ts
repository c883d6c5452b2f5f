import { lineStarts, type Position, positionAt } from '../text/lines.ts'
import type { Span } from './diagnostic.ts'

/** A span as editors have it: where it begins, and the place behind its last character. */
export interface Region {
  readonly start: Position
  readonly end: Position
}

/** Gives the region of a span; `textOf` is the text of a file, where it is known. Each text is taken apart once. */
export function regionFinder(textOf: (file: string) => string | undefined): (span: Span) => Region {
  const known = new Map<string, readonly number[]>()
  const startsOf = (file: string): readonly number[] => {
    const starts = known.get(file) ?? lineStarts(textOf(file) ?? '')
    known.set(file, starts)
    return starts
  }
  return ({ file, line, column, length }) => {
    const start = { line, column }
    const starts = startsOf(file)
    const offset = starts[line - 1]
    // Without the text, a span is taken to end in its line, as nearly all do.
    if (offset === undefined || textOf(file) === undefined)
      return { start, end: { line, column: column + length } }
    return { start, end: positionAt(starts, offset + column - 1 + length) }
  }
}
