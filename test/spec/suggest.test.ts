import { expect, it } from 'vitest'
import { mostLike } from '../../src/spec/suggest.ts'

it.each([
  ['argumnts', 'arguments'],
  ['clude', 'claude'],
  ['startup_timeout_ms', 'startupTimeoutMs'],
  ['STARTUPTIMEOUTMS', 'startupTimeoutMs'],
  ['evn', undefined],
  ['', undefined],
  ['something-else', undefined],
])('For %j the suggestion is %j', (name, expected) => {
  expect(mostLike(name, ['arguments', 'environment', 'claude', 'startupTimeoutMs'])).toBe(expected)
})
