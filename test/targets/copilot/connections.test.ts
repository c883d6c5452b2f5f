import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connections } from '../../../targets/copilot/connections.ts'

const digest = (name: string) => createHash('sha256').update(name).digest('hex')

/** As a real run of 1.0.102 wrote it, shortened. */
const span = (...states: readonly [server: string, state: string][]) =>
  JSON.stringify({
    type: 'span',
    name: 'invoke_agent',
    attributes: { 'gen_ai.operation.name': 'invoke_agent' },
    events: [
      ...states.map(([server, state]) => ({
        name: 'github.copilot.mcp.server.lifecycle',
        attributes: {
          'github.copilot.mcp.server.state': state,
          'github.copilot.mcp.server.name_hash': digest(server),
        },
        time: [1796065552, 833000000],
      })),
      { name: 'github.copilot.user.message', attributes: { 'github.copilot.user.message.turn_id': '0' } },
    ],
  })

/** Lines of the log of the process, as they were. */
const log = [
  '2026-11-30T19:05:08.513Z [INFO] Running in offline mode. GitHub features are unavailable.',
  '2026-11-30T19:05:08.601Z [WARNING] [rust:copilot_runtime::mcp::native_connector] MCP server connection failed {"server_name":"missing","raw_error":"failed to spawn MCP server process: No such file or directory (os error 2)","stderr_detail":""}',
  '2026-11-30T19:05:08.689Z [WARNING] [rust:copilot_runtime::mcp::native_connector] MCP server connection failed {"server_name":"exits","raw_error":"MCP server process exited before completing the MCP initialize handshake (exit code 3) (underlying transport failure: closed)","stderr_detail":"canary-of-the-server"}',
  '2026-11-30T19:05:08.745Z [WARNING] [rust:mcp::client] server/discover failed; retrying with legacy initialize {"error":"Client error: error sending request for url (http://127.0.0.1:1/mcp)"}',
  '2026-11-30T19:05:08.806Z [WARNING] [rust:mcp_client::session_authorizer] MCP OAuth authorization failed; reporting the server as needing auth {"server":"auth","error":"Browser-based OAuth required for http://127.0.0.1:36363/mcp"}',
].join('\n')

const servers = ['ok', 'slow', 'missing', 'exits', 'auth', 'refused', 'silent']
const telemetry = span(
  ...servers.slice(0, 6).map((server): [string, string] => [server, 'discovered']),
  ['missing', 'error'],
  ['exits', 'error'],
  ['refused', 'error'],
  ['ok', 'initialized'],
  ['slow', 'initialized'],
  ['slow', 'error'],
)

describe('the log of Copilot', () => {
  it('tells at once of servers that failed, and why', () => {
    expect(connections.read(log, servers)).toEqual([
      {
        server: 'missing',
        status: 'failed',
        reason: 'failed to spawn MCP server process: No such file or directory (os error 2)',
      },
      { server: 'exits', status: 'failed', reason: expect.stringContaining('exit code 3') },
      { server: 'auth', status: 'failed', reason: expect.stringContaining('Browser-based OAuth required') },
    ])
  })

  it.each([`${log}\n${telemetry}\n`, `${telemetry}\n${log}\n`])(
    'tells with the telemetry of each that connected, and of all that failed',
    (text) => {
      const failed = (server: string) => expect.objectContaining({ server, status: 'failed' })
      expect(connections.read(text, servers)).toEqual([
        { server: 'ok', status: 'connected' },
        { server: 'slow', status: 'failed' },
        failed('missing'),
        failed('exits'),
        failed('auth'),
        { server: 'refused', status: 'failed' },
      ])
    },
  )

  it('does not show what a server wrote', () => {
    expect(JSON.stringify(connections.read(log, servers))).not.toContain('canary')
  })

  it('is read at any moment, in the middle of a line too', () => {
    const whole = `${log}\n${telemetry}\n`
    fc.assert(
      fc.property(fc.nat(whole.length), (length) => {
        for (const { server } of connections.read(whole.slice(0, length), servers)) {
          expect(servers).toContain(server)
        }
      }),
    )
  })
})
