import { isPlaceholder, isReference } from './placeholders.ts'
import { looksSecret } from './secret-shapes.ts'

/**
 * Which texts of a file are secrets, for all who ask: the import, the hints on a spec, and what is shown. Too much is
 * better than too little: what is taken for one becomes a declared variable, and the report says so; what is missed would
 * be copied into a file that is meant to be shared.
 */

/** Whether a value that stands under a name is a secret: by its shape, by what it is, or by the name. */
export function isSecret(name: string, value: string): boolean {
  if (isReference(value) || isPlaceholder(value)) return false
  return isCredential(value) || isSecretByName(name, value)
}

/** The same for a header: whatever stands in `Authorization` is one. */
export function isSecretHeader(name: string, value: string): boolean {
  const isSaid = value !== '' && !isReference(value) && !isPlaceholder(value)
  return isSaid && (name.toLowerCase() === 'authorization' || isSecret(name, value))
}

/** Whether a text is or holds a credential, whatever its name. */
export function isCredential(value: string): boolean {
  return looksSecret(value) || hasPassword(value) || holdsAuthorization(value)
}

/** `Bearer …` and `Basic …`, also in an argument such as `Authorization: Bearer …`. */
function holdsAuthorization(value: string): boolean {
  return coverAuthorization(value, () => '') !== value
}

/** The text with each such credential as `cover` gives it. */
export function coverAuthorization(text: string, cover: (secret: string) => string): string {
  return text.replaceAll(
    /\b((?:bearer|basic|token)[ \t]{1,9})([\w+/=.~-]{8,})/gi,
    (whole, before: string, credential: string) =>
      /\d/.test(credential) || credential.length >= 24 ? before + cover(credential) : whole,
  )
}

/** `postgres://user:password@host`. */
function hasPassword(value: string): boolean {
  const passwords = value.matchAll(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]*:([^\s/?#@]+)@/gi)
  return [...passwords].some(([, password = '']) => !isReference(password) && !isPlaceholder(password))
}

/** Names whose value is a secret, whatever it looks like. */
const surelyTelling =
  /(?:password|passwd|passphrase|pwd|secret|credential|bearer|token|apikey|accesskey|secretkey|privatekey|connectionstring)s?$/
/** Names whose value is one, unless it is a word or a number. */
const telling = /(?:key|auth|authorization|pat|pass|cookie|session|jwt|dsn|signature|otp)s?$/
/** A part of the name tells, and something else is mostly meant: `TOKEN_LIMIT`, `AUTH_TYPE`. */
const hints = /key|token|secret|passw|pwd|auth|credential|cookie|session|jwt|signature/

/** Whether a value under this name may be a secret at all. */
export function mayTell(name: string): boolean {
  const plain = plainName(name)
  return [surelyTelling, telling, hints].some((pattern) => pattern.test(plain))
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/\d{1,4}$/, '')
}

function isSecretByName(name: string, value: string): boolean {
  const plain = plainName(name)
  if (isHarmless(value) || isVariableName(value)) return false
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

/** `GITHUB_TOKEN`: several words in capitals, the name of what holds the secret. */
function isVariableName(value: string): boolean {
  return /^[A-Z]{1,15}\d{0,2}(?:_[A-Z]{1,15}\d{0,2}){1,7}$/.test(value)
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
  return [
    ...(user === undefined ? [] : (['user'] as const)),
    ...(query.split('&').some(isSecretParameter) ? (['query'] as const) : []),
    ...(path.split('/').slice(1).some(isSecretSegment) ? (['path'] as const) : []),
  ]
}

function isSecretSegment(segment: string): boolean {
  return looksSecret(segment) || isRandom(segment, 24) || isUuid(segment)
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
  const [, scheme = '', , rest = '', query, fragment = ''] = wholeAddress.exec(url) ?? []
  const kept = query?.split('&').filter((parameter) => !isSecretParameter(parameter)) ?? []
  return `${scheme}${rest}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`
}

const wholeAddress = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is

/** The address with each secret in it as `cover` gives it; names stay, and so does every other character. */
export function coverAddress(url: string, cover: (secret: string) => string): string {
  const [, scheme = '', user = '', rest = '', query, fragment = ''] = wholeAddress.exec(url) ?? []
  if (scheme === '') return url
  const [host = '', ...segments] = rest.split('/')
  const path = segments.map((segment) => (isSecretSegment(segment) ? cover(segment) : segment))
  const parameters = query?.split('&').map((parameter) => {
    const value = parameter.indexOf('=') + 1
    return isSecretParameter(parameter)
      ? parameter.slice(0, value) + cover(parameter.slice(value))
      : parameter
  })
  const shownQuery = parameters === undefined ? '' : `?${parameters.join('&')}`
  return `${scheme}${coverUser(user, cover)}${[host, ...path].join('/')}${shownQuery}${fragment}`
}

/** A name before a password stays; `git@` too, and one name alone is a token in any other case. */
function coverUser(user: string, cover: (secret: string) => string): string {
  if (user === '' || user === 'git@') return user
  const start = user.indexOf(':') + 1
  const secret = user.slice(start, -1)
  return isReference(secret) || isPlaceholder(secret) ? user : `${user.slice(0, start)}${cover(secret)}@`
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
