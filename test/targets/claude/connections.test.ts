import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connections } from '../../../targets/claude/connections.ts'

const time = '2026-11-30T19:07:27.520Z'
/** Lines of the debug log of 2.1.332, as they came. */
const lines = {
  starting: `${time} [DEBUG] MCP server "notes": Starting connection with timeout of 3000ms`,
  connected: `${time} [DEBUG] MCP server "notes": Successfully connected (transport: stdio) in 140ms`,
  connectedOverHttp: `${time} [DEBUG] MCP server "docs": Successfully connected (transport: http) in 134ms`,
  connectedCovered: `${time} [DEBUG] MCP server "token": [REDACTED] connected (transport: stdio) in 194ms`,
  missing: `${time} [ERROR] MCP server "notes" Connection failed (ENOENT): ENOENT: no such file or directory, posix_spawn 'stdio'`,
  late: `${time} [ERROR] MCP server "notes" Connection failed (CONNECT_TIMEOUT): MCP server "notes" connection timed out after 3000ms`,
  registration: `${time} [ERROR] MCP server "docs" Connection failed: Dynamic Client Registration rejected (HTTP 401):`,
  several: `${time} [ERROR] "MCP server \\"docs\\" Connection failed (500): Error POSTing to endpoint: line one\\n${time} [DEBUG] MCP server \\"notes\\": Successfully connected (transport: stdio) in 1ms"`,
  unauthorized: `${time} [ERROR] MCP server "docs" Server rejected the configured Authorization header (HTTP 401). Check that the token is valid for this MCP endpoint`,
  needsLogin: `${time} [DEBUG] MCP server "docs": Authentication required for HTTP server`,
  noUrl: `${time} [ERROR] MCP server "docs" 'url' is not a valid URL. Update the server's config and reconnect.`,
  left: `${time} [WARN] --mcp-config: 3 entry warning(s): mcpServers.workspace: "workspace" is a reserved MCP server name and was not loaded; mcpServers.notes: Skipped — unknown MCP server type "local" for server "notes"; mcpServers.docs: Missing environment variables: NOT_SET`,
  words: `${time} [ERROR] MCP server "notes" Server stderr: last words: [SERVER] MCP server "docs": Successfully connected (transport: http)`,
  wordsOfSeveralLines: `${time} [ERROR] "MCP server \\"notes\\" Server stderr: x\\n${time} [DEBUG] MCP server \\"docs\\": Successfully connected (transport: stdio) in 140ms"`,
  firstTry: `${time} [DEBUG] MCP server "docs": HTTP Connection failed after 30ms: ECONNREFUSED (code: ECONNREFUSED, errno: none)`,
}
const servers = ['notes', 'docs', 'token', 'workspace']
const read = (...some: string[]) => connections.read(`${some.join('\n')}\n`, servers)

describe('the debug log of Claude Code', () => {
  test.each([
    ['a server that connects', [lines.starting, lines.connected], [{ server: 'notes', status: 'connected' }]],
    ['one over HTTP', [lines.connectedOverHttp], [{ server: 'docs', status: 'connected' }]],
    ['one whose name covers a word', [lines.connectedCovered], [{ server: 'token', status: 'connected' }]],
    [
      'a missing program',
      [lines.starting, lines.missing],
      [
        {
          server: 'notes',
          status: 'failed',
          reason: "ENOENT: no such file or directory, posix_spawn 'stdio'",
        },
      ],
    ],
    [
      'one that is late',
      [lines.late],
      [
        {
          server: 'notes',
          status: 'failed',
          reason: 'MCP server "notes" connection timed out after 3000ms',
        },
      ],
    ],
    [
      'a failure without a code',
      [lines.registration],
      [{ server: 'docs', status: 'failed', reason: 'Dynamic Client Registration rejected (HTTP 401):' }],
    ],
    [
      'a token that is refused',
      [lines.unauthorized],
      [{ server: 'docs', status: 'failed', reason: expect.stringContaining('HTTP 401') }],
    ],
    [
      'a login that is missing',
      [lines.needsLogin],
      [{ server: 'docs', status: 'failed', reason: 'Authentication required for HTTP server' }],
    ],
    [
      'a url that is none',
      [lines.noUrl],
      [{ server: 'docs', status: 'failed', reason: expect.stringContaining('not a valid URL') }],
    ],
    [
      'entries that it leaves out, and not one with a mere warning',
      [lines.left],
      [
        { server: 'workspace', status: 'failed', reason: expect.stringContaining('reserved') },
        { server: 'notes', status: 'failed', reason: expect.stringContaining('unknown MCP server type') },
      ],
    ],
    ['nothing of a server that only begins', [lines.starting], []],
    ['nothing of a first try', [lines.firstTry], []],
  ])('tells of %s', (_, some, told) => {
    expect(read(...some)).toEqual(told)
  })

  test('lets a later success replace a failure, and no failure a success', () => {
    expect(read(lines.missing, lines.connected)).toEqual([{ server: 'notes', status: 'connected' }])
    expect(read(lines.connected, lines.missing)).toEqual([{ server: 'notes', status: 'connected' }])
  })

  test('is not believed where a server speaks in it', () => {
    expect(read(lines.words, lines.wordsOfSeveralLines)).toEqual([])
    expect(read(lines.several).map(({ server }) => server)).toEqual(['docs'])
  })

  test('tells nothing of a server that is not asked for', () => {
    expect(connections.read(lines.connected, ['docs'])).toEqual([])
  })

  test('is read whatever it holds', () => {
    const piece = fc.oneof(fc.constantFrom(...Object.values(lines)), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const { server } of connections.read(pieces.join('\n'), servers))
          expect(servers).toContain(server)
      }),
    )
  })
})
