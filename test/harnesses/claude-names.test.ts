import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { isReadAsEmpty } from '../../targets/claude/blanked-names.ts'
import { refuseName } from '../../targets/claude/names.ts'
import { claudeFolders, runClaude, writeFiles } from './support/claude.ts'
import { useDumpServers } from './support/dump-tools.ts'
import { claudeBinary } from './support/programs.ts'

const servers = useDumpServers()

/** Every word of capitals that the program could mean as the name of an environment variable. */
function capitalWords(): string[] {
  const found = execFileSync('grep', ['-aohE', `["'.][A-Z_][A-Z0-9_]{3,60}`, claudeBinary], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    maxBuffer: 512 * 1024 * 1024,
  })
  return [
    ...new Set(
      found
        .toString('latin1')
        .split('\n')
        .map((word) => word.slice(1)),
    ),
  ].filter(Boolean)
}

/** Names made after the patterns, in each spelling, and names that come near and are not meant. */
const spellings = [
  ...[
    'npm_token',
    'Npm_Token',
    'INPUT_NPM_TOKEN',
    'input_vault_token',
    'INPUT_OTEL_X',
    'otel_x',
    'OTEL_MADE_UP',
  ],
  ...['INPUT_MCP_CLIENT_SECRET', 'CLAUDE_CODE_ARTIFACT_X_BASE_URL', 'INPUT_HTTPS_PROXY'],
  ...['BUNDLE_GEMS__CONTRIB', 'bundle_a__b', 'BUNDLE_LOCAL__FOO__COM', 'CARGO_REGISTRIES_X_TOKEN'],
  ...[
    'POETRY_HTTP_BASIC_X',
    'POETRY_PYPI_TOKEN_X',
    'ORG_GRADLE_PROJECT_API_KEY',
    'ORG_GRADLE_PROJECT_fooPassword',
  ],
  ...['CONAN_PASSWORD_X', 'CONAN_LOGIN_USERNAME_X', 'GIT_CONFIG_KEY_1', 'GIT_CONFIG_VALUE_0'],
  ...[
    'NPM_TOKENS',
    'MY_NPM_TOKEN',
    'NPM_TOKEN_2',
    'OTELX',
    'DISCORD_WEBHOOKS',
    'DISCORD_WEBHOOK_X',
    'BUNDLE_X_Y',
  ],
  ...[
    'GITHUB_TOKEN',
    'GH_TOKEN',
    'HF_TOKEN',
    'INPUT_HF_TOKEN',
    'INPUT_GITHUB_TOKEN',
    'INPUT_API_KEY',
    'INPUT_FOO',
  ],
  ...[
    'MY_SECRET',
    'LINEAR_API_KEY',
    'GIT_CONFIG_COUNT',
    'CARGO_REGISTRIES_X_INDEX',
    'ORG_GRADLE_PROJECT_version',
  ],
  ...['CLAUDE_CODE_MESSAGING', 'BRIDLE_U', 'BRIDLE_V1', 'BRIDLE_V23'],
]

async function run(
  mcpServers: object,
  environment: Record<string, string> = {},
): Promise<Record<string, string>> {
  const folders = claudeFolders()
  try {
    writeFiles(folders.state, { 'mcp.json': JSON.stringify({ mcpServers }) })
    const args = [`--mcp-config=${path.join(folders.state, 'mcp.json')}`, '--strict-mcp-config']
    return (await runClaude(folders, [], args, environment)).servers
  } finally {
    folders.dispose()
  }
}

function chunks<Item>(list: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

/** Asks with headers that refer to names that are not set: one that is read as empty arrives empty all the same. */
async function emptyInHeaders(names: readonly string[]): Promise<string[]> {
  const parts = chunks(names, 150)
  const entries = parts.map((part, index) => {
    const headers = Object.fromEntries(part.map((name, at) => [`x-${at}`, `\${${name}}`]))
    return [
      `s${index}`,
      { type: 'http', url: servers.web.url, headers: { 'x-part': String(index), ...headers } },
    ]
  })
  await run(Object.fromEntries(entries))
  return parts.flatMap((part, index) => {
    const request = servers.web.requests.find(({ headers }) => headers['x-part'] === String(index))
    expect(request, `part ${index} was never sent`).toBeDefined()
    return part.filter((_, at) => request?.headers[`x-${at}`] === '')
  })
}

/** Asks with arguments that refer to names that are set, to a server that only writes them down. */
async function emptyInArguments(names: readonly string[]): Promise<string[]> {
  const file = path.join(servers.folder, 'arguments')
  const writeDown = ['-c', 'printf "%s\\n" "$@" > "$0"', file]
  const results: string[] = []
  for (const part of chunks(names, 50)) {
    const args = [...writeDown, ...part.map((name) => `\${${name}}`)]
    await run(
      { s: { type: 'stdio', command: 'sh', args } },
      Object.fromEntries(part.map((name) => [name, 'set'])),
    )
    const seen = readFileSync(file, 'utf8').split('\n')
    results.push(...part.filter((_, at) => seen[at] !== 'set'))
  }
  return results
}

describe('the variables that Claude Code reads as empty', () => {
  const names = [...new Set([...capitalWords(), ...spellings])].sort()
  // These change how the program itself reaches the model, so it does not run with them.
  const testable = names.filter((name) => isReadAsEmpty(name, 'http') && !/_(PROXY|SOCKET)$/.test(name))

  it('are, toward a remote server, exactly the ones that the target refuses', async () => {
    expect(names.length).toBeGreaterThan(3000)
    expect(await emptyInHeaders(names)).toEqual(names.filter((name) => isReadAsEmpty(name, 'http')))
  })

  it('are, toward a stdio server, exactly the ones that the target refuses', async () => {
    const expected = testable.filter((name) => isReadAsEmpty(name, 'stdio'))
    expect(await emptyInArguments(testable)).toEqual(expected)
  })
})

const reserved = [
  ...[
    'Claude_Browser',
    'Claude_Preview',
    'Claude_in_Chrome',
    'ccr-email',
    'claude-code-remote',
    'claude-device',
  ],
  ...[
    'claude-in-chrome',
    'claude_ai',
    'computer-use',
    'hearthbot',
    'remote-devices',
    'webagent',
    'workspace',
  ],
]
const near = [
  'Workspace',
  'claude',
  'Claude_Docs',
  'computer_use',
  'memory',
  // Two that differ by case alone stay two.
  'Notes',
  'notes',
  'playwright',
  'widgets',
  '_a',
  'a-b_c',
]

describe('the names of servers', () => {
  it('that the target refuses as reserved are skipped by the program, and near ones are not', async () => {
    const entry = { type: 'http', url: servers.web.url }
    const seen = await run(Object.fromEntries([...reserved, ...near].map((name) => [name, entry])))
    expect(seen).toEqual(Object.fromEntries(near.map((name) => [name, 'connected'])))
    expect(reserved.filter((name) => refuseName(name) === undefined)).toEqual([])
    expect(near.filter((name) => refuseName(name) !== undefined)).toEqual([])
  })
})
