import type { Scalar } from './syntax.ts'

/** What a word without quotes stands for; undefined when it is no value of TOML 1.1. */
export function scalarOf(word: string): Scalar['value'] | undefined {
  if (/^(?:0|[1-9]\d{0,14})$/.test(word)) return Number(word)
  if (word === 'true' || word === 'false') return word === 'true'
  if (word.length > longestWord) return undefined
  return numberOf(word) ?? (isMoment(word) ? { moment: word } : undefined)
}

/** Far more than the digits of any number; a pattern could run out of stack on a longer word. */
const longestWord = 1000

const decimal = /^[-+]?(?:0|[1-9](?:_?\d)*)$/
const otherBase = /^0(?:x[\dA-Fa-f](?:_?[\dA-Fa-f])*|o[0-7](?:_?[0-7])*|b[01](?:_?[01])*)$/
const float = /^[-+]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?$/
const special = /^[-+]?(?:inf|nan)$/

function numberOf(word: string): number | bigint | undefined {
  if (special.test(word)) {
    if (word.endsWith('nan')) return Number.NaN
    return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  const digits = word.replaceAll('_', '')
  if (decimal.test(word) || otherBase.test(word)) return integerOf(digits)
  return float.test(word) ? Number(digits) : undefined
}

/** TOML's integers have 64 bits; a longer one must not be read. */
function integerOf(digits: string): number | bigint | undefined {
  const magnitude = BigInt(digits.replace(/^[-+]/, ''))
  const value = digits.startsWith('-') ? -magnitude : magnitude
  if (BigInt.asIntN(64, value) !== value) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const date = '(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)'
const time = '(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?'
const zone = '(?:[Zz]|[-+](?:[01]\\d|2[0-3]):[0-5]\\d)'
const moment = new RegExp(`^(?:${date}(?:[Tt ]${time}${zone}?)?|${time})$`)

function isMoment(word: string): boolean {
  const groups = moment.exec(word)?.groups
  if (groups === undefined) return false
  const { year, month, day } = groups
  return year === undefined || (Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month)))
}

/** Of a month of the calendar; 0 when there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}
