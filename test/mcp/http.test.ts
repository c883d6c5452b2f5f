import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../src/mcp/connection.ts'
import { requestHeaders } from '../../src/mcp/http.ts'
import type { McpHttpServer } from '../../src/spec/spec.ts'
import { builtin } from '../../targets/builtin/target.ts'
import { type Listening, listen, mcpListener } from '../fixtures/http-server.ts'
import { httpServer } from '../fixtures/servers.ts'

const canary = 'canary-"; $(id) ${HOME} é😀'
const listening: Listening[] = []

afterEach(async () => {
  await Promise.all(listening.splice(0).map((server) => server.close()))
})

describe('an http server', () => {
  it('gets its headers, header variables and bearer token on every request', async () => {
    const { origin, requests } = await start(mcpListener())
    const server = httpServer(`${origin}/mcp`, {
      headers: { 'X-Team': 'core ${TEAM} é' },
      headerVariables: { 'X-Api-Key': 'BRIDLE_V1' },
      bearerTokenVariable: 'BRIDLE_V2',
    })
    await callOnce(server, { BRIDLE_V1: canary, BRIDLE_V2: 'token', OTHER: 'other' })
    expect(requests.length).toBeGreaterThan(3)
    for (const { headers } of requests) {
      expect(headers).toMatchObject({
        'x-team': 'core ${TEAM} é',
        'x-api-key': canary,
        authorization: 'Bearer token',
      })
    }
  })

  it('gets each header value byte for byte that the target does not refuse', async () => {
    const values = fc
      .sample(fc.string({ unit: 'binary', maxLength: 30 }), { numRuns: 400, seed: 1 })
      .concat(['', 'a\tb', 'é😀', '%20', '\x85'])
      .filter((value) => builtin.literals.refuse(value, 'header') === undefined)
    expect(values.length).toBeGreaterThan(50)
    const { origin, requests } = await start((_, response) => void response.end())
    const headers = Object.fromEntries(values.map((value, index) => [`X-Text-${index}`, value]))
    await fetch(origin, { headers: requestHeaders(httpServer(origin, { headers }), {}) })
    expect(requests[0]?.headers).toMatchObject(
      Object.fromEntries(values.map((value, index) => [`x-text-${index}`, value])),
    )
  })

  it('is told at the end that its session is over', async () => {
    const { origin, requests } = await start(mcpListener())
    await callOnce(httpServer(`${origin}/mcp`), {})
    expect(requests.at(-1)?.method).toBe('DELETE')
  })

  it.each([301, 302, 307, 308])(
    'never sends a credential to another origin, redirected with %i',
    async (status) => {
      const elsewhere = await start(mcpListener())
      const { origin } = await start(
        (_, response) => void response.writeHead(status, { Location: `${elsewhere.origin}/mcp` }).end(),
      )
      const server = httpServer(`${origin}/mcp`, {
        headerVariables: { 'X-Api-Key': 'K' },
        bearerTokenVariable: 'T',
      })
      const { connection, diagnostics } = await connect(server, { K: canary, T: canary })
      expect(connection).toBeUndefined()
      expect(diagnostics[0]).toMatchObject({ code: 'BRIDLE701' })
      expect(diagnostics[0]?.message).toContain(elsewhere.origin)
      expect(elsewhere.requests).toEqual([])
    },
  )

  it('is followed to another path of its own origin', async () => {
    const inner = mcpListener()
    const { origin } = await start((request, response) =>
      request.url === '/mcp'
        ? inner(request, response)
        : void response.writeHead(307, { Location: '/mcp' }).end(),
    )
    expect(await callOnce(httpServer(`${origin}/old`), {})).toMatchObject({ result: {} })
  })
})

async function callOnce(server: McpHttpServer, environment: Record<string, string>) {
  const connection = await connected(server, environment)
  const outcome = await connection.call('echo', {})
  await connection.close()
  return outcome
}

async function connected(server: McpHttpServer, environment: Record<string, string>): Promise<Connection> {
  const { connection, diagnostics } = await connect(server, environment)
  if (connection === undefined) throw new Error(JSON.stringify(diagnostics))
  return connection
}

async function start(listener: Parameters<typeof listen>[0]): Promise<Listening> {
  const server = await listen(listener)
  listening.push(server)
  return server
}
