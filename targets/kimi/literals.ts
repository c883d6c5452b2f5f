import type { LiteralField, Refusal } from '../../src/compile/target.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'

/**
 * Kimi Code expands nothing. A header is sent as one byte a character (Latin-1), and one with a character above U+00FF
 * not at all: written as the bytes of its UTF-8, one character each, every text arrives as UTF-8.
 */
export function encode(text: string, field: LiteralField | SecretField): string {
  return field === 'header' ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** Why the text would not arrive verbatim in this field. The reason holds nothing of it. */
export function refuseText(text: string, field: LiteralField | SecretField): Refusal | undefined {
  if (/\p{Surrogate}/u.test(text)) {
    return {
      reason: 'half of a surrogate pair has no UTF-8 form, so no program can receive it',
      help: 'remove it',
    }
  }
  if (text.includes('\0')) {
    return { reason: 'it holds a NUL, which no program can receive', help: 'remove the NUL' }
  }
  return field === 'header' ? refuseHeader(text) : undefined
}

/** Measured: with a control character the server fails, and HTTP takes blanks around a value away. */
function refuseHeader(text: string): Refusal | undefined {
  if (/[\x01-\x08\x0a-\x1f\x7f]/.test(text)) {
    return { reason: 'a control character (a line feed, say) cannot stand in a header', help: 'remove it' }
  }
  return /^[ \t]|[ \t]$/.test(text)
    ? { reason: 'HTTP removes blanks around a header value', help: 'remove the blanks at the ends' }
    : undefined
}
