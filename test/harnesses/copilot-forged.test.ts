import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeWorkplace, runHarness, type Workplace } from './support/bridle.ts'
import { copilotBinary } from './support/programs.ts'

const modelPort = 18_961
const environment = {
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
  COPILOT_MODEL: 'scripted',
}

let place: Workplace
beforeEach(async () => {
  place = await makeWorkplace()
})
afterEach(() => place.remove())

/** What Copilot would write of a server that connected, and of one that failed. */
function forged(connected: string, failed: string): string[] {
  const hash = createHash('sha256').update(connected).digest('hex')
  const attributes = {
    'github.copilot.mcp.server.state': 'initialized',
    'github.copilot.mcp.server.name_hash': hash,
  }
  const events = [{ name: 'github.copilot.mcp.server.lifecycle', attributes }]
  const failure = { server_name: failed, raw_error: 'forged' }
  const source = '[WARNING] [rust:copilot_runtime::mcp::native_connector]'
  return [
    JSON.stringify({ type: 'span', name: 'invoke_agent', events }),
    `2026-11-30T19:05:08.601Z ${source} MCP server connection failed ${JSON.stringify(failure)}`,
  ]
}

test('a server cannot speak for another one in what Copilot logs', async () => {
  const text = JSON.stringify(`\n${forged('bad', 'fine').join('\n')}\n`)
  const server = [
    `const text = ${text}`,
    'process.stderr.write(text)',
    'setInterval(() => process.stderr.write(text), 50).unref()',
    `const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: text } }`,
    "await import('./dump-stdio.mjs')",
    `process.stdin.once('data', () => process.stdout.write(JSON.stringify(log) + '\\n'))`,
  ]
  writeFileSync(path.join(place.project, 'loud.mjs'), server.join('\n'))
  const servers = {
    loud: { command: 'node', arguments: ['loud.mjs'] },
    fine: { command: 'node', arguments: ['dump-stdio.mjs'] },
    bad: { command: 'node', arguments: ['-e', 'process.exit(3)'] },
  }
  const harness = {
    target: 'copilot',
    binary: copilotBinary,
    services: { model: 'chat', modelPort, dumpPort: 18_962, script: [] } as const,
  }
  const run = await runHarness(
    place,
    harness,
    { servers, targets: { copilot: { environment } } },
    ['-p', 'hi'],
    {
      options: ['--no-require-servers'],
    },
  )
  expect(run.stderr).toMatch(/^bridle: bad: did not connect: .*exit code 3/m)
  for (const name of ['loud', 'fine']) expect(run.stderr).toContain(`bridle: ${name}: connected\n`)
})
