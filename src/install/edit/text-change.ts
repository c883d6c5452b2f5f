/** One stretch of a text and what takes its place; offsets in UTF-16 code units, the end exclusive. */
export interface TextChange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The text with all changes made, whose order is free. Insertions at one offset come in the order given, and before
 * what is replaced there.
 *
 * @throws Error when two overlap
 */
export function withChanges(text: string, changes: readonly TextChange[]): string {
  const parts: string[] = []
  let offset = 0
  for (const change of changes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (change.start < offset) throw new Error('two changes of one text overlap')
    parts.push(text.slice(offset, change.start), change.text)
    offset = change.end
  }
  return parts.join('') + text.slice(offset)
}
