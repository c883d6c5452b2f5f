import type { LiteralField } from '../../src/compile/target.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'

/**
 * Kimi Code expands nothing. A header is sent as one byte a character (Latin-1), and one with a character above U+00FF
 * not at all: written as the bytes of its UTF-8, one character each, every text arrives as UTF-8.
 */
export function encode(text: string, field: LiteralField | SecretField): string {
  return field === 'header' ? Buffer.from(text, 'utf8').toString('latin1') : text
}
