import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallOutcome, connect } from '../../src/mcp/connection.ts'
import type { McpServer } from '../../src/spec/spec.ts'
import { type Listening, listen } from '../fixtures/http-server.ts'
import { everything } from '../fixtures/packages.ts'
import { httpServer, stdioServer } from '../fixtures/servers.ts'

const canary = 'canary-value'
const base = { PATH: process.env['PATH'], HOME: process.env['HOME'], TOKEN: canary }
const withToken = { variables: { TOKEN: 'TOKEN' } }
const limits = { startupTimeoutMs: 1_000, toolTimeoutMs: 300 }
let listening: Listening | undefined

afterEach(async () => {
  await listening?.close()
  listening = undefined
})

const failures: { what: string; server: McpServer; message: RegExp; help?: RegExp }[] = [
  {
    what: 'exits at once',
    server: stdioServer('faulty.mjs', ['exiting'], withToken),
    message: /connect: it exited with status 3$/,
    help: /stderr:\n {2}starting\n {2}no configuration found for \[secret\]\n/,
  },
  {
    what: 'never answers',
    server: stdioServer('faulty.mjs', ['silent'], limits),
    message: /it did not answer within 1000 ms$/,
  },
  {
    what: 'never lists its tools',
    server: stdioServer('faulty.mjs', ['hanging'], limits),
    message: /it did not answer within 1000 ms$/,
  },
  {
    what: 'has a command that is not there',
    server: { ...stdioServer('faulty.mjs'), command: 'no-such-command' },
    // Of a folder on PATH that may not be searched the system says something else.
    message: /its command `no-such-command` was not found(, or may not be executed)?$/,
  },
  {
    what: 'has a folder that is not there',
    server: stdioServer('faulty.mjs', [], { workingDirectory: '/no/such/folder' }),
    message: /its working directory \/no\/such\/folder does not exist$/,
  },
  {
    what: 'has an argument too long for the system',
    server: stdioServer('faulty.mjs', ['x'.repeat(3_000_000)]),
    message: /longer than the system allows$/,
  },
  {
    what: 'is not listening',
    server: httpServer('http://127.0.0.1:1/mcp'),
    message: /nothing listens at its address|cannot be reached/,
  },
]

describe('a server that does not connect', () => {
  it.each(failures)('is a warning with the reason when it $what', async ({ server, message, help }) => {
    const { connection, diagnostics } = await connect(server, base)
    expect(connection).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE701', severity: 'warning', server: server.name }])
    expect(diagnostics[0]?.message).toMatch(message)
    if (help) expect(diagnostics[0]?.help).toMatch(help)
    expect(JSON.stringify(diagnostics)).not.toContain(canary)
  })

  it('is an error when it is required', async () => {
    const server = stdioServer('faulty.mjs', ['exiting'], { required: true })
    expect((await connect(server, base)).diagnostics).toMatchObject([
      { code: 'BRIDLE701', severity: 'error' },
    ])
  })

  it('is not started without its variables', async () => {
    const server = { ...stdioServer('faulty.mjs'), command: 'no-such-command', ...withToken }
    const { diagnostics } = await connect(server, { ...base, TOKEN: '' })
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE501', severity: 'error', server: 'fixture' }])
  })

  it.each([
    [401, 'Unauthorized', 'credentials'],
    [404, 'Not Found', 'Streamable HTTP endpoint'],
    [500, 'Internal Server Error', 'HTTP status 500'],
  ])('tells the HTTP status %i, and never what the server echoed', async (status, _, text) => {
    listening = await listen((request, response) =>
      response.writeHead(status).end(request.headers.authorization),
    )
    const server = httpServer(`${listening.origin}/mcp`, { bearerTokenVariable: 'TOKEN' })
    const { diagnostics } = await connect(server, base)
    expect(diagnostics[0]?.message).toContain(text)
    expect(JSON.stringify(diagnostics)).not.toContain(canary)
  })

  it('accepts the connection and is never heard of again', async () => {
    listening = await listen(() => {})
    const { diagnostics } = await connect(httpServer(listening.origin, limits), base)
    expect(diagnostics[0]?.message).toContain('it did not answer within 1000 ms')
  })

  it('delays no other one', async () => {
    const controller = new AbortController()
    const slow = connect(stdioServer('faulty.mjs', ['silent']), base, controller.signal)
    const { connection } = await connect(stdioServer('faulty.mjs', ['plain']), base)
    expect(await Promise.race([slow, 'still waiting'])).toBe('still waiting')
    controller.abort()
    await Promise.all([slow, connection?.close()])
  })
})

describe('a connection', () => {
  it('is interrupted by its signal', async () => {
    const controller = new AbortController()
    const connecting = connect(stdioServer('faulty.mjs', ['silent']), base, controller.signal)
    controller.abort(new Error('it was interrupted'))
    expect((await connecting).diagnostics[0]?.message).toContain('it was interrupted')
  })

  it('has the tools of every page', async () => {
    const { connection } = await connect(stdioServer('faulty.mjs', ['plain']), base)
    await connection?.close()
    expect(connection?.tools.map(({ name }) => name)).toEqual(
      Array.from({ length: 47 }, (_, index) => `tool${index}`),
    )
  })

  it('has no tools, and writes nothing to stdout, when the server offers none', async () => {
    const debug = vi.spyOn(console, 'debug')
    const { connection } = await connect(stdioServer('faulty.mjs', ['toolless']), base)
    await connection?.close()
    expect(connection?.tools).toEqual([])
    expect(debug).not.toHaveBeenCalled()
    debug.mockRestore()
  })

  it('reaches a server that knows only the stateless revision of the protocol', async () => {
    const outcome = await callOnce(stdioServer('stateless.mjs'), 'echo')
    expect(outcome).toMatchObject({ result: { content: [{ text: 'heard' }] } })
  })

  it('reaches a server that exits at any request that it does not know', async () => {
    expect(await callOnce(stdioServer('faulty.mjs', ['plain']), 'tool1')).toMatchObject({ result: {} })
  })

  it('reaches a server built on the SDK 1.x', async () => {
    const outcome = await callOnce(everything(), 'echo', { message: 'hello' })
    expect(outcome).toMatchObject({ result: { content: [{ text: 'Echo: hello' }] } })
  })
})

describe('a call', () => {
  const filtered = stdioServer('faulty.mjs', ['plain'], {
    tools: { include: ['tool1', 'tool2', 'tool99'], exclude: ['tool2'] },
  })

  it('reaches only what the filter leaves, at listing and at call', async () => {
    const { connection, diagnostics } = await connect(filtered, base)
    const outcomes = await Promise.all(['tool1', 'tool2', 'tool3'].map((name) => connection?.call(name, {})))
    await connection?.close()
    expect(connection?.tools.map(({ name }) => name)).toEqual(['tool1'])
    expect(outcomes).toMatchObject([
      { result: {} },
      { refusal: { code: 'BRIDLE703' } },
      { refusal: { code: 'BRIDLE703' } },
    ])
    expect(diagnostics).toMatchObject([
      { code: 'BRIDLE702', severity: 'warning', message: expect.stringContaining('`tool99`') },
    ])
  })

  it('that requires confirmation is refused', async () => {
    const server = stdioServer('faulty.mjs', ['plain'], { requiresConfirmation: ['tool1'] })
    expect(await callOnce(server, 'tool1')).toMatchObject({
      refusal: { code: 'BRIDLE703', severity: 'error' },
    })
    expect(await callOnce(server, 'tool2')).toMatchObject({ result: {} })
    const every = stdioServer('faulty.mjs', ['plain'], { requiresConfirmation: true })
    expect(await callOnce(every, 'tool2')).toMatchObject({ refusal: { code: 'BRIDLE703' } })
  })

  it('of a tool that is not offered is refused with a suggestion', async () => {
    const outcome = await callOnce(stdioServer('faulty.mjs', ['plain']), 'toll7')
    expect(outcome).toMatchObject({ refusal: { code: 'BRIDLE703', help: 'did you mean `tool7`?' } })
  })

  it('that takes too long fails within its limit', async () => {
    const outcome = await callOnce(stdioServer('dump.mjs', [], { toolTimeoutMs: 300 }), 'sleep')
    expect(outcome).toMatchObject({
      refusal: { code: 'BRIDLE704', message: expect.stringContaining('300 ms') },
    })
  })

  it('fails at once, with the last words of the server, when the server dies of it', async () => {
    const outcome = await callOnce(stdioServer('faulty.mjs', ['crashing']), 'tool1')
    expect(outcome).toMatchObject({
      refusal: {
        code: 'BRIDLE704',
        message: 'the call of `tool1` failed: it exited with status 9',
        help: expect.stringContaining('\n  out of memory\n'),
      },
    })
  })

  it('that the server answers with an error shows no secret', async () => {
    const outcome = await callOnce(stdioServer('faulty.mjs', ['failing'], withToken), 'tool1')
    expect(outcome).toMatchObject({
      refusal: { message: expect.stringContaining('-32000: bad token [secret]') },
    })
  })

  it('of a tool that says it failed has a result', async () => {
    expect(await callOnce(stdioServer('dump.mjs'), 'fail')).toMatchObject({ result: { isError: true } })
  })
})

async function callOnce(server: McpServer, tool: string, args = {}): Promise<CallOutcome> {
  const { connection, diagnostics } = await connect(server, base)
  if (connection === undefined) throw new Error(JSON.stringify(diagnostics))
  const outcome = await connection.call(tool, args)
  await connection.close()
  return outcome
}
