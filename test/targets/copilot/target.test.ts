import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/compile/compile.ts'
import type { Context } from '../../../src/compile/target.ts'
import { readSpec } from '../../../src/spec/read.ts'
import { copilot } from '../../../targets/copilot/target.ts'

async function compiled(spec: object, context: Context) {
  const read = await readSpec(JSON.stringify({ version: 1, ...spec }), {
    file: 'bridle.json',
    folder: '/project',
    targetIds: ['copilot'],
  })
  if (read.spec === undefined) throw new Error(JSON.stringify(read.diagnostics))
  return compile(read.spec, copilot, context)
}

const codes = async (servers: object, context: Context, rest: object = {}) =>
  (await compiled({ servers, ...rest }, context)).diagnostics.map(({ code }) => code)

describe('an emission for Copilot', () => {
  const spec = {
    variables: { C: {}, K: {}, T: {} },
    servers: {
      notes: {
        command: 'node',
        arguments: ['$HOME', 'x'],
        environment: { LEVEL: 'warn' },
        variables: { B: 'C' },
        workingDirectory: 'sub',
        tools: { include: ['a', 'b'], exclude: ['b'] },
        toolTimeoutMs: 5000,
      },
      docs: {
        url: 'https://mcp.example.com/mcp',
        headers: { 'X-Team': 'core' },
        headerVariables: { 'X-Key': 'K' },
        bearerTokenVariable: 'T',
      },
    },
  }

  it('has every field as Copilot calls it, and each secret as a name', async () => {
    const { emission } = await compiled(spec, 'standalone')
    expect(emission?.files.map(({ path, document }) => [path, document])).toEqual([
      [
        'mcp-config.json',
        {
          mcpServers: {
            notes: {
              type: 'stdio',
              command: 'node',
              args: ['${BRIDLE_U:-$}HOME', 'x'],
              env: { LEVEL: '${BRIDLE_U:-}warn', B: '${C}' },
              cwd: '/project/sub',
              tools: ['a', 'b'],
              excludeTools: ['b'],
              timeout: 5000,
            },
            docs: {
              type: 'http',
              url: 'https://mcp.example.com/mcp',
              headers: { 'X-Team': 'core', 'X-Key': '${K}', Authorization: 'Bearer ${T}' },
            },
          },
        },
      ],
    ])
  })

  it('has the text of the wrapper encoded in a launch', async () => {
    const { emission } = await compiled(spec, 'launch')
    const document = JSON.stringify(emission?.files[0]?.document)
    expect(emission?.files[0]?.path).toBe('bridle-mcp.json')
    expect(document).toContain('export B=\\"${BRIDLE_U:-$}BRIDLE_V1\\"')
    expect(document).toContain('"BRIDLE_V1":"${BRIDLE_V1}"')
    expect(document).not.toMatch(/[^}]\$BRIDLE/)
  })

  it('has a wrapper that arrives at every length', async () => {
    const lengths: number[] = []
    for (let length = 500; length < 800; length++) {
      const name = 'N'.repeat(length)
      const servers = { notes: { command: 'node', variables: [name] } }
      const { emission } = await compiled({ variables: { [name]: {} }, servers }, 'launch')
      const [server] = emission?.servers ?? []
      const script = server?.transport === 'stdio' ? (server.arguments[1] ?? '') : ''
      lengths.push(script.length)
      const read = copilot.literals.read?.(script, 'argument')
      expect(read).toMatch(/^export N+="\$BRIDLE_V1"; .*; exec "\$0" "\$@" *$/)
    }
    expect(Math.min(...lengths)).toBeLessThan(900)
    expect(Math.max(...lengths)).toBeGreaterThan(1020)
  })
})

describe('what Copilot cannot honor', () => {
  const plain = { command: 'node' }

  it('is the start-up timeout, always', async () => {
    const servers = { notes: { ...plain, startupTimeoutMs: 60_000 } }
    expect(await codes(servers, 'standalone')).toEqual(['BRIDLE301'])
    expect(await codes(servers, 'launch')).toEqual(['BRIDLE301'])
    const targets = { copilot: { omit: ['startupTimeoutMs'] } }
    expect(await codes(servers, 'launch', { targets })).toEqual([])
  })

  it('is a confirmation in a file; a launch refuses the calls', async () => {
    for (const requiresConfirmation of [true, ['write']]) {
      const servers = { notes: { ...plain, requiresConfirmation } }
      expect(await codes(servers, 'standalone')).toEqual(['BRIDLE301'])
      expect(await codes(servers, 'launch')).toEqual([])
    }
  })

  it.each(['GITHUB_TOKEN', 'OPENAI_API_KEY', 'COPILOT_PROVIDER_API_KEY', 'NODE_ENV'])(
    'is a variable that it keeps to itself, in a file: %s',
    async (name) => {
      const variables = { [name]: {} }
      const servers = { notes: { ...plain, variables: { TOKEN: name } } }
      expect(await codes(servers, 'standalone', { variables })).toEqual(['BRIDLE306'])
      expect(await codes(servers, 'launch', { variables })).toEqual([])
    },
  )

  it.each(['shell', 'write', 'githubiq', 'github-mcp-server'])(
    'is a server that is called %s',
    async (name) => {
      expect(await codes({ [name]: plain }, 'launch')).toEqual(['BRIDLE303'])
    },
  )

  it('is two servers of which one could have the tools of the other', async () => {
    expect(await codes({ a: plain, 'a-b': plain, a_b: plain, b: plain }, 'standalone')).toEqual(['BRIDLE304'])
  })

  it('is a client secret and, in a launch, a login', async () => {
    const crm = { url: 'https://crm.example.com/mcp' }
    const oauth = { clientId: 'a', clientSecretVariable: 'S' }
    expect(await codes({ crm: { ...crm, oauth } }, 'standalone', { variables: { S: {} } })).toEqual([
      'BRIDLE301',
    ])
    expect(await codes({ crm: { ...crm, oauth: 'login' } }, 'standalone')).toEqual([])
    expect(await codes({ crm: { ...crm, oauth: 'login' } }, 'launch')).toEqual(['BRIDLE301'])
  })
})

describe('the plan of a launch', () => {
  const request = { arguments: ['-p', 'hello'], stateFolder: '/state' }

  it('passes the servers, trusts nothing, and keeps the state to itself', () => {
    const { arguments: args, environment } = copilot.launch.plan({ ...request, servers: [] })
    expect(args).toEqual([
      '--additional-mcp-config=@/state/bridle-mcp.json',
      '--disable-builtin-mcps',
      '--no-auto-update',
      '--no-remote-export',
      '--disable-client-telemetry',
      '--log-dir=/state/logs',
      '--log-level=info',
      '--allow-tool=shell',
      '--allow-tool=write',
      '--allow-all-paths',
      '--allow-all-urls',
      '-p',
      'hello',
    ])
    expect(environment).toMatchObject({
      COPILOT_HOME: '/state',
      COPILOT_ALLOW_ALL: 'false',
      GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP: 'false',
    })
  })

  it('allows what needs no confirmation, and denies what does', async () => {
    const servers = {
      free: { command: 'a' },
      asked: { command: 'a', requiresConfirmation: true },
      partly: { command: 'a', requiresConfirmation: ['notes.delete'] },
    }
    const { emission } = await compiled({ servers }, 'launch')
    const { arguments: args } = copilot.launch.plan({ ...request, servers: emission?.servers ?? [] })
    expect(args.filter((each) => /(free|asked|partly)/.test(each))).toEqual([
      '--allow-tool=free',
      '--deny-tool=asked',
      '--allow-tool=partly',
      '--deny-tool=partly(notes-delete)',
    ])
  })
})
