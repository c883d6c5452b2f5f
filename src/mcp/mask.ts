/** The values that must never be shown. It grows: a token that a server grants is as secret as the one it was bought with. */
export type SecretValues = Set<string>

const shown = '[secret]'

/**
 * The text with every secret value taken out, also in the forms in which programs print one: as JSON, as a part of a
 * URL, in base64 and in hexadecimal; and each line of a value that has several.
 */
export function mask(text: string, secrets: Iterable<string>): string {
  const forms = [...new Set([...secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length)
  if (forms.length === 0) return text
  return text.replace(new RegExp(forms.map(escapeRegExp).join('|'), 'g'), shown)
}

function formsOf(secret: string): string[] {
  if (secret.trim() === '') return []
  const hex = Buffer.from(secret).toString('hex')
  const encoded = encodeURIComponent(secret)
  return [
    secret,
    ...secret.split(/\r?\n/).filter((line) => line.length >= shortestPart),
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replace(/%../g, (byte) => byte.toLowerCase()),
    ...base64Forms(Buffer.from(secret)),
    hex,
    hex.toUpperCase(),
  ]
}

/**
 * The whole value in base64, and what it becomes within a longer text, such as `user:value` of HTTP Basic
 * authentication: the characters that it alone decides, after 0, 1 or 2 bytes of a group of three.
 */
function base64Forms(bytes: Buffer): string[] {
  const within = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  const whole = bytes.toString('base64')
  const forms = [whole, whole.replace(/=+$/, ''), ...within.filter((form) => form.length >= shortestPart)]
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A part shorter than this is as good as any word, and taking it out would spoil the text for nothing. */
const shortestPart = 6
