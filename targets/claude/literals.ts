import type { LiteralField, Refusal } from '../../src/compile/target.ts'
import { unsetName } from '../../src/compile/unset-name.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'

/** The `${` of a reference that Claude Code expands: `${NAME}` or `${NAME:-default}`, the default without `}`. */
const expandable = /\$\{(?=[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\})/g

/**
 * The text as it must be written so that it arrives verbatim. Claude Code has no escape, but a default value is not
 * expanded again: `${BRIDLE_U:-$}{NAME}` becomes `${NAME}`. Header values are expanded twice, when the file is read and
 * when the server is called, so they are encoded twice.
 */
export function encodeLiteral(text: string, field: LiteralField): string {
  return field === 'header' ? encode(encode(text)) : encode(text)
}

/**
 * What Claude Code makes of a text that another target has encoded with the unset name; undefined when it would look
 * another name up.
 */
export function readLiteral(text: string, field: LiteralField): string | undefined {
  const read = expandUnset(text)
  return field === 'header' && read !== undefined ? expandUnset(read) : read
}

function expandUnset(text: string): string | undefined {
  let isKnown = true
  const read = text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (reference, name: string, fallback?: string) => {
      isKnown &&= name === unsetName && fallback !== undefined
      return fallback ?? reference
    },
  )
  return isKnown ? read : undefined
}

/** The value to inject: put into a header it is expanded once more, put into an environment it is not. */
export function encodeValue(value: string, field: SecretField): string {
  return field === 'header' ? encode(value) : value
}

function encode(text: string): string {
  return text.replace(expandable, `\${${unsetName}:-$}{`)
}

/** Why the text would not arrive verbatim in this field, whatever its encoding. */
export function refuseLiteral(text: string, field: LiteralField): Refusal | undefined {
  if (field === 'header') return refuseHeaderText(text)
  return loneSurrogate.test(text)
    ? {
        reason: 'half of a surrogate pair has no UTF-8 form, so no program can receive it',
        help: 'remove it',
      }
    : undefined
}

/** Why the value would not arrive verbatim in this field. The reason holds nothing of the value. */
export function refuseValue(value: string, field: SecretField): Refusal | undefined {
  if (field === 'header') return refuseHeaderText(value)
  return value.includes('\0')
    ? { reason: 'it holds a NUL, which no environment can', help: 'remove the NUL' }
    : undefined
}

/**
 * Measured with 2.1.332: a control character or one above U+00FF makes the server fail, white space around the value is
 * lost, and U+0080 to U+00FF go out as one Latin-1 byte each, which is not what stands in the file.
 */
function refuseHeaderText(text: string): Refusal | undefined {
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(text)) {
    return { reason: 'Claude Code cannot send a header with a control character', help: 'remove it' }
  }
  if (/[^\x00-\x7f]/.test(text)) {
    return {
      reason: 'Claude Code does not send characters outside ASCII in a header as they are written',
      help: 'write the header in ASCII, encoded as its server expects',
    }
  }
  if (/^[ \t]|[ \t]$/.test(text)) {
    return {
      reason: 'Claude Code removes white space around a header value',
      help: 'remove the white space at the ends',
    }
  }
  return undefined
}

const loneSurrogate = /\p{Surrogate}/u
