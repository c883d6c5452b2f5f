import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codex } from '../../targets/codex/target.ts'
import { codexCommand, codexExec } from './support/codex.ts'
import { compiled } from './support/compiled.ts'
import { digests, fingerprint as fingerprintOf } from './support/dump-server.ts'
import { useDumpServers } from './support/dump-tools.ts'
import { literal, literals, nastyHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { useRecorder } from './support/recorder.ts'
import { startResponsesModel } from './support/responses-model.ts'

const tools = useDumpServers()
const recorder = useRecorder()

/** One batch, and no shrinking: each attempt starts the program. */
const once = { numRuns: 1, endOnFailure: true }

async function configOf(spec: object, context: 'standalone' | 'launch'): Promise<string> {
  return (await compiled(spec, codex, context)).files[0]?.text ?? ''
}

describe('literals in the files of a build, as Codex hands them on', () => {
  it('arrive as arguments, in the environment, as headers and in the address', async () => {
    const property = fc.asyncProperty(
      nastyTexts,
      nastyHeaders,
      nastyQueries,
      async (some, headers, query) => {
        const environment = numbered('TEXT_', some)
        const servers = {
          local: tools.dumper({
            arguments: some.map(literal),
            environment: literals(environment),
            workingDirectory: tools.folder,
          }),
          remote: { url: `${tools.web.url}?${query}`, headers: literals(numbered('X-Text-', headers)) },
        }
        const script = Object.keys(servers).map((name) => ({ name: `mcp__${name}__digest` }))
        const config = await configOf({ servers }, 'standalone')
        const run = await codexExec(config, script, { args: ['--dangerously-bypass-approvals-and-sandbox'] })
        const [local, remote] = run.results.map(({ text }) => JSON.parse(text))
        expect(local).toMatchObject(digests({ argv: some, env: environment, cwd: tools.folder }) as object)
        expect(local.argv).toHaveLength(some.length)
        const received = { target: `/mcp?${query}`, headers: numbered('x-text-', headers) }
        expect(remote).toMatchObject(digests(received) as object)
      },
    )
    await fc.assert(property, once)
  })

  it('arrive as commands and as working directories', async () => {
    const property = fc.asyncProperty(nastyTexts, (some) =>
      recorder.expectStarts(some, async (servers) =>
        codexExec(await configOf({ servers }, 'standalone'), []),
      ),
    )
    await fc.assert(property, once)
  })
})

describe('literals in a launch of Codex', () => {
  it('arrive through the wrapper as commands and as working directories', async () => {
    const model = await startResponsesModel([])
    const targets = { codex: { environment: { OPENAI_BASE_URL: model.url } } }
    const args = ['--strict-config', 'exec', '--skip-git-repo-check', '-m', 'scripted', 'go']
    const property = fc.asyncProperty(nastyTexts, (some) =>
      recorder.expectStarts(some, async (servers) =>
        codexCommand(await configOf({ servers, targets }, 'launch'), args),
      ),
    )
    await fc.assert(property, once).finally(model.close)
  })
})

describe('the variables and rules in the files of a build, as Codex takes them', () => {
  it('give a server its variables, headers from variables, and no other tool unasked', async () => {
    const spec = {
      variables: { API_KEY: {}, X_KEY: {} },
      servers: {
        local: tools.dumper({
          variables: ['API_KEY'],
          requiresConfirmation: ['echo'],
          tools: { exclude: ['extra'] },
        }),
        kept: tools.dumper({ tools: { include: ['echo'] } }),
        remote: { url: tools.web.url, headerVariables: { 'X-Key': 'X_KEY' }, requiresConfirmation: true },
        header: { url: `${tools.web.url}?of-header`, headerVariables: { 'X-Key': 'X_KEY' } },
      },
    }
    const environment = { API_KEY: '"; $(id) ${HOME}', X_KEY: 'of x; é' }
    const approve = 'default_tools_approval_mode = "approve"\n'
    const config = (await configOf(spec, 'standalone')).replace(
      /(\[mcp_servers\.(?:local|kept|header)\]\n)/g,
      `$1${approve}`,
    )
    const fingerprint = (server: string, name: string) => ({
      name: `mcp__${server}__fingerprint`,
      input: { name },
    })
    const script = [
      fingerprint('local', 'API_KEY'),
      fingerprint('header', 'X-Key'),
      { name: 'mcp__local__echo', input: { text: 'a' } },
      { name: 'mcp__remote__extra' },
    ]
    const { results, model } = await codexExec(config, script, { environment })
    expect(results).toEqual([
      { isError: false, text: fingerprintOf(environment.API_KEY) },
      { isError: false, text: fingerprintOf(environment.X_KEY) },
      { isError: true, text: expect.stringContaining('requires approval') },
      { isError: true, text: expect.stringContaining('requires approval') },
    ])
    const offered = model.offeredTools()
    expect(offered).not.toContain('mcp__local__extra')
    expect(offered.filter((name) => name.startsWith('mcp__kept'))).toEqual(['mcp__kept__echo'])
  })
})
