import type { LiteralField, Refusal } from '../../src/compile/target.ts'
import { unsetName } from '../../src/compile/unset-name.ts'
import { refuseText } from '../../src/compile/verbatim.ts'

/** Of a text with more UTF-16 code units, Copilot 1.0.102 expands nothing. */
const mostExpanded = 1000

/**
 * The `$` of what Copilot expands: `$NAME`, `${NAME}`, or `${NAME:-default}` with a default without `}`; of the last also
 * where no `}` follows, since a later encoding would bring one.
 */
const expandable = /\$(?=[A-Za-z_]|\{[A-Za-z_][A-Za-z0-9_]*(?:\}|:-))/g

/** Gives the text, which has no `}`, since no variable has the name: it is not expanded again. */
function asDefault(text: string): string {
  return `\${${unsetName}:-${text}}`
}

/**
 * The text as it must be written so that it arrives verbatim. There is no escape, but `${BRIDLE_U:-$}HOME` gives `$HOME`.
 * A text that Copilot does not change stays as it is.
 */
export function encodeLiteral(text: string, field: LiteralField): string {
  const encodings = encodingsOf(text, field)
  return encodings.find(({ length }) => length <= mostExpanded) ?? text
}

/** The ways to write it, the preferred one first: Claude Code reads that one as the same text too. */
function encodingsOf(text: string, field: LiteralField): string[] {
  if (!isExpanded(text, field)) return []
  const singly = text.replace(expandable, asDefault('$'))
  if (singly !== text) {
    const guard = field === 'environment' ? withBlanks : (encoded: string) => encoded
    return [singly, inStretches(text)].map(guard)
  }
  return field === 'environment' && couldBeName(text) ? [withBlanks(asDefault('') + text)] : []
}

/** Of a value of `env`, the blanks around it do not count. */
function isExpanded(text: string, field: LiteralField): boolean {
  const counted = field === 'environment' ? text.trim() : text
  return counted.length <= mostExpanded
}

/** One reference for each stretch without a `}`, from its first `$` on. */
function inStretches(text: string): string {
  return text
    .split('}')
    .map((stretch) => stretch.replace(/\$.*/s, asDefault))
    .join('}')
}

/** A value of `env` in which something is expanded loses the blanks around it. */
function withBlanks(value: string): string {
  const before = value.trimStart() === value ? '' : asDefault('')
  const after = value.trimEnd() === value ? '' : asDefault('')
  return before + value + after
}

/**
 * A value of `env` that, without the blanks around it, is the name of a variable is replaced by the value of that
 * variable. Whatever is not empty and without `=` can be a name (`8080`, `a b`); that one has 900 characters is no case.
 */
function couldBeName(text: string): boolean {
  return text.trim() !== '' && !text.includes('=') && text.length < 900
}

/** `$NAME`, `${NAME}` and `${NAME:-default}`. */
const reference = /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})/g

/**
 * What Copilot makes of a text that another target has encoded with the unset name; undefined when it would look another
 * name up.
 */
export function readLiteral(text: string, field: LiteralField): string | undefined {
  if (!isExpanded(text, field)) return text
  const references = [...text.matchAll(reference)]
  const isKnown = references.every(([, , name, fallback]) => name === unsetName && fallback !== undefined)
  if (!isKnown) return undefined
  if (references.length === 0) return field === 'environment' && couldBeName(text) ? undefined : text
  const expanded = field === 'environment' ? text.trim() : text
  return expanded.replace(reference, '$3')
}

/** Why the text would not arrive verbatim in this field, whatever its encoding. The reason holds nothing of it. */
export function refuseLiteral(text: string, field: LiteralField): Refusal | undefined {
  const encodings = text.search(expandable) === -1 ? [] : encodingsOf(text, field)
  if (encodings.length > 0 && encodings.every(({ length }) => length > mostExpanded)) {
    return {
      reason: `Copilot expands \`$NAME\` in a text of up to ${mostExpanded} characters, and with what keeps it from that, this one is longer`,
      help: 'make it shorter, or have it in a file that the server reads',
    }
  }
  return refuseText(text, field)
}
