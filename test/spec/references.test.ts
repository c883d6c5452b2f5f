import { expect, it } from 'vitest'
import { mostSuggestions } from '../../src/spec/suggest.ts'
import { read } from './support.ts'

const count = 400
const named = (prefix: string, value: (index: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value(index)]))

it.each([
  [
    'undeclared variables',
    'BRIDLE209',
    {
      variables: named('DECLARED_', () => ({})),
      servers: named('s', (index) => ({ command: 'x', variables: [`DECLARED_${index}_`] })),
    },
  ],
  [
    'unknown servers',
    'BRIDLE214',
    {
      servers: named('server', () => ({ command: 'x' })),
      targets: { codex: { servers: { include: Object.keys(named('servr', () => 0)) } } },
    },
  ],
])('Of many %s every one is told, and the first ones get a suggestion', async (_, code, spec) => {
  const { diagnostics } = await read(JSON.stringify({ version: 1, ...spec }))
  const found = diagnostics.filter((diagnostic) => diagnostic.code === code)
  expect(found).toHaveLength(count)
  expect(found.filter(({ help }) => help?.includes('Did you mean'))).toHaveLength(mostSuggestions)
  expect(found.every(({ help }) => help !== undefined)).toBe(true)
})
