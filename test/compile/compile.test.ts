import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { compile } from '../../src/compile/compile.ts'
import { narrow } from '../../src/compile/select.ts'
import { type LoweredServer, type Support, type Target, unsupported } from '../../src/compile/target.ts'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts'
import { specOf, targetWith } from './support.ts'

const spec = await specOf(`version: 1
variables: { KEY: {}, TOKEN: { env: REAL_TOKEN }, ACCOUNT: {}, SECRET: {} }
servers:
  one: { command: one, arguments: [a, b], workingDirectory: sub, environment: { LOG: warn }, variables: { API: KEY, COPY: TOKEN } }
  two: { url: "https://two.example.com", headers: { X: y }, bearerTokenVariable: TOKEN, headerVariables: { X-Key: KEY } }
  off: { command: off, enabled: false }
  out: { command: out, startupTimeoutMs: 5000, toolTimeoutMs: 5000 }
  cc: { url: "https://cc.example.com", oauth: { clientId: id, clientSecretVariable: SECRET } }
targets: { probe: { servers: { exclude: [out] }, account: { variables: [ACCOUNT] } } }
`)

describe('compile', () => {
  it('emits the servers that are enabled and that the target’s filter keeps, in the order of the spec', () => {
    expect(serversOf(targetWith(), 'standalone').map(({ name }) => name)).toEqual(['one', 'two', 'cc'])
  })

  it('names a variable in a file as it is called in the environment of the user', () => {
    const [one, two] = serversOf(targetWith(), 'standalone')
    expect(one).toMatchObject({ variables: { API: 'KEY', COPY: 'REAL_TOKEN' } })
    expect(two).toMatchObject({ bearerTokenVariable: 'REAL_TOKEN', headerVariables: { 'X-Key': 'KEY' } })
  })

  it('injects one neutral name for each variable and kind of field in a launch, and the account under its own', () => {
    const { emission } = compile(spec, targetWith(), 'launch')
    expect(emission?.injections.map(({ name, variable, field }) => [name, variable, field])).toEqual([
      ['BRIDLE_V1', 'KEY', 'environment'],
      ['BRIDLE_V2', 'TOKEN', 'environment'],
      ['BRIDLE_V3', 'KEY', 'header'],
      ['BRIDLE_V4', 'TOKEN', 'header'],
      ['BRIDLE_V5', 'SECRET', 'clientSecret'],
      ['ACCOUNT', 'ACCOUNT', 'account'],
    ])
    expect(emission?.injections[1]?.paths).toEqual([['servers', 'one', 'variables', 'COPY']])
  })

  it('makes a working directory absolute, from the folder of the spec', () => {
    expect(serversOf(targetWith(), 'standalone')[0]).toMatchObject({ workingDirectory: '/project/sub' })
  })

  it('starts a stdio server through the wrapper in a launch, where the harness does not do it itself', () => {
    const wrapping = targetWith()
    const launch = {
      ...wrapping.launch,
      startsServers: 'through the wrapper' as const,
      credentialNames: ['HARNESS_KEY'],
    }
    const [one] = serversOf({ ...wrapping, launch }, 'launch')
    expect(one).toMatchObject({
      command: '/bin/sh',
      variables: { BRIDLE_V1: 'BRIDLE_V1', BRIDLE_V2: 'BRIDLE_V2' },
    })
    const text = one?.transport === 'stdio' ? one.arguments[1] : ''
    expect(text).toContain('export API="$BRIDLE_V1" COPY="$BRIDLE_V2"')
    for (const foreign of ['BRIDLE_V3', 'BRIDLE_V5', 'ACCOUNT', 'HARNESS_KEY'])
      expect(text).toContain(` ${foreign}`)
    expect(serversOf({ ...wrapping, launch }, 'standalone')[0]).toMatchObject({ command: 'one' })
  })

  it('encodes every literal, the wrapper’s own text too', () => {
    const encode = (text: string) => text.replaceAll('$', '$$$$')
    const target = targetWith({ literals: { refuse: () => undefined, encode } })
    const [one] = serversOf(
      { ...target, launch: { ...target.launch, startsServers: 'through the wrapper' } },
      'launch',
    )
    expect(one?.transport === 'stdio' ? one.arguments[1] : '').toContain('export API="$$BRIDLE_V1"')
  })

  it('refuses what the target does not support, at its place, with the way out', () => {
    const target = supporting({ 'oauth.clientCredentials': unsupported('it cannot', 'do without') })
    const { emission, diagnostics } = compile(spec, target, 'standalone')
    expect(emission).toBeUndefined()
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: 'BRIDLE301',
        severity: 'error',
        message: 'Probe cannot honor `oauth` with client credentials: it cannot',
        help: 'do without',
        target: 'probe',
        server: 'cc',
      }),
    ])
    expect(sliced(diagnostics[0])).toBe('{ clientId: id, clientSecretVariable: SECRET }')
  })

  it('asks a condition with all its uses at once', () => {
    const seen: number[] = []
    const refuse: Extract<Support, { kind: 'conditional' }>['refuse'] = (_, all) => {
      seen.push(all.filter(({ feature }) => feature === 'headers').length)
      return { reason: 'not this header', help: 'another' }
    }
    const target = supporting({ headers: { kind: 'conditional', condition: 'sometimes', refuse } })
    const { diagnostics } = compile(spec, target, 'standalone')
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE307', message: 'not this header' }])
    expect(seen).toEqual([1])
  })

  it('leaves a tuning out where the spec says that the target may go without it, and only where it must', async () => {
    const text = (omit: string) => `version: 1
servers: { out: { command: out, startupTimeoutMs: 5000, toolTimeoutMs: 5000 } }
targets: { probe: { omit: [${omit}] } }
`
    const target = supporting({ startupTimeoutMs: unsupported('it cannot', 'omit it') })
    const [server] =
      compile(await specOf(text('startupTimeoutMs, toolTimeoutMs')), target, 'launch').emission?.servers ?? []
    expect(server).toMatchObject({ toolTimeoutMs: 5000 })
    expect(server).not.toHaveProperty('startupTimeoutMs')
    expect(compile(await specOf(text('toolTimeoutMs')), target, 'launch').emission).toBeUndefined()
  })

  it('refuses two names that the target makes one, with both places', async () => {
    const colliding = await specOf('version: 1\nservers: { a-b: { command: x }, a_b: { command: y } }\n')
    const target = targetWith({
      names: { refuse: () => undefined, fold: (name) => name.replaceAll('-', '_') },
    })
    const { diagnostics } = compile(colliding, target, 'launch')
    expect(diagnostics).toMatchObject([
      { code: 'BRIDLE304', server: 'a_b', related: [{ span: { column: 12 } }] },
    ])
  })

  it('refuses names, literals and variables that the target would not hand on', () => {
    const refusal = { reason: 'no', help: 'other' }
    const target = targetWith({
      names: { refuse: (name) => (name === 'two' ? refusal : undefined), fold: (name) => name },
      literals: { refuse: (text) => (text === 'b' ? refusal : undefined), encode: (text) => text },
      secrets: {
        ...targetWith().secrets,
        refuseName: (name) => (name === 'REAL_TOKEN' ? refusal : undefined),
      },
    })
    const inFiles = compile(spec, target, 'standalone').diagnostics
    expect(inFiles.map(({ code }) => code)).toEqual(['BRIDLE303', 'BRIDLE305', 'BRIDLE306', 'BRIDLE306'])
    expect(sliced(inFiles[1])).toBe('b')
    // A launch passes the variable under another name.
    expect(compile(spec, target, 'launch').diagnostics.map(({ code }) => code)).toEqual([
      'BRIDLE303',
      'BRIDLE305',
    ])
  })

  it('refuses a name that the shell of the wrapper keeps to itself, in a launch only', async () => {
    const shellName = await specOf('version: 1\nservers: { a: { command: x, environment: { PWD: here } } }\n')
    const plain = targetWith()
    const wrapping = { ...plain, launch: { ...plain.launch, startsServers: 'through the wrapper' as const } }
    expect(compile(shellName, wrapping, 'launch').diagnostics).toMatchObject([{ code: 'BRIDLE303' }])
    expect(compile(shellName, wrapping, 'standalone').diagnostics).toEqual([])
    expect(compile(shellName, plain, 'launch').diagnostics).toEqual([])
  })

  it('writes nothing that its strict schema does not know', () => {
    const target = targetWith({
      emit: () => [
        {
          path: 'p.json',
          format: 'json',
          document: { surprise: 1 },
          schema: z.strictObject({ servers: z.array(z.string()) }),
        },
      ],
    })
    const { emission, diagnostics } = compile(spec, target, 'standalone')
    expect(emission).toBeUndefined()
    expect(diagnostics.every(({ code }) => code === 'BRIDLE308')).toBe(true)
    expect(diagnostics.length).toBeGreaterThan(0)
  })

  it('takes only the servers that a launch is narrowed to', () => {
    const narrowed = compile(narrow(spec, ['two']), targetWith(), 'launch').emission
    expect(narrowed?.servers.map(({ name }) => name)).toEqual(['two'])
    expect(narrowed?.injections.map(({ variable }) => variable)).toEqual(['KEY', 'TOKEN', 'ACCOUNT'])
  })
})

function supporting(supports: Partial<Target['supports']>): Target {
  return targetWith({ supports: { ...targetWith().supports, ...supports } })
}

function serversOf(target: Target, context: 'standalone' | 'launch'): readonly LoweredServer[] {
  const { emission, diagnostics } = compile(spec, target, context)
  expect(diagnostics).toEqual([])
  return emission?.servers ?? []
}

/** The text that a diagnostic points to. */
function sliced(diagnostic: Diagnostic | undefined): string {
  const { line = 0, column = 0, length = 0 } = diagnostic?.span ?? {}
  return spec.source.text.split('\n')[line - 1]?.slice(column - 1, column - 1 + length) ?? ''
}
