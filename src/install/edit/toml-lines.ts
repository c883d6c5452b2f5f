/** Lines of a TOML text; LF and CR LF end one. Offsets in UTF-16 code units. */

/** The first line break of the text, which is that of nearly every text. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** Where the text begins behind a byte order mark. */
export function startOfText(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0
}

export function startOfLine(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1) + 1, startOfText(text))
}

/** The offset behind the line break, or the end of the text. */
export function endOfLine(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset)
  return lineFeed === -1 ? text.length : lineFeed + 1
}

/**
 * The end of the lines that belong to a table whose last statement ends here: with the comments directly below it, but
 * not when they lead on to the next header, of which they speak then.
 */
export function endOfBlock(text: string, offset: number): number {
  const end = endOfLine(text, offset)
  let last = end
  while (lineMatches(text, last, /[ \t]*#/y)) last = endOfLine(text, last)
  return isBlankLine(text, last) ? last : end
}

/** Whether there is nothing but blanks from here to the end of the line; also at the end of the text. */
export function isBlankLine(text: string, offset: number): boolean {
  return lineMatches(text, offset, /[ \t]*(?:\r?\n|$)/y)
}

function lineMatches(text: string, offset: number, pattern: RegExp): boolean {
  pattern.lastIndex = offset
  return pattern.test(text)
}

/** The start of the line above when nothing at all stands on it, else the offset itself, at which a line starts. */
export function startOfEmptyLineAbove(text: string, lineStart: number): number {
  const first = startOfText(text)
  if (lineStart === first) return lineStart
  const above = lineStart - (text.endsWith('\r\n', lineStart) ? 2 : 1)
  return above === first || text[above - 1] === '\n' ? above : lineStart
}
