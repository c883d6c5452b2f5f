import { looksSecret } from '../text/secret-shapes.ts'

/**
 * Which literals of a foreign file are secrets. Too much is better than too little: what is taken for one becomes a
 * declared variable, and the report says so; what is missed would be copied into a file that is meant to be shared.
 */

/** Whether a value that stands under a name is a secret: by its shape, by what it is, or by the name. */
export function isSecret(name: string, value: string): boolean {
  return isCredential(value) || isSecretByName(name, value)
}

/** Whether a text is or holds a credential, whatever its name. */
export function isCredential(value: string): boolean {
  return looksSecret(value) || hasPassword(value) || holdsAuthorization(value)
}

/** `Bearer …` and `Basic …`, also in an argument such as `Authorization: Bearer …`. */
function holdsAuthorization(value: string): boolean {
  const credentials = value.matchAll(/\b(?:bearer|basic|token)[ \t]+([\w+/=.~-]{8,})/gi)
  return [...credentials].some(([, credential = '']) => /\d/.test(credential) || credential.length >= 24)
}

/** `postgres://user:password@host`. */
function hasPassword(value: string): boolean {
  return /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]*:[^\s/?#@]+@/i.test(value)
}

/** Names whose value is a secret, whatever it looks like. */
const surelyTelling =
  /(?:password|passwd|passphrase|pwd|secret|credential|bearer|token|apikey|accesskey|secretkey|privatekey|connectionstring)s?$/
/** Names whose value is one, unless it is a word or a number. */
const telling = /(?:key|auth|authorization|pat|pass|cookie|session|jwt|dsn|signature|otp)s?$/
/** A part of the name tells, and something else is mostly meant: `TOKEN_LIMIT`, `AUTH_TYPE`. */
const hints = /key|token|secret|passw|pwd|auth|credential|cookie|session|jwt|signature/

function isSecretByName(name: string, value: string): boolean {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/\d{1,4}$/, '')
  if (isHarmless(value)) return false
  if (surelyTelling.test(plain))
    return !isNumber(value) || /(?:password|passwd|passphrase|pwd)s?$/.test(plain)
  if (telling.test(plain)) return !isWord(value) && !isNumber(value)
  return hints.test(plain) && isRandom(value, 16)
}

/** What a program is told beside secrets: switches, paths, plain addresses. */
function isHarmless(value: string): boolean {
  const text = value.trim()
  if (text === '' || /^(?:true|false|yes|no|on|off|none|null)$/i.test(text)) return true
  if (/^(?:\.{1,2}|~|[A-Za-z]:)?(?:[\\/][\w. @-]+)+[\\/]?$/.test(text))
    return !isRandom(text.replace(/.*[\\/]/, ''), 24)
  return /^https?:/i.test(text) && URL.canParse(text) && urlSecrets(text).length === 0
}

function isNumber(value: string): boolean {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value)
}

/** `read-only`, `X-Api-Key`: letters in words, each of them short. */
function isWord(value: string): boolean {
  return /^[A-Za-z]{1,15}(?:[-_. ][A-Za-z]{1,15}){0,4}$/.test(value)
}

/** Whether a text of at least this length looks like a random one: a long run of letters and digits, no words. */
function isRandom(text: string, least: number): boolean {
  if (text.length < least || /\s/.test(text) || entropy(text) < 3) return false
  return text.split(/[-_./:,@]/).some((run) => run.length >= 12 && /\d/.test(run) && /[A-Za-z]/.test(run))
}

/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  const total = [...text].length
  return [...counts.values()].reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0)
}

export type UrlSecret = 'user' | 'query' | 'path'

/** Where an address carries a credential. */
export function urlSecrets(url: string): UrlSecret[] {
  const [, user, path = '', query = ''] =
    /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*@)?([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? []
  const isSecretSegment = (segment: string) =>
    looksSecret(segment) || isRandom(segment, 24) || isUuid(segment)
  return [
    ...(user === undefined ? [] : (['user'] as const)),
    ...(query.split('&').some(isSecretParameter) ? (['query'] as const) : []),
    ...(path.split('/').slice(1).some(isSecretSegment) ? (['path'] as const) : []),
  ]
}

/** An unguessable number in a path is how many hosted servers know their user. */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text)
}

function isSecretParameter(parameter: string): boolean {
  const [name = '', ...rest] = parameter.split('=')
  const value = decoded(rest.join('='))
  return isSecret(decoded(name), value) || isRandom(value, 24)
}

/** The address without its user and its secret parameters; every other character as it was. */
export function withoutSecrets(url: string): string {
  const [, scheme = '', , rest = '', query, fragment = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(url) ?? []
  const kept = query?.split('&').filter((parameter) => !isSecretParameter(parameter)) ?? []
  return `${scheme}${rest}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The indexes of the arguments of a command that hold a secret. */
export function secretArguments(values: readonly (string | undefined)[]): number[] {
  return values.flatMap((value, index) => {
    if (value === undefined) return []
    const option = values[index - 1]
    const isValueOfOption = option !== undefined && /^--?[A-Za-z]/.test(option) && !option.includes('=')
    const found =
      isSecretArgument(value) || (isValueOfOption && !value.startsWith('-') && isSecret(option, value))
    return found ? [index] : []
  })
}

/** `--token=…`, `NAME=…`, `X-Api-Key: …`, `{"token":"…"}`, an address with a credential in it, or a credential itself. */
function isSecretArgument(value: string): boolean {
  if (isCredential(value) || isSecretUrl(value)) return true
  const settings = [...value.matchAll(/([\w-]{2,80})["']?[ \t]{0,3}[=:][ \t]{0,3}["']?([^\s"',;&]+)/g)]
  return settings.some(([, name = '', rest = '']) => isSecret(name, rest) || isSecretUrl(rest))
}

function isSecretUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && urlSecrets(text).length > 0
}
