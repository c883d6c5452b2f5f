import { isSecret } from '../import/secrets.ts'
import { coverSecrets } from '../text/secret-shapes.ts'

/** `"name": "value"` and `name = 'value'`, on one line. */
const setting = /(["']?)([\w-]{2,80})\1[ \t]{0,9}[:=][ \t]{0,9}(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')/g

/**
 * A text of a config file in which every value that is a secret by its shape or by its name is covered, as long as
 * before: the user may have written one there, and output ends up in logs. References to variables stay.
 */
export function coverValues(text: string): string {
  const covered = text.replaceAll(
    setting,
    (whole: string, _, name: string, double?: string, single?: string) => {
      const value = double ?? single ?? ''
      if (/\$\{|\$[A-Z_]/.test(value) || !isSecret(name, value)) return whole
      return `${whole.slice(0, -value.length - 1)}${'•'.repeat(value.length)}${whole.slice(-1)}`
    },
  )
  return coverSecrets(covered)
}
