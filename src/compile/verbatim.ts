import type { SecretField } from '../spec/variable-uses.ts'
import type { LiteralField, Refusal } from './target.ts'

/** Why no harness could hand this text on verbatim in this field, as a literal or as a value. The reason holds nothing of it. */
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

/** RFC 9110 section 5.5: a field value has no control character but the tab, and no blanks around it. */
function refuseHeader(text: string): Refusal | undefined {
  if (/[\x01-\x08\x0a-\x1f\x7f]/.test(text)) {
    return { reason: 'a control character (a line feed, say) cannot stand in a header', help: 'remove it' }
  }
  return /^[ \t]|[ \t]$/.test(text)
    ? { reason: 'HTTP removes blanks around a header value', help: 'remove the blanks at the ends' }
    : undefined
}
