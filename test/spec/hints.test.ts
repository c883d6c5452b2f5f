import { describe, expect, it } from 'vitest'
import { renderJson } from '../../src/diagnostics/json.ts'
import { renderTerminal } from '../../src/diagnostics/terminal.ts'
import { readSpec } from '../../src/spec/read.ts'

const token = `ghp_${'a'.repeat(36)}`

const warned: readonly [string, string, string, string][] = [
  ['a command with its arguments', '{ command: npx -y notes }', 'BRIDLE218', 'npx -y notes'],
  ['a tilde', '{ command: ~/bin/notes }', 'BRIDLE218', '~/bin/notes'],
  ['a pattern to include', '{ command: x, tools: { include: [get_*] } }', 'BRIDLE218', 'get_*'],
  ['a pattern to exclude', '{ command: x, tools: { exclude: [a, "b?"] } }', 'BRIDLE218', '"b?"'],
  ['a pattern to ask for', '{ command: x, requiresConfirmation: ["*"] }', 'BRIDLE218', '"*"'],
  ['a token in an argument', `{ command: x, arguments: [--key=${token}] }`, 'BRIDLE219', `--key=${token}`],
  ['a token in the environment', `{ command: x, environment: { K: ${token} } }`, 'BRIDLE219', token],
  [
    'a token in a header',
    `{ url: "https://x", headers: { A: "Bearer ${token}" } }`,
    'BRIDLE219',
    `"Bearer ${token}"`,
  ],
  ['a token in a url', `{ url: "https://x/?key=${token}" }`, 'BRIDLE219', `"https://x/?key=${token}"`],
  [
    'npx that would ask',
    '{ command: npx, arguments: ["@playwright/mcp@latest"] }',
    'BRIDLE218',
    '"@playwright/mcp@latest"',
  ],
  ['a tilde as the folder', '{ command: x, workingDirectory: ~/notes }', 'BRIDLE218', '~/notes'],
  [
    'a variable of the shell as the folder',
    '{ command: x, workingDirectory: $HOME/notes }',
    'BRIDLE218',
    '$HOME/notes',
  ],
  [
    'a search path that goes on',
    '{ command: x, environment: { PATH: "/x:$PATH" } }',
    'BRIDLE218',
    '"/x:$PATH"',
  ],
  [
    'a home in the environment',
    '{ command: x, environment: { DATA: $HOME/data } }',
    'BRIDLE218',
    '$HOME/data',
  ],
  ['a password by its name', '{ command: x, environment: { DB_PASSWORD: hunter2 } }', 'BRIDLE219', 'hunter2'],
  [
    'a key by its name',
    '{ command: x, environment: { LINEAR_API_KEY: 8f14e45fceea167a } }',
    'BRIDLE219',
    '8f14e45fceea167a',
  ],
  [
    'an Authorization header',
    '{ url: "https://x", headers: { Authorization: Bearer abc } }',
    'BRIDLE219',
    'Bearer abc',
  ],
  [
    'a key in a header',
    '{ url: "https://x", headers: { X-API-Key: 8f14e45fceea } }',
    'BRIDLE219',
    '8f14e45fceea',
  ],
  [
    'a key in an option',
    '{ command: x, arguments: [--api-key=8f14e45fceea] }',
    'BRIDLE219',
    '--api-key=8f14e45fceea',
  ],
  ['a token behind an option', '{ command: x, arguments: [--token, hunter2] }', 'BRIDLE219', 'hunter2'],
  [
    'a password in an address',
    '{ command: x, arguments: ["postgresql://u:pw@db/app"] }',
    'BRIDLE219',
    '"postgresql://u:pw@db/app"',
  ],
  [
    'a key in the url',
    '{ url: "https://x/?api_key=8f14e45fceea" }',
    'BRIDLE219',
    '"https://x/?api_key=8f14e45fceea"',
  ],
  ['a token meant verbatim', `{ command: x, arguments: [{ verbatim: ${token} }] }`, 'BRIDLE219', token],
]

const fine = [
  '{ command: "/opt/my tools/notes" }',
  '{ command: notes, arguments: ["a b", "~/x", "*"], environment: { A: "sk-short" } }',
  '{ command: notes, tools: { include: [get_issue, a.b/c-d] } }',
  '{ command: npx, arguments: [--yes, notes] }',
  '{ command: npx, arguments: [--no-install, notes] }',
  '{ command: x, environment: { API_KEY: <your-key>, AUTH_TYPE: basic, TOKEN_LIMIT: "4000", KEY_FILE: /run/key, USE_TOKEN: "true", PRICE: "$5" } }',
  '{ command: x, arguments: [--token, YOUR_TOKEN, --env, GITHUB_TOKEN, --key-file, ./key.pem] }',
]

describe('a spec', () => {
  it.each(warned)('is warned of %s, at its place', async (_, server, code, place) => {
    const { source, diagnostics, spec } = await read(server)
    expect(spec).toBeDefined()
    expect(diagnostics).toMatchObject([{ code, severity: 'warning', server: 's' }])
    const { line = 0, column = 0, length = 0 } = diagnostics[0]?.span ?? {}
    expect(source.text.split('\n')[line - 1]?.slice(column - 1, column - 1 + length)).toBe(place)
  })

  it.each(fine)('is not warned of %s', async (server) => {
    expect((await read(server)).diagnostics).toEqual([])
  })

  it('is shown with its secrets covered, whatever is wrong with the line', async () => {
    const { source, diagnostics } = await read(`{ command: x, environment: { K: ${token} }, comand: y }`)
    const text = renderTerminal(diagnostics, { textOf: () => source.text })
    expect(text).toContain('BRIDLE202')
    expect(text).toContain('BRIDLE219')
    expect(text).toContain('K: ghp_•••')
    expect(text).not.toContain(token)
    expect(JSON.stringify(diagnostics)).not.toContain(token)
  })
})

describe('a diagnostic', () => {
  it('shows no password of an address, neither as the place nor beside it', async () => {
    const { source, diagnostics } = await read(
      '{ url: "https://user:hunter2pass@host/?api_key=8f14e45fceea" }',
    )
    expect(diagnostics.map(({ code }) => code)).toEqual(['BRIDLE206', 'BRIDLE219'])
    const text = renderTerminal(diagnostics, { textOf: () => source.text })
    expect(text).toContain('https://user:•••••••••••@host/?api_key=••••••••••••')
    expect(text).not.toMatch(/hunter2|8f14e/)
  })

  it('covers what looks like a secret in the words that quote it, for people and for programs', async () => {
    const { source, diagnostics } = await read(`{ command: x, variables: [${token}] }`)
    expect(diagnostics.map(({ code }) => code)).toContain('BRIDLE209')
    for (const text of [
      renderTerminal(diagnostics, { textOf: () => source.text }),
      renderJson(diagnostics),
    ]) {
      expect(text).toContain('ghp_•••')
      expect(text).not.toContain(token)
    }
  })
})

async function read(server: string) {
  const text = `version: 1\nservers:\n  s: ${server}\n`
  return readSpec(text, { file: 'bridle.yaml', folder: '/', targetIds: [] })
}
