import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverLine, coverSecrets } from '../../src/text/cover-secrets.ts'

/** Lines of every notation; `hunter2pass` and `8f14e45fceea` are the secrets in them. */
const lines: readonly string[] = [
  'url: https://user:hunter2pass@host/?api_key=8f14e45fceea',
  '    DB_PASSWORD: hunter2pass',
  '    DB_PASSWORD: hunter2pass # of the test system',
  '- DB_PASSWORD: hunter2pass',
  '+  "X-API-Key": "8f14e45fceea"',
  "-  LINEAR_API_KEY = '8f14e45fceea'",
  'environment: { LOG: x, LINEAR_API_KEY: 8f14e45fceea, A: b }',
  'environment = { LINEAR_API_KEY = "8f14e45fceea" }',
  'headers: { Authorization: Bearer hunter2pass }',
  'headers: { Authorization: hunter2pass }',
  'arguments: [--header, "X-API-Key: 8f14e45fceea"]',
  'arguments: [--header, "Authorization: Bearer 8f14e45fceea"]',
  'arguments: [--api-key=8f14e45fceea, -v]',
  'arguments: [--token, 8f14e45fceea]',
  'arguments = ["--token", "8f14e45fceea"]',
  'command: notes --token=8f14e45fceea --api-key 8f14e45fceea',
  '"args": ["postgresql://u:hunter2pass@db/app", "x"]',
  '"url": "https://host/mcp?a=1&token=8f14e45fceea&b=2"',
  'DB_PASSWORD: "hunter2pass, and more"',
]

const open: readonly string[] = [
  'headers: { Authorization: "Bearer ${TOKEN}" }',
  'headerVariables: { X-Api-Key: LINEAR_API_KEY }',
  'bearerTokenVariable: LINEAR_API_KEY',
  'env: { GITHUB_TOKEN: $GITHUB_TOKEN, API_KEY: "<your-token>" }',
  'url: https://host/mcp?api_key=${KEY}&x=1',
  'arguments: [--api-key, YOUR_API_KEY]',
  'variables: { API_KEY: {}, TOKEN: { file: /run/secrets/token } }',
  'tools: { include: [get_token] }',
  'startupTimeoutMs: 4000',
  'TOKEN_LIMIT: 20000',
  'git: ssh://git@github.com/a/b.git',
]

describe('A line of a config file', () => {
  it.each(lines)('is shown without its secret, as long as before: %s', (line) => {
    const covered = coverLine(line)
    expect(covered).not.toMatch(/hunter2|8f14e/)
    expect(covered).toHaveLength(line.length)
    for (const name of line.match(
      /\b(?:DB_PASSWORD|LINEAR_API_KEY|X-API-Key|Authorization|--token|api_key)\b/g,
    ) ?? [])
      expect(covered).toContain(name)
  })

  it.each(open)('is shown as it is where nothing in it is secret: %s', (line) => {
    expect(coverLine(line)).toBe(line)
  })

  it('keeps its length and is covered once for all, whatever it holds', () => {
    const piece = fc.constantFrom(
      'API_KEY',
      ': ',
      '=',
      '"',
      "'",
      '{',
      '}',
      ', ',
      'hunter2',
      '--token ',
      '://',
      '@',
      '#',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 20 }), (pieces) => {
        const line = pieces.join('')
        const covered = coverLine(line)
        expect(covered).toHaveLength(line.length)
      }),
    )
  })

  it('of any length is looked through in time', () => {
    for (const text of [
      'a'.repeat(1e6),
      'key: '.repeat(2e5),
      'a=b '.repeat(2e5),
      `token: x${' '.repeat(1e6)}y`,
      '--a '.repeat(2e5),
      'a://'.repeat(2e5),
    ])
      expect(coverLine(text)).toHaveLength(text.length)
  })
})

describe('A text of a message', () => {
  it('stays where a telling word is followed by a sentence', () => {
    const text = '`token`: must be text; Token: remove it.'
    expect(coverSecrets(text)).toBe(text)
  })

  it('shows an address without what logs its user in', () => {
    expect(coverSecrets('no answer from https://u:hunter2pass@host/?api_key=8f14e45fceea&x=1')).toBe(
      'no answer from https://u:•••••••••••@host/?api_key=••••••••••••&x=1',
    )
  })
})
