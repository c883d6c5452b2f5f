/** A place in a text. Lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The offset at which each line begins. CR LF, LF and CR end a line. */
export function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (match) => match.index + match[0].length)]
}

/** The position of an offset, given where the lines of its text begin. */
export function positionAt(starts: readonly number[], offset: number): Position {
  const index = lastAtMost(starts, offset)
  return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 }
}

/** The index of the last of the ascending numbers that is not above the limit. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
