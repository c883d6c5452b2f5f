import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../src/compile/support.ts'
import type { LiteralField } from '../../../src/compile/target.ts'
import type { SecretField } from '../../../src/spec/variable-uses.ts'
import { codex } from '../../../targets/codex/target.ts'
import { http } from '../../support/servers.ts'

/** Name → the namespace in which 0.171.0 shows the tools of such a server to the model. */
const namespaces = [
  ['docs', 'mcp__docs'],
  ['a-b', 'mcp__a_b'],
  ['mcp__docs', 'mcp__docs'],
  ['mcp--docs', 'mcp__docs'],
  ['mcp__mcp__docs', 'mcp__mcp__docs'],
  ['mcp_x', 'mcp__mcp_x'],
] as const

test.each(namespaces)('the server %s is shown as %s', (name, namespace) => {
  expect(codex.names.fold(name)).toBe(namespace)
})

test('the name of a server of Codex itself is refused, its neighbours are not', () => {
  expect(codex.names.refuse('codex_apps')?.help).toBe('rename the server')
  expect(codex.names.refuse('codex-apps')).toBeUndefined()
})

describe('a header', () => {
  const belongsToCodex = [
    'Accept',
    'content-type',
    'Content-Length',
    'Mcp-Session-Id',
    'MCP-Protocol-Version',
  ]
  test.each(belongsToCodex)('%s is refused, in whatever case', (name) => {
    const server = http({ headers: { [name]: 'v' } })
    const use = { feature: 'headers', server, path: ['servers', 'remote', 'headers'] } as const
    expect(refusalOf(codex, use, [use], 'standalone')?.reason).toContain(name)
  })

  test.each(['Host', 'User-Agent', 'X-Team', 'Cookie'])('%s is accepted', (name) => {
    const server = http({ headerVariables: { [name]: 'VARIABLE' } })
    const use = {
      feature: 'headerVariables',
      server,
      path: ['servers', 'remote', 'headerVariables'],
    } as const
    expect(refusalOf(codex, use, [use], 'launch')).toBeUndefined()
  })
})

describe('a text', () => {
  const lost: readonly [string, LiteralField & SecretField][] = [
    ['canary\0b', 'environment'],
    ['canary\0b', 'header'],
    ['canary\nb', 'header'],
    ['canary\r', 'header'],
    ['canary\u007fb', 'header'],
    ['canary\u0001b', 'header'],
    [' canary', 'header'],
    ['canary\t', 'header'],
    ['canary\ud800', 'environment'],
    ['canary\udc00', 'header'],
  ]
  test.each(lost)(
    '%j is refused as %s, literal or secret, and the reason does not show it',
    (text, field) => {
      expect(codex.literals.refuse(text, field)).toBeDefined()
      const refusal = codex.secrets.refuseValue(text, field)
      expect(refusal).toBeDefined()
      expect(refusal?.reason).not.toContain('canary')
    },
  )

  const kept: readonly [string, LiteralField & SecretField][] = [
    ['a\nb\u0001\u007f', 'environment'],
    [' ${HOME} $(id) "; ', 'environment'],
    ['', 'environment'],
    ['a\tb é 漢 😀 \u0085', 'header'],
    ['"; $(id) ${HOME}', 'header'],
  ]
  test.each(kept)('%j is accepted as %s and written as it is', (text, field) => {
    expect(codex.literals.refuse(text, field)).toBeUndefined()
    expect(codex.literals.encode(text, field)).toBe(text)
    expect(codex.secrets.refuseValue(text, field)).toBeUndefined()
    expect(codex.secrets.encodeValue(text, field)).toBe(text)
  })

  test('that is empty is lost as a secret header, and only there', () => {
    expect(codex.secrets.refuseValue('', 'header')).toBeDefined()
    expect(codex.literals.refuse('', 'header')).toBeUndefined()
  })
})

test('PATH cannot be handed on as it is, any other variable can', () => {
  expect(codex.secrets.refuseName('PATH', 'environment')).toBeDefined()
  expect(codex.secrets.refuseName('NPM_TOKEN', 'environment')).toBeUndefined()
  expect(codex.secrets.refuseName('LD_LIBRARY_PATH', 'environment')).toBeUndefined()
})
