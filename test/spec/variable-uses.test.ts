import { expect, it } from 'vitest'
import { variableUses } from '../../src/spec/variable-uses.ts'

it.each([
  [
    'a list of variables',
    { variables: ['A', 'B'] },
    ['environment A variables.A', 'environment B variables.B'],
  ],
  ['a map of variables', { variables: { X: 'A' } }, ['environment A variables.X']],
  ['a header', { headerVariables: { 'X-Key': 'A' } }, ['header A headerVariables.X-Key']],
  ['a bearer token', { bearerTokenVariable: 'A' }, ['header A bearerTokenVariable']],
  [
    'client credentials',
    { oauth: { clientSecretVariable: 'A' } },
    ['clientSecret A oauth.clientSecretVariable'],
  ],
  ['a login', { oauth: 'login' }, []],
  ['nothing', {}, []],
])('The uses of %s are told with their field and place', (_, server, expected) => {
  const uses = variableUses(server, 's')
  expect(uses.map(({ variable, field, path }) => `${field} ${variable} ${path.slice(2).join('.')}`)).toEqual(
    expected,
  )
  for (const { path } of uses) expect(path.slice(0, 2)).toEqual(['servers', 's'])
})
