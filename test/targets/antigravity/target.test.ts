import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/compile/compile.ts'
import { featureTitles } from '../../../src/compile/feature.ts'
import { judge } from '../../../src/compile/judge.ts'
import { readSpec } from '../../../src/spec/read.ts'
import { antigravity } from '../../../targets/antigravity/target.ts'
import { literal } from '../../spec/arbitrary.ts'

async function specOf(servers: object, settings: object = {}) {
  const whole = { version: 1, variables: { TOKEN: {} }, servers, targets: { antigravity: settings } }
  const options = { file: 'bridle.json', folder: '/project', targetIds: ['antigravity'] }
  const { spec, diagnostics } = await readSpec(JSON.stringify(whole), options)
  if (spec === undefined) throw new Error(JSON.stringify(diagnostics))
  return spec
}

async function written(servers: object, settings: object = {}) {
  const { emission, diagnostics } = compile(await specOf(servers, settings), antigravity, 'standalone')
  return (
    emission?.files.map(({ path, text }) => [path, JSON.parse(text)]) ?? diagnostics.map(({ code }) => code)
  )
}

const refused: readonly [feature: keyof typeof featureTitles, server: object][] = [
  ['workingDirectory', { command: 'a', workingDirectory: '.' }],
  ['variables', { command: 'a', variables: ['TOKEN'] }],
  ['variables.renamed', { command: 'a', variables: { KEY: 'TOKEN' } }],
  ['headerVariables', { url: 'https://a.example', headerVariables: { 'X-Key': 'TOKEN' } }],
  ['bearerTokenVariable', { url: 'https://a.example', bearerTokenVariable: 'TOKEN' }],
  ['oauth.login', { url: 'https://a.example', oauth: 'login' }],
  [
    'oauth.clientCredentials',
    { url: 'https://a.example', oauth: { clientId: 'a', clientSecretVariable: 'TOKEN' } },
  ],
  ['tools.include', { command: 'a', tools: { include: ['b'] } }],
  ['requiresConfirmation.all', { command: 'a', requiresConfirmation: true }],
  ['requiresConfirmation.tools', { command: 'a', requiresConfirmation: ['b'] }],
  ['startupTimeoutMs', { command: 'a', startupTimeoutMs: 1 }],
  ['toolTimeoutMs', { command: 'a', toolTimeoutMs: 1 }],
]

describe('For Antigravity', () => {
  it('both kinds of servers are written, with the tools that are taken away', async () => {
    const servers = {
      files: {
        command: 'npx',
        arguments: ['-y', 'files-mcp'],
        environment: { LOG_LEVEL: 'warn' },
        tools: { exclude: ['write'] },
        required: true,
      },
      plain: { command: 'plain-mcp', title: 'Plain' },
      docs: {
        url: 'https://mcp.example.com/mcp',
        headers: { 'X-Team': 'core' },
        tools: { exclude: ['a', 'b'] },
      },
      off: { command: 'off-mcp', enabled: false },
    }
    expect(await written(servers)).toEqual([
      [
        'mcp_config.json',
        {
          mcpServers: {
            files: {
              command: 'npx',
              args: ['-y', 'files-mcp'],
              env: { LOG_LEVEL: 'warn' },
              disabledTools: ['write'],
            },
            plain: { command: 'plain-mcp', args: [] },
            docs: {
              serverUrl: 'https://mcp.example.com/mcp',
              headers: { 'X-Team': 'core' },
              disabledTools: ['a', 'b'],
            },
          },
        },
      ],
    ])
  })

  it.each(refused)('%s is refused', async (feature, server) => {
    const found = judge(await specOf({ a: server }), antigravity)
    const message = `Antigravity cannot honor ${featureTitles[feature]}: `
    expect(found.filter((each) => each.message.startsWith(message))).toMatchObject([
      { code: 'BRIDLE301', severity: 'error', server: 'a' },
    ])
  })

  it('tuning can be left out', async () => {
    const server = { command: 'a', workingDirectory: '.', startupTimeoutMs: 1, toolTimeoutMs: 1 }
    const omit = ['workingDirectory', 'startupTimeoutMs', 'toolTimeoutMs']
    expect(await written({ a: server }, { omit })).toEqual([
      ['mcp_config.json', { mcpServers: { a: { command: 'a', args: [] } } }],
    ])
  })

  it.each(['$HOME', 'a$b', '$(id)', '{env:X}', '{file:/etc/hostname}', '{{x}}', '%PATH%', '\ud800'])(
    'the text %s is refused, since it might not arrive',
    async (text) => {
      const argument = { a: { command: 'a', arguments: [text] } }
      // The language itself takes no half of a surrogate pair.
      if (text === '\ud800') expect(antigravity.literals.refuse(text, 'argument')).toBeDefined()
      else expect(await written(argument)).toEqual(['BRIDLE305'])
    },
  )

  it('a header has no character outside ASCII, and none that belongs to HTTP', async () => {
    const withHeader = (name: string, value: string) => ({
      a: { url: 'https://a.example', headers: { [name]: value } },
    })
    expect(await written(withHeader('X-Team', 'Müller'))).toEqual(['BRIDLE305'])
    expect(await written(withHeader('Content-Type', 'text/plain'))).toEqual(['BRIDLE307'])
  })

  it('every text arrives in the file as it stands, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(literal, async (text) => {
        const server = { command: 'a', arguments: [text], environment: { A: text } }
        const result = await written({ a: server })
        const expected = { command: 'a', args: [text], env: { A: text } }
        if (antigravity.literals.refuse(text, 'argument')) expect(result).toEqual(['BRIDLE305', 'BRIDLE305'])
        else expect(result).toEqual([['mcp_config.json', { mcpServers: { a: expected } }]])
      }),
    )
  })

  it('nothing can be launched', () => {
    expect(antigravity).not.toHaveProperty('launch')
    expect(antigravity).not.toHaveProperty('provedWith')
  })
})
