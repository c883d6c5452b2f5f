import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonObject, serialize } from '../../../src/compile/serialize.ts'
import { type Context, contexts, type LoweredServer } from '../../../src/compile/target.ts'
import { emit } from '../../../targets/kimi/emission.ts'
import { http, stdio } from '../../support/servers.ts'

const url = 'https://mcp.example.com/mcp'
const entries: readonly [string, LoweredServer, JsonObject][] = [
  ['a bare stdio server', stdio(), { transport: 'stdio', command: 'server' }],
  [
    'every field of a stdio server, of its variables nothing',
    stdio({
      arguments: ['-y', '$HOME'],
      environment: { LEVEL: 'warn' },
      variables: { API_KEY: 'API_KEY' },
      workingDirectory: '/project/sub',
      tools: { include: ['get'], exclude: ['delete'] },
      startupTimeoutMs: 20_001,
      toolTimeoutMs: 1,
      required: true,
    }),
    {
      transport: 'stdio',
      command: 'server',
      args: ['-y', '$HOME'],
      env: { LEVEL: 'warn' },
      cwd: '/project/sub',
      startupTimeoutMs: 20_001,
      toolTimeoutMs: 1,
      enabledTools: ['get'],
      disabledTools: ['delete'],
    },
  ],
  [
    'every field of an http server',
    http({ headers: { 'X-Team': 'core' }, bearerTokenVariable: 'TOKEN' }),
    { transport: 'http', url, headers: { 'X-Team': 'core' }, bearerTokenEnvVar: 'TOKEN' },
  ],
  ['a login', http({ oauth: 'login' }), { transport: 'http', url, auth: 'oauth' }],
]

describe('a standalone emission', () => {
  it.each(entries)('writes %s', (_, server, entry) => {
    expect(documentOf([server])).toEqual({ mcpServers: { [server.name]: entry } })
  })

  it('is a file of servers also when there are none', () => {
    expect(documentOf([])).toEqual({ mcpServers: {} })
  })
})

it('in a launch an http server has headers, be they none, so that no login is offered', () => {
  expect(documentOf([stdio(), http()], 'launch')).toEqual({
    mcpServers: {
      local: { transport: 'stdio', command: 'server' },
      remote: { transport: 'http', url, headers: {} },
    },
  })
})

describe('the schema', () => {
  it.each(entries)('accepts %s in both contexts', (_, server) => {
    for (const context of contexts) expect(problemsOf(documentOf([server], context))).toEqual([])
  })

  const stdioEntry = { transport: 'stdio', command: 'server' }
  const httpEntry = { transport: 'http', url }
  const wrong: readonly [string, JsonObject][] = [
    ['a key that Kimi Code would ignore', { ...stdioEntry, timeout: 1 }],
    ['a url beside a command', { ...stdioEntry, url }],
    ['a timeout of zero, for which it drops the file', { ...stdioEntry, toolTimeoutMs: 0 }],
    ['a timeout with a fraction', { ...stdioEntry, startupTimeoutMs: 1.5 }],
    ['a timeout that is too long', { ...stdioEntry, startupTimeoutMs: 2_147_483_648 }],
    ['an empty list of tools, which takes all away', { ...stdioEntry, enabledTools: [] }],
    ['an empty command', { ...stdioEntry, command: '' }],
    ['a value in place of the name of a variable', { ...httpEntry, bearerTokenEnvVar: 'to ken' }],
    ['an empty name of a variable', { ...httpEntry, bearerTokenEnvVar: '' }],
    ['another transport', { ...httpEntry, transport: 'sse' }],
    ['a server without a transport', { url }],
    ['another way to log in', { ...httpEntry, auth: 'basic' }],
  ]
  it.each(wrong)('refuses %s', (_, entry) => {
    expect(problemsOf({ mcpServers: { local: entry } })).not.toEqual([])
  })

  it('refuses anything beside the servers', () => {
    expect(problemsOf({ mcpServers: {}, inputs: [] })).not.toEqual([])
  })
})

it('the text of mcp.json is strict JSON that reads back as the document, whatever the literals are', () => {
  const text = fc.string({ unit: 'binary' })
  const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,11}$/).filter((each) => each !== '__proto__')
  const map = fc.dictionary(key, text, { noNullPrototype: true })
  fc.assert(
    fc.property(
      fc.array(text),
      map,
      map,
      fc.constantFrom(...contexts),
      (args, environment, headers, context) => {
        const document = documentOf([stdio({ arguments: args, environment }), http({ headers })], context)
        const written = serialize('json', document)
        expect(written.startsWith('{')).toBe(true)
        expect(JSON.parse(written)).toEqual(document)
      },
    ),
  )
})

function documentOf(servers: readonly LoweredServer[], context: Context = 'standalone'): JsonObject {
  const [file] = emit(servers, context)
  if (file === undefined) throw new Error('nothing was emitted')
  return file.document
}

function problemsOf(document: JsonObject): readonly unknown[] {
  const [file] = emit([], 'standalone')
  return file?.schema.safeParse(document).error?.issues ?? []
}
