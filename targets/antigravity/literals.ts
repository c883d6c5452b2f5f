import type { LiteralField, Refusal } from '../../src/compile/target.ts'
import { refuseText } from '../../src/compile/verbatim.ts'

/**
 * The forms in which the harnesses that are known write a reference to a variable. Which of them Antigravity replaces is
 * not known, so none of them is sure to arrive as it stands.
 */
const reference = /\$[A-Za-z_{(]|\{(?:env|file|input):|\{\{|%[A-Za-z_]\w*%/

/** Why the text might not arrive verbatim in this field. */
export function refuseLiteral(text: string, field: LiteralField): Refusal | undefined {
  const [found] = reference.exec(text) ?? []
  if (found !== undefined) {
    return {
      reason: `\`${found}\` begins a reference in other harnesses, and what Antigravity makes of it is not known`,
      help: 'write the text without it, or leave the server out with `targets.antigravity.servers.exclude`',
    }
  }
  return field === 'header' && /[^\t -~]/.test(text)
    ? {
        reason: 'how Antigravity sends characters outside ASCII in a header is not known',
        help: 'write the header in ASCII',
      }
    : refuseText(text, field)
}
