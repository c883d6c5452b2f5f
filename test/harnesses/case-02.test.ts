import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWorkplace, type RunOptions, runBridle, runHarness, type Workplace } from './support/bridle.ts'
import { fingerprint } from './support/dump-server.ts'
import { fingerprintOf } from './support/dump-tools.ts'
import { claudeBinary, codexBinary } from './support/programs.ts'

/** Case 02: a declared secret reaches the server and nothing else; a search for it finds nothing. */
const spec = {
  variables: { TRACKER_API_TOKEN: {} },
  servers: {
    tracker: { command: 'npx', arguments: ['-y', 'tracker-mcp'], variables: ['TRACKER_API_TOKEN'] },
  },
}
const secrets = { TRACKER_API_TOKEN: 'canary-7f3a91' }
const modelPort = 18_961
const services = { modelPort, dumpPort: 18_962, script: [fingerprintOf('tracker', 'TRACKER_API_TOKEN')] }
const claudeEnvironment = {
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
  ANTHROPIC_API_KEY: 'no-key',
  ENABLE_TOOL_SEARCH: 'false',
}
const codexEnvironment = { OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1` }
const targets = {
  claude: { environment: claudeEnvironment },
  codex: { environment: codexEnvironment },
  builtin: {},
}

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
  installTracker(place.project)
})
afterEach(() => place.remove())

/** The package of the spec, which `npx` finds in the project: its program is the dumping server. */
function installTracker(project: string): void {
  const [modules, file] = [path.join(project, 'node_modules'), 'tracker-mcp/server.mjs']
  for (const name of ['tracker-mcp', '.bin']) mkdirSync(path.join(modules, name), { recursive: true })
  const manifest = { name: 'tracker-mcp', version: '1.0.0', bin: { 'tracker-mcp': 'server.mjs' } }
  writeFileSync(path.join(modules, 'tracker-mcp/package.json'), JSON.stringify(manifest))
  const program = readFileSync(path.join(project, 'dump-stdio.mjs'), 'utf8')
  writeFileSync(path.join(modules, file), `#!/usr/bin/env node\n${program}`, { mode: 0o755 })
  symlinkSync(`../${file}`, path.join(modules, '.bin/tracker-mcp'))
}

interface Seen {
  readonly status: number
  readonly stderr: string
  /** What the server said of the value that it received; undefined when it was not asked. */
  readonly said: string | undefined
}

const launches: Readonly<Record<string, (options: RunOptions) => Promise<Seen>>> = {
  claude: async (options) => {
    const harness = {
      target: 'claude',
      binary: claudeBinary,
      services: { model: 'messages', ...services },
    } as const
    const args = ['-p', '--output-format', 'stream-json', '--verbose', 'call the tools']
    const { status, stderr, report } = await runHarness(place, harness, { targets, ...spec }, args, options)
    return { status, stderr, said: report?.results[0] }
  },
  codex: async (options) => {
    const harness = {
      target: 'codex',
      binary: codexBinary,
      services: { model: 'responses', ...services },
    } as const
    const args = ['exec', '--json', '-m', 'scripted', 'call the tools']
    const { status, stderr, report } = await runHarness(place, harness, { targets, ...spec }, args, options)
    return { status, stderr, said: report?.results[0]?.match(/[0-9a-f]{64}/)?.[0] }
  },
  builtin: async (options) => {
    const args = ['run', 'builtin', '--', 'call', 'tracker', 'fingerprint', '{"name":"TRACKER_API_TOKEN"}']
    const { status, stdout, stderr } = await runBridle(place, { targets, ...spec }, args, options)
    return { status, stderr, said: stdout.trim() || undefined }
  },
}

describe('case 02: a secret by name, not by value', () => {
  it.each(Object.entries(launches))(
    '%s gives the server the value, and writes it nowhere',
    async (_, launch) => {
      const { status, stderr, said } = await launch({ secrets })
      expect(status, stderr).toBe(0)
      expect(said).toBe(fingerprint(secrets.TRACKER_API_TOKEN))
    },
  )

  it.each(Object.entries(launches))(
    '%s is not started while the variable is not set, and the place that needs it is named',
    async (_, launch) => {
      const { status, stderr, said } = await launch({})
      expect(status).toBe(125)
      expect(said).toBeUndefined()
      expect(stderr).toMatch(/error BRIDLE501: .*`TRACKER_API_TOKEN`/)
      expect(stderr).toContain(`bridle.json:${lineOf('"TRACKER_API_TOKEN": {}')}:5`)
      const use = `${lineOf('"TRACKER_API_TOKEN"\n')} │ .*\\n.* used here, by the server \`tracker\`\n`
      expect(stderr).toMatch(new RegExp(use))
      expect(stderr).not.toContain('level shared')
    },
  )

  it.each(Object.keys(launches))('the files for %s hold the name', async (target) => {
    const { status, stderr } = await runBridle(
      place,
      { targets, ...spec },
      ['build', target, '--out', 'out'],
      {
        secrets,
      },
    )
    expect(status, stderr).toBe(0)
    const folder = path.join(place.project, 'out', target)
    const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    expect(texts.join('\n')).toContain('TRACKER_API_TOKEN')
  })
})

/** The line of the spec, counted from 1, in which the text begins. */
function lineOf(text: string): number {
  const written = readFileSync(path.join(place.project, 'bridle.json'), 'utf8')
  expect(written.split(text)).toHaveLength(2)
  return written.slice(0, written.indexOf(text)).split('\n').length
}
