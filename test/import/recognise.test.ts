import { describe, expect, it } from 'vitest'
import { recogniseForm } from '../../src/import/recognise.ts'

const server = { command: 'x' }
const json = JSON.stringify

const cases: readonly (readonly [file: string, text: string, form: string])[] = [
  ['.mcp.json', json({ mcpServers: { a: server } }), 'claude'],
  ['/home/ada/.claude.json', json({ mcpServers: {} }), 'claude'],
  ['.claude/settings.json', '{}', 'claude'],
  ['copy-of-state.json', json({ projects: {}, mcpServers: {} }), 'claude'],
  ['config.toml', '', 'codex'],
  ['mine.toml', '[mcp_servers.a]\ncommand = "x"', 'codex'],
  ['/home/ada/.kimi-code/mcp.json', json({ mcpServers: { a: server } }), 'kimi'],
  ['mcp.json', json({ mcpServers: { a: { url: 'https://x', bearerTokenEnvVar: 'A' } } }), 'kimi'],
  ['.github/mcp.json', json({ mcpServers: { a: server } }), 'copilot'],
  ['mcp-config.json', '{}', 'copilot'],
  ['x.json', json({ mcpServers: { a: { command: 'x', excludeTools: [] } } }), 'copilot'],
  ['.vscode/mcp.json', json({ servers: {} }), 'vscode'],
  ['C:\\project\\.vscode\\mcp.json', '{ /* not yet */ }', 'vscode'],
  ['mcp.json', json({ servers: { a: server }, inputs: [] }), 'vscode'],
  ['.cursor/mcp.json', json({ mcpServers: { a: server } }), 'cursor'],
  ['server.json', json({ name: 'a/b', packages: [{}] }), 'registry'],
  ['anything.json', json({ server: { name: 'a/b', remotes: [{}] } }), 'registry'],
  ['appsettings.json', '{ // host\n "AgentToolMcpServers": { "Servers": [] } }', 'agent-tools'],
  ['mentors.json', json([{ Name: 'a', Command: 'x' }]), 'mentor'],
  ['server.json', json([{ Name: 'a', ServerUrl: 'https://x' }]), 'mentor'],
]

/** What several programs read, and differently. */
const unclear: readonly (readonly [file: string, text: string])[] = [
  ['mcp.json', json({ mcpServers: { a: server } })],
  ['x.json', '{}'],
  ['x.json', '[]'],
  ['x.json', 'not json'],
  ['bridle.json', json({ version: 1, servers: { a: server } })],
  ['README', ''],
]

describe('The form of a file', () => {
  it.each(cases)('%s with %s is found', (file, text, form) => {
    expect(recogniseForm(text, file)).toMatchObject({ id: form })
  })

  it.each(unclear)('%s with %s is asked for', (file, text) => {
    expect(recogniseForm(text, file)).toMatchObject({
      code: 'BRIDLE420',
      help: expect.stringContaining('--from'),
    })
  })
})
