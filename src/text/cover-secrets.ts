import { coverShapes } from './secret-shapes.ts'
import { coverAddress, coverAuthorization, isSecret, isSecretHeader, mayTell } from './secrets.ts'

/** How a text is shown that may hold secrets of the user: output ends up in logs. Each is covered, as long as before. */

const address = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>`]+/gi
/** `"name": "value"` and `name = 'value'`. */
const quotedSetting = /(["']?)([\w.-]{2,80})\1[ \t]{0,9}[:=][ \t]{0,9}(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')/g

/**
 * A text in which every secret is covered that has the shape of one, that stands in an address, or in quotes behind a
 * name that tells. References to variables stay, and so do names.
 */
export function coverSecrets(text: string): string {
  const quoted = text.replaceAll(
    quotedSetting,
    (whole, _, name: string, double?: string, single?: string) => {
      const value = double ?? single ?? ''
      const isOne = mayTell(name) && isSecretHeader(name, value)
      return isOne ? `${whole.slice(0, -value.length - 1)}${cover(value)}${whole.slice(-1)}` : whole
    },
  )
  const addresses = quoted.replaceAll(address, (url) => coverAddress(url, cover))
  return coverShapes(coverAuthorization(addresses, cover))
}

/** The same for a line of a config file in any notation, where a value may stand behind its name without quotes too. */
export function coverLine(line: string): string {
  return coverSecrets(coverOptions(coverWithin(coverAlone(line))))
}

/** A name and its value, alone on a line of YAML or of a difference. */
const alone = /^([\s+-]{0,200}(["']?)([\w.-]{2,80})\2[ \t]{0,9}[:=][ \t]{1,9})([^\s"'{}[\]|>&*!#].*)$/

function coverAlone(line: string): string {
  const [, before = '', , name = '', rest = ''] = alone.exec(line) ?? []
  const comment = rest.search(/[ \t]#/)
  const value = comment === -1 ? rest : rest.slice(0, comment)
  if (!mayTell(name) || !isSecretHeader(name, value.trimEnd())) return line
  return `${before}${cover(value)}${rest.slice(value.length)}`
}

/** The same within `{ … }`, `[ … ]` or a text; behind `=` it ends with a blank. */
const named = /([\w.-]{2,80})["']?(=|:[ \t]{1,9})(?=[^\s"'{}[\],])/g
const ends = {
  '=': /(?:\$\{[^{}]{0,80}\}|[^\s"',;&}\]])*/y,
  ':': /(?:\$\{[^{}]{0,80}\}|[^\n"',}\]])*/y,
}

function coverWithin(line: string): string {
  let result = ''
  let end = 0
  for (const { 0: whole, 1: name = '', 2: sign = '', index } of line.matchAll(named)) {
    const start = index + whole.length
    if (start < end || !mayTell(name)) continue
    const pattern = sign === '=' ? ends['='] : ends[':']
    pattern.lastIndex = start
    const value = pattern.exec(line)?.[0] ?? ''
    if (!isSecretHeader(name, value.trimEnd())) continue
    result += line.slice(end, start) + cover(value)
    end = start + value.length
  }
  return result + line.slice(end)
}

/** `--token VALUE`, also as two items of a list. */
const option = /((?<![\w-])(--?[A-Za-z][\w-]{0,80})(?:["'],?|,)?[ \t]{1,9}["']?)([^\s"',\]}-][^\s"',\]}]*)/g

function coverOptions(line: string): string {
  return line.replaceAll(option, (whole, before: string, name: string, value: string) =>
    mayTell(name) && isSecret(name, value) ? before + cover(value) : whole,
  )
}

function cover(secret: string): string {
  return '•'.repeat(secret.length)
}
