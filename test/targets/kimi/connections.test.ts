import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connections } from '../../../targets/kimi/connections.ts'

/** Lines of real runs of 2.1.0, the times shortened. */
const lines = {
  stdio:
    '2026-11-30T19:05:20.024Z ERROR mcp server unavailable  server=bad transport=stdio status=failed reason="spawn /nonexistent ENOENT"',
  token:
    '2026-11-30T19:05:20.021Z ERROR mcp server unavailable  server=token transport=http status=failed reason="MCP HTTP bearer token env var \\"NOPE\\" is not set or is empty"',
  slow: '2026-11-30T19:05:20.507Z ERROR mcp server unavailable  server=slow transport=stdio status=failed reason="Timed out after 500ms"',
  login:
    '2026-11-30T19:10:07.073Z ERROR mcp server unavailable  server=login transport=http status=needs-auth reason="login requires OAuth — run /mcp-config login login"',
  other:
    '2026-11-30T19:05:20.158Z INFO  minidb query-store opening  dir=/home/agent/.bridle/cache/query-store shardCount=16',
  connected:
    '{"type":"mcp.tools_discovered","agentId":"main","serverName":"ok","hash":"18fdcd1f","tools":[{"name":"dump"}],"enabledNames":["dump"],"time":1796065420510}',
}
const log = `${Object.values(lines).join('\n')}\n`
const names = ['ok', 'bad', 'token', 'slow', 'login', 'silent']

describe('the log of Kimi Code', () => {
  it('tells which servers connected, which failed and why, and nothing of the others', () => {
    expect(connections.read(log, names)).toEqual([
      { server: 'ok', status: 'connected' },
      { server: 'bad', status: 'failed', reason: 'spawn /nonexistent ENOENT' },
      {
        server: 'token',
        status: 'failed',
        reason: 'MCP HTTP bearer token env var "NOPE" is not set or is empty',
      },
      { server: 'slow', status: 'failed', reason: 'Timed out after 500ms' },
      { server: 'login', status: 'failed', reason: 'login requires OAuth — run /mcp-config login login' },
    ])
  })

  it('says the same whatever the order of its files is', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.values(lines), { minLength: 6 }), (shuffled) => {
        expect(connections.read(shuffled.join('\n'), names)).toEqual(connections.read(log, names))
      }),
    )
  })

  it('counts a server as connected that connected once, also when it ended later', () => {
    const ended = lines.stdio.replace('server=bad', 'server=ok')
    for (const text of [`${lines.connected}\n${ended}`, `${ended}\n${lines.connected}`]) {
      expect(connections.read(text, ['ok'])).toEqual([{ server: 'ok', status: 'connected' }])
    }
  })

  it('shows nothing that the server itself wrote or answered, which may hold a secret', () => {
    const failure = (reason: string) =>
      `2026-11-30T19:05:20.024Z ERROR mcp server unavailable  server=bad transport=stdio status=failed reason=${JSON.stringify(reason)}`
    const reasons = [
      'MCP error -32000: Connection closed\nstderr: canary-1',
      'Streamable HTTP error: Error POSTing to endpoint: {"error":"canary-2"}',
      'MCP server "bad" closed unexpectedly\ncanary-3\nstderr: canary-3',
    ]
    const shown = reasons.flatMap((reason) => connections.read(failure(reason), ['bad']))
    expect(JSON.stringify(shown)).not.toContain('canary')
    expect(shown.map(({ reason }) => reason)).toEqual([
      'MCP error -32000: Connection closed',
      'Streamable HTTP error: Error POSTing to endpoint',
      'MCP server "bad" closed unexpectedly',
    ])
  })

  it('believes no text that a tool or a model wrote', () => {
    const forged = [lines.connected, lines.stdio].map((line) =>
      JSON.stringify({ type: 'context.append', content: `\n${line}\n` }),
    )
    expect(connections.read(`${forged.join('\n')}\n`, names)).toEqual([])
  })

  it('is read whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...Object.values(lines)), (text, line) => {
        const cut = line.slice(0, text.length % line.length)
        expect(connections.read(`${text}\n${cut}${text}`, names)).toBeInstanceOf(Array)
      }),
    )
  })
})
