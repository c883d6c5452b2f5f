import type { LiteralField, Refusal } from '../../src/compile/target.ts'
import { unsetName } from '../../src/compile/unset-name.ts'
import { refuseText } from '../../src/compile/verbatim.ts'
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

/**
 * Why the text, whatever its encoding, or the value of a secret would not arrive verbatim in this field. The reason holds
 * nothing of it.
 */
export function refuse(text: string, field: LiteralField | SecretField): Refusal | undefined {
  return refuseText(text, field) ?? (field === 'header' ? refuseBeyondAscii(text) : undefined)
}

/** Measured with 2.1.332: U+0080 to U+00FF go out as one Latin-1 byte each, and with one above the server fails. */
function refuseBeyondAscii(text: string): Refusal | undefined {
  return /[^\x00-\x7f]/.test(text)
    ? {
        reason: 'Claude Code does not send characters outside ASCII in a header as they are written',
        help: 'write the header in ASCII, encoded as its server expects',
      }
    : undefined
}
