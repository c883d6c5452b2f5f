import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/host/environment.ts'
import { type Connection, connect } from '../../src/mcp/connection.ts'
import type { McpServer } from '../../src/spec/spec.ts'
import { eventually, processesWith } from '../fixtures/processes.ts'
import { stdioServer } from '../fixtures/servers.ts'

const canary = 'canary-"; $(id) ${HOME}'
const base = { PATH: process.env['PATH'], HOME: '/home/nobody', LANG: 'C.UTF-8' }

describe('a stdio server', () => {
  it('gets every literal byte for byte in its arguments and its environment', async () => {
    const texts = fc.sample(literal, { numRuns: 300, seed: 1 }).concat(nastyTexts)
    const environment = Object.fromEntries(texts.map((text, index) => [`TEXT_${index}`, text]))
    const received = await dump(stdioServer('dump.mjs', texts, { environment }), base)
    expect(received.argv).toEqual(texts)
    expect(received.env).toMatchObject(environment)
  })

  it('gets the base environment, its literals and its variables, and nothing else', async () => {
    const server = stdioServer('dump.mjs', [], {
      environment: { LOG_LEVEL: 'warn' },
      variables: { API_KEY: 'BRIDLE_V1' },
    })
    const { env } = await dump(server, { ...base, BRIDLE_V1: canary, OTHER_KEY: 'other', FOO: 'bar' })
    expect(env).toEqual({ ...base, LOG_LEVEL: 'warn', API_KEY: canary })
  })

  it('never sees the secret of another server', async () => {
    const environment = { ...base, A_KEY: 'secret of a', B_KEY: 'secret of b', OTHER_KEY: 'undeclared' }
    const a = await dump(stdioServer('dump.mjs', [], { variables: { A_KEY: 'A_KEY' } }), environment)
    const b = await dump(stdioServer('dump.mjs', [], { variables: { B_KEY: 'B_KEY' } }), environment)
    expect(a.env).toEqual({ ...base, A_KEY: 'secret of a' })
    expect(b.env).toEqual({ ...base, B_KEY: 'secret of b' })
  })

  it('starts in its working directory', async () => {
    const received = await dump(stdioServer('dump.mjs', [], { workingDirectory: tmpdir() }), base)
    expect(received.cwd).toBe(tmpdir())
  })

  it.each([
    ['ends at the end of stdin', 'plain'],
    ['ignores the end of stdin and SIGTERM', 'stubborn'],
    ['leaves a descendant that holds its stdout and ignores SIGTERM', 'forking'],
    ['never answers', 'silent'],
    ['never lists its tools', 'hanging'],
  ])('leaves no process behind when it %s', async (_, mode) => {
    const mark = randomUUID()
    const server = stdioServer('faulty.mjs', [mode, mark], { startupTimeoutMs: 1_500 })
    const connecting = connect(server, base)
    expect(await eventually(() => processesWith(mark).length >= (mode === 'forking' ? 2 : 1))).toBe(true)
    const { connection } = await connecting
    await connection?.close()
    expect(processesWith(mark)).toEqual([])
  })

  it('can be closed twice', async () => {
    const connection = await connected(stdioServer('faulty.mjs', ['plain']), base)
    await Promise.all([connection.close(), connection.close()])
    await connection.close()
  })

  it('is understood although it writes other things to stdout', async () => {
    const connection = await connected(stdioServer('faulty.mjs', ['noisy']), base)
    const outcome = await connection.call('tool1', {})
    await connection.close()
    expect(outcome).toMatchObject({ result: { content: [{ text: 'called tool1' }] } })
  })

  it.each([
    ['lines that are no JSON', ['flooding', 'y\n'], 'other things than messages'],
    ['JSON that is no message', ['flooding', '{}\n'], 'other things than messages'],
    ['a line without end', ['endless'], 'a line of more than 10 MiB'],
  ])('that floods its stdout with %s is ended, with the reason', async (_, args, reason) => {
    const mark = randomUUID()
    const { connection, diagnostics } = await connect(stdioServer('faulty.mjs', [...args, mark]), base)
    expect(connection).toBeUndefined()
    expect(diagnostics[0]?.message).toContain(reason)
    expect(processesWith(mark)).toEqual([])
  })

  it('waits for many servers at once without a warning', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const { signal } = new AbortController()
    const many = Array.from({ length: 12 }, () => stdioServer('faulty.mjs', ['exiting']))
    await Promise.all(many.map((server) => connect(server, base, signal)))
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('does not block on a full stderr', async () => {
    const connection = await connected(stdioServer('faulty.mjs', ['chatty']), base)
    await connection.close()
    expect(connection.tools).toHaveLength(47)
  })
})

const nastyTexts = [
  '',
  ' ',
  '$HOME',
  '${HOME}',
  '%PATH%',
  '{env:X}',
  "'",
  '"',
  '\\',
  'a\nb\r\nc\t',
  'é😀\u202e',
  '--',
  '-e',
]

const literal = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0'))

interface Received {
  readonly argv: string[]
  readonly env: Record<string, string>
  readonly cwd: string
}

async function dump(server: McpServer, environment: Environment): Promise<Received> {
  const connection = await connected(server, environment)
  const outcome = await connection.call('dump', {})
  await connection.close()
  const item = 'result' in outcome ? outcome.result.content[0] : undefined
  if (item?.type !== 'text') throw new Error(`no text: ${JSON.stringify(outcome)}`)
  return JSON.parse(item.text)
}

async function connected(server: McpServer, environment: Environment): Promise<Connection> {
  const { connection, diagnostics } = await connect(server, environment)
  if (connection === undefined) throw new Error(JSON.stringify(diagnostics))
  return connection
}
