import fc from 'fast-check'
import { stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { renderJson } from '../../src/diagnostics/json.ts'
import { renderTerminal } from '../../src/diagnostics/terminal.ts'
import { formIds } from '../../src/import/forms/index.ts'
import { importConfig } from '../../src/import/import.ts'
import { renderSpec } from '../../src/import/render.ts'
import { looksSecret } from '../../src/text/secret-shapes.ts'
import { searchFor } from '../support/canary.ts'

/** Planted secrets: some by their shape, some only by where they stand. */
const canary = 'canary-0f1e-2d3c4b5a6978'
const recognised = `sk-ant-${canary}`
const shaped = [
  `ghp_${'a1B2'.repeat(9)}`,
  `sk-ant-${canary}`,
  `xoxb-${canary}`,
  `postgres://app:${canary}@db/app`,
]
const named = [canary, `${canary}==`, `pass word ${canary}`, `$${canary}`, `"${canary}'`]

const entryOf = (value: string, inName: string) => ({
  command: 'npx',
  args: ['-y', 'x', `--token=${value}`],
  env: {
    [inName]: value,
    PLAIN: 'plain',
    MIXED_KEY: `\${A}${value}`,
    DEFAULT_TOKEN: `\${API_KEY:-${value}}`,
  },
  headers: { Authorization: value, 'X-Api-Key': value },
  bearer_token: value,
  unknownKey: value,
  oauth: { client_secret: value, clientSecret: value },
})

const remoteOf = (value: string) => ({
  type: 'http',
  url: `https://x.example.com/mcp?api_key=${encodeURIComponent(value)}`,
  headers: { Authorization: `Bearer ${value}`, 'X-Auth-Token': value },
  http_headers: { Authorization: `Bearer ${value}`, 'X-Auth-Token': value },
  auth: { CLIENT_SECRET: value },
})

/** Each form, with secrets wherever it has a place for a text. */
const files: Readonly<Record<string, (value: string, name: string) => unknown>> = {
  claude: (value, name) => ({ mcpServers: { a: entryOf(value, name), b: remoteOf(value) }, other: value }),
  codex: (value, name) => ({
    mcp_servers: { a: { command: 'x', env: { [name]: value } }, b: remoteOf(value), c: entryOf(value, name) },
  }),
  kimi: (value, name) => ({ mcpServers: { a: entryOf(value, name), b: remoteOf(value) } }),
  copilot: (value, name) => ({
    mcpServers: { a: entryOf(value, name), b: remoteOf(value), c: { command: 'x', env: { [name]: value } } },
  }),
  vscode: (value, name) => ({
    inputs: [{ id: 'k', type: 'promptString', password: true, default: value }],
    servers: {
      a: { command: 'x', env: { [name]: value, K: '${input:k}' } },
      b: remoteOf(value),
      c: entryOf(value, name),
    },
  }),
  cursor: (value, name) => ({
    mcpServers: { a: { command: 'x', env: { [name]: value } }, b: remoteOf(value), c: entryOf(value, name) },
  }),
  registry: (value, name) => ({
    name: 'x/y',
    packages: [
      {
        registryType: 'npm',
        identifier: 'y',
        packageArguments: [{ type: 'named', name: '--token', value }],
        environmentVariables: [
          { name, value, isSecret: true },
          { name: 'B', isSecret: true, default: value },
        ],
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://x.example.com',
        headers: [{ name: 'Authorization', value: `Bearer ${value}` }],
      },
    ],
  }),
  'agent-tools': (value, name) => ({
    ConnectionStrings: { Default: value },
    AgentToolMcpServers: {
      Servers: [
        { Name: 'a', Command: 'x', Environment: { [name]: value } },
        { Name: 'b', Endpoint: 'https://x.example.com', Headers: { Authorization: value } },
      ],
      Odd: value,
    },
  }),
  mentor: (value, name) => [
    { Name: 'a', Command: 'x', EnvironmentVariables: { [name]: value } },
    { Name: 'b', Command: 'x', Arguments: ['--password', value] },
  ],
}

const telling = ['API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'CLIENT_SECRET', 'clientSecret']

describe('A secret that stands in a foreign file', () => {
  it.each(formIds)('of the form %s is in no output: not in the spec, not in the report', async (form) => {
    for (const value of [...shaped, ...named]) {
      for (const name of shaped.includes(value) ? [...telling, 'PLAIN_NAME'] : telling) {
        const document = files[form]?.(value, name) ?? {}
        const text = form === 'codex' ? stringify(document) : JSON.stringify(document)
        await expectSilence(text, form, value)
      }
    }
  })

  it.each(shaped.filter(looksSecret))(
    'and is the name of a server, a tool or a folder, is in no output either: %s',
    async (value) => {
      const servers = {
        [value]: { command: 'x' },
        a: { command: 'x', enabledTools: [value] },
        b: { command: 'x', cwd: `/${value}` },
        c: { command: value },
        d: { command: 'x', env: { [value]: '1' } },
      }
      await expectSilence(JSON.stringify({ mcpServers: servers }), 'kimi', value)
    },
  )

  it('is in no output either when the file is broken anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...formIds),
        fc.nat(),
        fc.constantFrom('', '"', '}', ',', '\n'),
        async (form, at, extra) => {
          const document = files[form]?.(recognised, 'API_KEY') ?? {}
          const text = form === 'codex' ? stringify(document) : JSON.stringify(document)
          const cut = at % text.length
          await expectSilence(text.slice(0, cut) + extra, form, recognised)
          await expectSilence(text.slice(0, cut) + extra + text.slice(cut), form, recognised)
        },
      ),
      { numRuns: 150 },
    )
  })
})

async function expectSilence(text: string, from: string, value: string) {
  const { spec, diagnostics } = await importConfig(text, { file: 'x', from })
  const outputs = [
    renderJson(diagnostics),
    renderTerminal(diagnostics, { textOf: () => undefined }),
    ...(spec === undefined
      ? []
      : [renderSpec(spec, { format: 'yaml' }), renderSpec(spec, { format: 'json' })]),
  ]
  const search = searchFor([value])
  for (const output of outputs) expect(search.notationIn(output) && output).toBeUndefined()
}
