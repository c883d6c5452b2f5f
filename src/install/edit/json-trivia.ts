/** What stands between the tokens of JSON with comments. The text is known to be well-formed. */

export interface JsonComment {
  readonly kind: 'line' | 'block'
  readonly start: number
  /** Of a line comment, where its line ends. */
  readonly end: number
}

/** The comments in a stretch of the text in which there is no token. */
export function commentsIn(text: string, start: number, end: number): JsonComment[] {
  const comments: JsonComment[] = []
  for (let offset = start; offset < end; offset++) {
    const comment = commentAt(text, offset)
    if (comment === undefined) continue
    comments.push(comment)
    offset = comment.end - 1
  }
  return comments
}

/** The comment that begins here; its end is that of the text when it has no other. */
export function commentAt(text: string, start: number): JsonComment | undefined {
  if (text.startsWith('//', start)) return { kind: 'line', start, end: endOfLine(text, start) }
  if (!text.startsWith('/*', start)) return undefined
  const close = text.indexOf('*/', start + 2)
  return { kind: 'block', start, end: close === -1 ? text.length : close + 2 }
}

/** Where what belongs to a member that ends here ends: behind the comments that begin on its line. */
export function endOfTrailingComments(text: string, start: number): number {
  let end = start
  let comment = commentAt(text, skipBlanks(text, end))
  while (comment !== undefined) {
    end = comment.end
    comment = commentAt(text, skipBlanks(text, end))
  }
  return end
}

/** The offset of the next character that is neither blank nor tab. */
export function skipBlanks(text: string, start: number): number {
  let offset = start
  while (isBlankAt(text, offset)) offset++
  return offset
}

/** The offset behind the character before this one that is neither blank nor tab. */
export function skipBlanksBack(text: string, end: number): number {
  let offset = end
  while (isBlankAt(text, offset - 1)) offset--
  return offset
}

/** Whether there are at most blanks and line ends in the text. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

/** The line end that begins here, empty when there is none. */
export function lineEndAt(text: string, offset: number): string {
  if (text.startsWith('\r\n', offset)) return '\r\n'
  const character = text[offset]
  return character === '\n' || character === '\r' ? character : ''
}

/** The line end that ends here, empty when there is none. */
export function lineEndBefore(text: string, offset: number): string {
  return lineEndAt(text, text.startsWith('\r\n', offset - 2) ? offset - 2 : offset - 1)
}

function isBlankAt(text: string, offset: number): boolean {
  return text[offset] === ' ' || text[offset] === '\t'
}

function endOfLine(text: string, start: number): number {
  let offset = start
  while (offset < text.length && lineEndAt(text, offset) === '') offset++
  return offset
}

/** The blanks at the begin of the line in which this offset lies. */
export function indentationAt(text: string, offset: number): string {
  let start = offset
  while (start > 0 && lineEndBefore(text, start) === '') start--
  return text.slice(start, Math.min(offset, skipBlanks(text, start)))
}
