import type { Place } from './syntax.ts'

export interface StringFault extends Place {
  readonly message: string
  readonly help?: string
  /** Closing quotes are missing that could stand on any line below. */
  readonly isEndless?: true
}

/**
 * Reads the text in quotes that begins at the offset, of any of TOML's four kinds.
 *
 * @param mayBeLong whether three quotes begin a text of several lines, which they do not in a key
 * @returns its value and the offset behind it
 */
export function readString(
  text: string,
  start: number,
  mayBeLong: boolean,
): { readonly value: string; readonly end: number } | StringFault {
  const quote = text.charAt(start)
  const isLong = mayBeLong && text.startsWith(quote.repeat(3), start)
  const closing = isLong ? quote.repeat(3) : quote
  const bodyStart = start + closing.length
  const bodyEnd = endOfBody(text, bodyStart, closing)
  if (isLong && bodyEnd === -1) return endless(start)
  const lineEnd = isLong ? bodyEnd : endOfLine(text, start)
  if (bodyEnd === -1 || bodyEnd > lineEnd) return unclosed(start, lineEnd)
  // The line break behind three opening quotes does not belong to the text.
  const contentStart = isLong ? bodyStart + lineBreakAt(text, bodyStart) : bodyStart
  const content = text.slice(contentStart, bodyEnd)
  const control = forbidden.exec(content)
  if (control !== null) return controlCharacter(contentStart + control.index)
  const value = quote === '"' && content.includes('\\') ? unescaped(content) : content
  if (typeof value !== 'string') return unknownEscape(contentStart + value.wrongAt)
  return { value, end: bodyEnd + closing.length }
}

/** The offset of the closing quotes; -1 when there are none. */
function endOfBody(text: string, start: number, closing: string): number {
  let end = text.indexOf(closing, start)
  while (end !== -1 && closing.startsWith('"') && isEscaped(text, end, start)) {
    end = text.indexOf(closing, end + 1)
  }
  if (end === -1 || closing.length === 1) return end
  // Up to two quotes of the text itself may stand before the three that close it.
  const isQuote = (offset: number) => text[offset] === closing[0]
  return end + (isQuote(end + 3) ? (isQuote(end + 4) ? 2 : 1) : 0)
}

function isEscaped(text: string, offset: number, start: number): boolean {
  let first = offset
  while (first > start && text[first - 1] === '\\') first--
  return (offset - first) % 2 === 1
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end - (text[end - 1] === '\r' ? 1 : 0)
}

/** The length of the line break that stands here. */
function lineBreakAt(text: string, offset: number): number {
  if (text[offset] === '\n') return 1
  return text.startsWith('\r\n', offset) ? 2 : 0
}

/** Control characters except tabs and line breaks. */
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|\r(?!\n)/

const letters: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001B',
  '"': '"',
  '\\': '\\',
}

/** A backslash, and the escape behind it; at the end of a line it takes all blanks and line breaks with it. */
const escapes =
  /\\(?:([btnfre"\\])|(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))|([ \t]*\r?\n[ \t\r\n]*)|)/g

function unescaped(body: string): string | { readonly wrongAt: number } {
  let wrongAt: number | undefined
  const value = body.replace(escapes, (_, letter, two, four, eight, lineEnd, offset: number) => {
    const character = lineEnd === undefined ? (letters[letter] ?? characterOf(two ?? four ?? eight)) : ''
    if (character === undefined) wrongAt ??= offset
    return character ?? ''
  })
  return wrongAt === undefined ? value : { wrongAt }
}

/** A Unicode scalar value, which half of a surrogate pair is not. */
function characterOf(digits: string | undefined): string | undefined {
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits, 16)
  const isScalarValue = code <= 0xd7ff || (code >= 0xe000 && code <= 0x10ffff)
  return isScalarValue ? String.fromCodePoint(code) : undefined
}

function endless(start: number): StringFault {
  const message = 'This text has no end: three closing quotes are missing.'
  return { start, end: start + 3, message, isEndless: true }
}

function unclosed(start: number, end: number): StringFault {
  const help = 'Put the closing quote behind it. A text of several lines stands in three quotes: """…""".'
  return { start, end, message: 'This text has no closing quote on its line.', help }
}

function controlCharacter(start: number): StringFault {
  const help = 'Write it as an escape in double quotes, such as `\\u0007`.'
  return { start, end: start + 1, message: 'A control character cannot stand in a text.', help }
}

function unknownEscape(start: number): StringFault {
  const help = 'Write a backslash as `\\\\`, or put the text in single quotes, which know no escapes.'
  return { start, end: start + 2, message: 'TOML has no such escape.', help }
}
