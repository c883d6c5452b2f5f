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
  const bytes = Buffer.from(secret)
  return [
    secret,
    ...secret.split(/\r?\n/).filter((line) => line.length >= shortestLine),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** A line shorter than this is as good as any word, and taking it out would spoil the text for nothing. */
const shortestLine = 6
