import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ClaudeRun,
  claudeCommand,
  claudeFolders,
  emitInto,
  launchClaude,
  runClaude,
  type SpecObject,
  writeFiles,
} from './support/claude.ts'
import { fingerprint } from './support/dump-server.ts'
import { call, fingerprintOf, refusals, texts, useDumpServers } from './support/dump-tools.ts'

const tools = useDumpServers()
const { dumper } = tools

function dumpOf(run: ClaudeRun): { argv: string[]; env: Record<string, string>; cwd: string } {
  expect(run.results, run.stderr).toHaveLength(1)
  return JSON.parse(run.results[0]?.text ?? '')
}

const readBack: SpecObject = {
  variables: { C: {}, K: {}, T: {} },
  servers: {
    bare: { command: 'node' },
    full: {
      command: 'node',
      arguments: ['-x', '', { verbatim: '${HOME}' }],
      environment: { A: '1' },
      variables: { B: 'C' },
      toolTimeoutMs: 5000,
    },
    plain: { url: 'https://mcp.example.com/mcp' },
    rich: {
      url: 'https://mcp.example.com/mcp',
      headers: { 'X-Team': 'core' },
      headerVariables: { 'X-Key': 'K' },
      toolTimeoutMs: 2_147_483_647,
    },
    bearer: { url: 'https://mcp.example.com/mcp', bearerTokenVariable: 'T' },
  },
}

describe('an entry for Claude Code, read back by the program', () => {
  it('is kept whole: it knows every key', async () => {
    const folders = claudeFolders()
    try {
      await emitInto(folders, readBack, 'standalone')
      const { mcpServers } = JSON.parse(readFileSync(path.join(folders.project, '.mcp.json'), 'utf8'))
      for (const [name, entry] of Object.entries(mcpServers)) {
        const command = ['mcp', 'add-json', '-s', 'user', name, JSON.stringify(entry)]
        const added = await claudeCommand(folders, command)
        expect(added.status, added.stderr).toBe(0)
      }
      const stored = JSON.parse(readFileSync(path.join(folders.state, '.claude.json'), 'utf8'))
      expect(stored.mcpServers).toEqual(mcpServers)
    } finally {
      folders.dispose()
    }
  })
})

/** Pieces that a program could take for a reference, an option, a quote or a command. */
const piece = fc.constantFrom(
  ...['$', '{', '}', '${HOME}', '${NO}', '${NO:-x}', '${', ':-', '$HOME', '%PATH%', '{env:X}'],
  ...['"', "'", '\\', '`id`', '$(id)', ' ', '-', 'a'],
)
const textOf = (...more: fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(piece, ...more), { maxLength: 8 }).map((pieces) => pieces.join(''))
const anyText = textOf(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom('\n', '\t', 'é', '😀'),
).map((text) => text.replaceAll('\0', ''))
const headerText = textOf(fc.string({ maxLength: 3 }), fc.constant('a\tb')).map((text) => text.trim())
const batch = (text: fc.Arbitrary<string>) => fc.array(text, { minLength: 50, maxLength: 50 })
const named = (prefix: string, list: readonly unknown[]) =>
  Object.fromEntries(list.map((value, index) => [`${prefix}${index}`, value]))
const verbatim = (text: string) => ({ verbatim: text })
/** Each run starts the program, and so does each step of shrinking. */
const fewRuns = { numRuns: 3, endOnFailure: true }

describe('literals in a launch of Claude Code', () => {
  it('arrive verbatim as arguments and in the environment', async () => {
    await fc.assert(
      fc.asyncProperty(batch(anyText), batch(anyText), async (args, values) => {
        const environment = named('V', values.map(verbatim))
        const servers = { dump: dumper({ arguments: args.map(verbatim), environment }) }
        const { argv, env } = dumpOf(await launchClaude({ servers }, [call('dump__dump')]))
        expect(argv).toEqual(args)
        expect(env).toMatchObject(named('V', values))
      }),
      fewRuns,
    )
  })

  it('arrive in the environment also when they change where programs are found', async () => {
    const environment = { PATH: '/opt/none', HOME: '/opt/none', LANG: 'C' }
    const { env } = dumpOf(
      await launchClaude({ servers: { dump: dumper({ environment }) } }, [call('dump__dump')]),
    )
    expect(env).toMatchObject(environment)
  })

  it('arrive verbatim as headers', async () => {
    await fc.assert(
      fc.asyncProperty(batch(headerText), async (values) => {
        const servers = { web: { url: tools.web.url, headers: named('x-v', values.map(verbatim)) } }
        const before = tools.web.requests.length
        await launchClaude({ servers }, [])
        expect(tools.web.requests[before]?.headers).toMatchObject(named('x-v', values))
      }),
      fewRuns,
    )
  })

  it('arrive as written in well-known headers too, on every request', async () => {
    const names =
      'accept-language host connection origin referer cookie te upgrade via date ' +
      'x-api-key authorization cache-control content-encoding content-language sec-fetch-mode proxy-authorization'
    const headers = Object.fromEntries(names.split(' ').map((name) => [name, 'v']))
    const servers = { web: { url: tools.web.url, headers } }
    const before = tools.web.requests.length
    const run = await launchClaude({ servers }, [call('web__extra')])
    expect(refusals(run)).toEqual([false])
    for (const request of tools.web.requests.slice(before)) expect(request.headers).toMatchObject(headers)
  })

  it('case 03: arrive verbatim in the working folder that the spec names', async () => {
    const servers = {
      dump: dumper({
        arguments: [{ verbatim: '${HOME} $USER {env:HOME} %PATH%' }],
        environment: { TEMPLATE: { verbatim: 'Hello ${name}' }, PRICE: '$$5' },
        workingDirectory: tools.folder,
      }),
    }
    const { argv, env, cwd } = dumpOf(await launchClaude({ servers }, [call('dump__dump')]))
    expect(argv).toEqual(['${HOME} $USER {env:HOME} %PATH%'])
    expect(env).toMatchObject({ TEMPLATE: 'Hello ${name}', PRICE: '$$5' })
    expect(cwd).toBe(tools.folder)
  })
})

describe('secrets in a launch of Claude Code', () => {
  it('arrive verbatim in the environment of the server that uses them', async () => {
    await fc.assert(
      fc.asyncProperty(batch(anyText), async (values) => {
        const secrets = named('S', values) as Record<string, string>
        const spec = {
          variables: named(
            'S',
            values.map(() => ({})),
          ),
          servers: { dump: dumper({ variables: Object.keys(secrets) }) },
        }
        const { env } = dumpOf(await launchClaude(spec as SpecObject, [call('dump__dump')], { secrets }))
        expect(env).toMatchObject(secrets)
      }),
      fewRuns,
    )
  })

  it('arrive verbatim in headers, through both expansions', async () => {
    await fc.assert(
      fc.asyncProperty(batch(headerText), async (values) => {
        const secrets = named('S', values) as Record<string, string>
        const headerVariables = Object.fromEntries(Object.keys(secrets).map((name) => [`x-${name}`, name]))
        const spec = {
          variables: named(
            'S',
            values.map(() => ({})),
          ),
          servers: { web: { url: tools.web.url, headerVariables } },
        }
        const before = tools.web.requests.length
        await launchClaude(spec as SpecObject, [], { secrets })
        expect(tools.web.requests[before]?.headers).toMatchObject(named('x-s', values))
      }),
      fewRuns,
    )
  })

  it('arrive under another name, a bearer token too when its name is one that the program blanks', async () => {
    const spec = {
      variables: { MY_KEY: {}, NPM_TOKEN: {} },
      servers: {
        dump: dumper({ variables: { API_KEY: 'MY_KEY' } }),
        web: { url: tools.web.url, bearerTokenVariable: 'NPM_TOKEN' },
      },
    }
    const secrets = { MY_KEY: '"; $(id) ${HOME}', NPM_TOKEN: 'npm-${HOME}' }
    const run = await launchClaude(
      spec,
      [fingerprintOf('dump', 'API_KEY'), fingerprintOf('web', 'Authorization')],
      {
        secrets,
      },
    )
    expect(texts(run)).toEqual([fingerprint(secrets.MY_KEY), fingerprint('Bearer npm-${HOME}')])
  })

  it('case 11: stay with their server, and so do the credentials of the program', async () => {
    const spec = {
      variables: { A_KEY: {}, B_KEY: {} },
      servers: { a: dumper({ variables: ['A_KEY'] }), b: dumper({ variables: ['B_KEY'] }) },
    }
    const run = await launchClaude(spec, [call('a__dump'), call('b__dump')], {
      secrets: { A_KEY: 'value-of-a', B_KEY: 'value-of-b' },
    })
    const [a, b] = run.results.map(({ text }) => JSON.parse(text).env)
    expect([a.A_KEY, a.B_KEY, b.A_KEY, b.B_KEY]).toEqual(['value-of-a', undefined, undefined, 'value-of-b'])
    for (const env of [a, b]) {
      expect(JSON.stringify(env)).not.toContain('key-of-the-test')
      expect(Object.keys(env).filter((name) => /^BRIDLE_|^CLAUDE_CODE_MESSAGING/.test(name))).toEqual([])
    }
    expect(JSON.stringify(a)).not.toContain('value-of-b')
    expect(JSON.stringify(b)).not.toContain('value-of-a')
  })
})

describe('the files of a build, in a project where Claude Code is started by hand', () => {
  it('give each server its variables from the environment and keep the rules', async () => {
    const folders = claudeFolders()
    const spec = {
      variables: { MY_KEY: {}, DOCS_TOKEN: {}, X_KEY: {} },
      servers: {
        dump: dumper({
          variables: { API_KEY: 'MY_KEY' },
          arguments: [verbatim('${HOME}')],
          tools: { exclude: ['extra'] },
          requiresConfirmation: ['echo'],
          startupTimeoutMs: 45_000,
        }),
        docs: {
          url: tools.web.url,
          headers: { 'X-Team': 'core' },
          headerVariables: { 'X-Key': 'X_KEY' },
          bearerTokenVariable: 'DOCS_TOKEN',
        },
        asked: dumper({ requiresConfirmation: true }),
      },
    }
    const script = [
      call('dump__dump'),
      call('dump__extra'),
      call('dump__echo', { text: 'a' }),
      fingerprintOf('docs', 'Authorization'),
      fingerprintOf('docs', 'X-Key'),
      call('asked__extra'),
    ]
    try {
      await emitInto(folders, spec, 'standalone')
      const run = await runClaude(folders, script, ['--allowedTools=mcp__dump,mcp__docs,mcp__asked'], {
        MY_KEY: '"; $(id) ${HOME}',
        DOCS_TOKEN: 'token-of-docs',
        X_KEY: 'key of x',
      })
      expect(refusals(run)).toEqual([false, true, true, false, false, true])
      const { argv, env } = JSON.parse(texts(run)[0] ?? '')
      expect(argv).toEqual(['${HOME}'])
      expect(env.API_KEY).toBe('"; $(id) ${HOME}')
      expect(texts(run)[3]).toBe(fingerprint('Bearer token-of-docs'))
      expect(texts(run)[4]).toBe(fingerprint('key of x'))
    } finally {
      folders.dispose()
    }
  })

  it.each([
    { place: 'a project', file: 'project/.claude/settings.json', timeout: 45_000, limit: 45_000 },
    { place: 'a project', file: 'project/.claude/settings.json', timeout: 5000, limit: 30_000 },
    { place: 'the user', file: 'state/settings.json', timeout: 5000, limit: 5000 },
  ])('a start-up timeout of $timeout in the settings of $place is one of $limit', async (each) => {
    const folders = claudeFolders()
    const log = path.join(folders.state, 'debug.log')
    try {
      await emitInto(folders, { servers: { dump: dumper() } }, 'standalone')
      const settings = JSON.stringify({ env: { MCP_TIMEOUT: String(each.timeout) } })
      writeFiles(path.dirname(folders.project), { [each.file]: settings })
      await runClaude(folders, [], [`--debug-file=${log}`], {})
      expect(readFileSync(log, 'utf8')).toContain(
        `"dump": Starting connection with timeout of ${each.limit}ms`,
      )
    } finally {
      folders.dispose()
    }
  })

  it('case 04: a bearer token is a reference that Claude Code expands', async () => {
    const folders = claudeFolders()
    const spec = {
      variables: { DOCS_TOKEN: {} },
      servers: {
        docs: { url: tools.web.url, headers: { 'X-Team': 'core' }, bearerTokenVariable: 'DOCS_TOKEN' },
      },
    }
    try {
      await emitInto(folders, spec, 'standalone')
      const before = tools.web.requests.length
      await runClaude(folders, [], [], { DOCS_TOKEN: 'token-of-docs' })
      for (const { headers } of tools.web.requests.slice(before)) {
        expect(headers).toMatchObject({ authorization: 'Bearer token-of-docs', 'x-team': 'core' })
      }
      expect(tools.web.requests.length).toBeGreaterThan(before)
    } finally {
      folders.dispose()
    }
  })
})
