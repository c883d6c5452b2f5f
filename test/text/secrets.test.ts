import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverSecrets } from '../../src/text/cover-secrets.ts'
import { looksSecret } from '../../src/text/secret-shapes.ts'
import { isSecret, secretArguments, urlSecrets, withoutSecrets } from '../../src/text/secrets.ts'

/** One made-up credential of each well-known shape. */
const shapes: readonly string[] = [
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'a1B2_'.repeat(8)}`,
  `glpat-${'a1B2-'.repeat(4)}`,
  `xoxb-${'123456-'.repeat(3)}abc`,
  `xapp-1-${'A1B2'.repeat(5)}`,
  `AKIA${'A1B2'.repeat(4)}`,
  `AIza${'a1B2_'.repeat(7)}`,
  `GOCSPX-${'a1B2-'.repeat(5)}`,
  `npm_${'a1B2'.repeat(9)}`,
  `sk_live_${'a1B2'.repeat(6)}`,
  `sk-ant-api03-${'a1B2-'.repeat(8)}`,
  `hf_${'aBcD'.repeat(9)}`,
  `gsk_${'a1B2'.repeat(12)}`,
  `tvly-${'a1B2'.repeat(8)}`,
  `lin_api_${'a1B2'.repeat(10)}`,
  `ntn_${'a1B2'.repeat(11)}`,
  `figd_${'a1B2-'.repeat(8)}`,
  `ATATT3${'xF_a1'.repeat(8)}`,
  `sntrys_${'a1B2'.repeat(10)}`,
  `glsa_${'a1B2'.repeat(8)}_${'a1b2'.repeat(2)}`,
  `dop_v1_${'a1b2'.repeat(16)}`,
  `hvs.${'a1B2'.repeat(8)}`,
  `sbp_${'a1b2'.repeat(10)}`,
  `shpat_${'a1b2'.repeat(8)}`,
  `SG.${'a1B2'.repeat(5)}.${'a1B2'.repeat(10)}`,
  `eyJ${'a1B2'.repeat(4)}.${'a1B2'.repeat(4)}.${'a1B2'.repeat(4)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${'a1B2'.repeat(16)}\n-----END RSA PRIVATE KEY-----`,
]

const secret: readonly (readonly [name: string, value: string])[] = [
  ['API_KEY', 'k3yk3yk3y'],
  ['apiKey', 'changeme'],
  ['DB_PASSWORD', 'hunter2'],
  ['DB_PASSWORD', '12345678'],
  ['password', 'correct horse battery staple'],
  ['CLIENT_SECRET', 'abc'],
  ['SLACK_BOT_TOKEN', 'words-only'],
  ['SENTRY_DSN', 'https://0123456789abcdef0123456789abcdef@sentry.example.com/1'],
  ['X-Api-Key', '9f8e7d6c'],
  ['Cookie', 'session=9f8e7d6c'],
  ['MY_PAT_2', 'a1b2c3d4'],
  ['AUTH_HEADER', 'Zm9vYmFyMTIzNDU2Nzg5MA'],
  ['ANYTHING', 'postgres://app:hunter2@db.example.com/app'],
  ['ANYTHING', 'Bearer a1b2c3d4e5'],
  ['API_TOKEN', '${X:-hunter2}'],
  ['API_TOKEN', '${X}hunter2'],
  ['DB_PASSWORD', '$ecret1'],
]

const harmless: readonly (readonly [name: string, value: string])[] = [
  ['API_KEY', ''],
  ...[
    ...[
      '${GITHUB_TOKEN}',
      '$GITHUB_TOKEN',
      '${env:X}',
      '{env:X}',
      '%X%',
      '{{ x }}',
      '$(pass show x)',
      'Bearer ${X}',
    ],
    ...[
      '<your-token>',
      'YOUR_API_KEY',
      'your-api-key-here',
      'xxx',
      'ghp_xxxxxxxxxxxxxxxxxxxxxxxx',
      'REPLACE_ME',
      '***',
    ],
    'GITHUB_TOKEN',
  ].map((text) => ['API_TOKEN', text] as const),
  ['DB_PASSWORD', 'false'],
  ['MAX_TOKENS', '4096'],
  ['TOKEN_LIMIT', '200000'],
  ['TOKENIZERS_PARALLELISM', 'true'],
  ['AUTH_TYPE', 'interactive'],
  ['AUTH', 'none'],
  ['SORT_KEY', 'created'],
  ['API_KEY_HEADER', 'X-Api-Key'],
  ['SSH_AUTH_SOCK', '/run/user/1000/ssh-agent.socket'],
  ['PRIVATE_KEY_PATH', '~/.ssh/id_ed25519'],
  ['PASSWORD_FILE', '/run/secrets/db'],
  ['KEYCLOAK_URL', 'https://id.example.com/auth'],
  ['LOG_LEVEL', 'debug'],
  ['DATABASE_URL', 'postgres://localhost:5432/app'],
  ['MODEL', 'gpt-4o-mini-2024-07-18'],
  ['GREETING', 'basic authentication is off'],
  ['PATH', '/usr/local/bin:/usr/bin'],
]

const urls: readonly (readonly [url: string, found: readonly string[], without: string])[] = [
  ['https://a.example.com/mcp?x=1#y', [], 'https://a.example.com/mcp?x=1#y'],
  ['https://ada:pw@a.example.com/mcp', ['user'], 'https://a.example.com/mcp'],
  ['https://t0ken@a.example.com', ['user'], 'https://a.example.com'],
  ['https://a.example.com/?api_key=q1w2e3&x=1&x=2#f', ['query'], 'https://a.example.com/?x=1&x=2#f'],
  ['https://a.example.com/mcp?token=abc', ['query'], 'https://a.example.com/mcp'],
  ['https://a.example.com/mcp?id=Zm9vYmFyMTIzNDU2Nzg5MGFiY2Q', ['query'], 'https://a.example.com/mcp'],
  ['https://a.example.com/s/Zm9vYmFyMTIzNDU2Nzg5MGFiY2Q/mcp', ['path'], ''],
  ['https://a.example.com/mcp/0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f/sse', ['path'], ''],
  [
    'https://a.example.com/a-rather-long-path-of-words/v2/mcp',
    [],
    'https://a.example.com/a-rather-long-path-of-words/v2/mcp',
  ],
]

const commands: readonly (readonly [args: readonly string[], found: readonly number[]])[] = [
  [['-y', 'x', '--token=abc'], [2]],
  [['--api-key', 'a1b2c3d4', '--verbose'], [1]],
  [['-e', 'GITHUB_TOKEN', 'ghcr.io/x'], []],
  [['--config', '{"region":"eu","apiKey":"a1b2c3d4"}'], [1]],
  [['-e', 'GITHUB_TOKEN=a1b2c3d4'], [1]],
  [['--header', 'Authorization: Bearer a1b2c3d4e5'], [1]],
  [['--header', 'X-Api-Key:a1b2c3d4'], [1]],
  [['mcp-remote', 'https://a.example.com/mcp?apikey=a1b2c3'], [1]],
  [['postgres://app:pw@db/app', 'postgres://db/app'], [0]],
  [['--auth-type', 'oauth', '--token-limit', '4000', '--key-file', '/etc/key.pem'], []],
  [['--mode=read-only', '--port=8080', '--root=/srv/data', 'a=b=c'], []],
]

describe('A credential', () => {
  it.each(shapes)('of a well-known shape is one: %s', (text) => {
    expect(looksSecret(text)).toBe(true)
    expect(looksSecret(`in a sentence, ${text}, too`)).toBe(true)
    expect(isSecret('LOG_LEVEL', text)).toBe(true)
    const covered = coverSecrets(`x ${text} y`)
    expect(covered).toHaveLength(text.length + 4)
    expect(covered).not.toContain(text.slice(0, 8))
  })

  it.each(secret)('under the name %s is one: %s', (name, value) => {
    expect(isSecret(name, value)).toBe(true)
  })

  it.each(harmless)('is not what stands under %s: %s', (name, value) => {
    expect(isSecret(name, value)).toBe(false)
  })
})

describe('An address', () => {
  it.each(urls)('%s carries credentials here: %j', (url, found, without) => {
    expect(urlSecrets(url)).toEqual(found)
    if (!found.includes('path')) expect(withoutSecrets(url)).toBe(without)
  })

  it('without its secrets has none, and one without secrets stays as it is', () => {
    fc.assert(
      fc.property(
        fc.webUrl({
          withQueryParameters: true,
          withFragments: true,
          authoritySettings: { withUserInfo: true },
        }),
        (url) => {
          const without = withoutSecrets(url)
          expect(urlSecrets(without).filter((kind) => kind !== 'path')).toEqual([])
          if (urlSecrets(url).every((kind) => kind === 'path')) expect(without).toBe(url)
        },
      ),
    )
  })
})

describe('The arguments of a command', () => {
  it.each(commands)('%j hold secrets at %j', (args, found) => {
    expect(secretArguments(args)).toEqual(found)
  })

  it('of any length are looked through in time', () => {
    expect(isSecret('A_PASSWORD', `${'/a..'.repeat(1e5)}!`)).toBe(true)
    for (const text of [
      'a'.repeat(1e6),
      'a='.repeat(5e5),
      'token '.repeat(2e5),
      'a://a:'.repeat(2e5),
      '-'.repeat(1e6),
    ]) {
      expect(secretArguments([text])).toEqual([])
    }
  })
})
