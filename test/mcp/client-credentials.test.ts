import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../../src/mcp/connection.ts'
import type { McpHttpServer } from '../../src/spec/spec.ts'
import { type Listening, listen } from '../fixtures/http-server.ts'
import { authorizationServer, protectedServer, type TokenRequest } from '../fixtures/oauth-server.ts'
import { httpServer } from '../fixtures/servers.ts'

const secret = 'canary-client-secret'
const environment = { SECRET: secret, KEY: 'canary-key' }

const listening: Listening[] = []
let requests: TokenRequest[] = []
let tokens: Set<string>
let console_: ReturnType<typeof vi.spyOn>[]

beforeEach(() => {
  requests = []
  tokens = new Set()
  console_ = (['log', 'warn', 'error', 'debug', 'info'] as const).map((name) => vi.spyOn(console, name))
})

afterEach(async () => {
  for (const spy of console_) {
    expect(spy).not.toHaveBeenCalled()
    spy.mockRestore()
  }
  await Promise.all(listening.splice(0).map((server) => server.close()))
})

describe('client credentials', () => {
  it('buy one token, which is then sent with each request', async () => {
    const { server } = await start()
    const outcome = await callOnce(server)
    expect(outcome).toMatchObject({ result: { content: [{ text: 'heard' }] } })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.authorization).toBe(`Basic ${Buffer.from(`bridle:${secret}`).toString('base64')}`)
    expect(requests[0]?.form).toEqual({
      grant_type: 'client_credentials',
      scope: 'read',
      resource: server.url,
    })
  })

  it('are asked for the scopes of the spec, and for those of the server only without any', async () => {
    const { server } = await start({ scopes: [] })
    await callOnce(server)
    expect(requests[0]?.form['scope']).toBe('read admin')
  })

  it('do not take the headers of the MCP server to the authorization server', async () => {
    const { server } = await start()
    await callOnce({ ...server, headerVariables: { 'X-Api-Key': 'KEY' } })
    expect(requests[0]?.headers['x-api-key']).toBeUndefined()
  })

  it('buy a new token when the old one is refused', async () => {
    const { server } = await start()
    const { connection } = await connect(server, environment)
    tokens.clear()
    const outcomes = await Promise.all([connection?.call('echo', {}), connection?.call('echo', {})])
    await connection?.close()
    expect(outcomes).toMatchObject([{ result: {} }, { result: {} }])
    expect(requests).toHaveLength(2)
  })

  it('are never sent to an authorization server that the MCP server names later', async () => {
    const thief = await begin(authorizationServer([], () => ({ status: 200, body: {} })))
    const { server, moveTo } = await start()
    const { connection } = await connect(server, environment)
    tokens.clear()
    moveTo(thief.origin)
    const outcome = await connection?.call('echo', {})
    await connection?.close()
    expect(outcome).toMatchObject({ refusal: { code: 'BRIDLE704' } })
    expect(thief.requests.filter(({ path }) => path === '/token')).toEqual([])
  })

  it('that are refused are reported without being shown', async () => {
    const { server } = await start({
      answer: () => ({
        status: 401,
        body: { error: 'invalid_client', error_description: `no client ${secret}` },
      }),
    })
    const { connection, diagnostics } = await connect(server, environment)
    expect(connection).toBeUndefined()
    expect(diagnostics[0]).toMatchObject({
      code: 'BRIDLE701',
      message: expect.stringContaining('invalid_client'),
    })
    expect(JSON.stringify(diagnostics)).not.toContain(secret)
  })
})

async function start(
  options: { scopes?: string[]; answer?: Parameters<typeof authorizationServer>[1] } = {},
): Promise<{ server: McpHttpServer; moveTo: (issuer: string) => void }> {
  const grant = () => {
    const token = `token-${requests.length}`
    tokens.add(token)
    return { status: 200, body: { access_token: token, token_type: 'Bearer' } }
  }
  const issuer = await begin(authorizationServer(requests, options.answer ?? grant))
  const resource = await protectedServer(issuer.origin, tokens)
  listening.push(resource)
  const oauth = { clientId: 'bridle', clientSecretVariable: 'SECRET', scopes: options.scopes ?? ['read'] }
  return { server: httpServer(`${resource.origin}/mcp`, { oauth }), moveTo: resource.moveTo }
}

async function begin(listener: Parameters<typeof listen>[0]): Promise<Listening> {
  const server = await listen(listener)
  listening.push(server)
  return server
}

async function callOnce(server: McpHttpServer) {
  const { connection, diagnostics } = await connect(server, environment)
  if (connection === undefined) throw new Error(JSON.stringify(diagnostics))
  const outcome = await connection.call('echo', {})
  await connection.close()
  return outcome
}
