import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Workplace } from '../fixtures/workplace.ts'
import { claudeFolders, runClaude, writeFiles } from './support/claude.ts'
import { runCopilot } from './support/copilot.ts'
import { digests, fingerprint } from './support/dump-server.ts'
import { call, fingerprintOf, texts, useDumpServers } from './support/dump-tools.ts'

const tools = useDumpServers()
let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const literals = [
  'plain',
  '$HOME',
  '$HOME, ${HOME}',
  '${NO:-x}',
  'a$b',
  '$$',
  'PATH',
  ' PATH ',
  '',
  '{}',
  '%PATH%',
]
const secrets = { TOKEN: 'canary-of-the-test' }

it('One file for Claude Code and Copilot gives both of them the literals and the secret of a server', async () => {
  const verbatim = literals.map((text) => ({ verbatim: text }))
  const named = (values: readonly unknown[]) =>
    Object.fromEntries(values.map((value, index) => [`LITERAL_${index}`, value]))
  place.writeSpec({
    variables: { TOKEN: {} },
    servers: {
      dump: tools.dumper({ arguments: verbatim, environment: named(verbatim), variables: { KEY: 'TOKEN' } }),
    },
    targets: { claude: {}, copilot: {} },
  })
  const built = await place.run(['build'])
  expect(built.status, built.stderr).toBe(0)
  const files = { '.mcp.json': readFileSync(path.join(place.project, '.mcp.json'), 'utf8') }
  const expected = [
    digests({ argv: literals, env: named(literals) as Record<string, string> }),
    fingerprint(secrets.TOKEN),
  ]

  const folders = claudeFolders()
  try {
    writeFiles(folders.project, files)
    const script = [call('dump__digest'), fingerprintOf('dump', 'KEY')]
    const [digest = '', key] = texts(await runClaude(folders, script, ['--allowedTools=mcp__dump'], secrets))
    expect([JSON.parse(digest), key]).toMatchObject(expected)
  } finally {
    folders.dispose()
  }

  const script = [{ name: 'dump-digest' }, { name: 'dump-fingerprint', input: { name: 'KEY' } }]
  const args = ['--trust-folder', '--allow-tool=dump']
  const { results } = await runCopilot(script, { files, args, environment: secrets })
  expect([JSON.parse(results[0] ?? ''), results[1]]).toMatchObject(expected)
})
