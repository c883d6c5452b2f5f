import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claudeFolders, emitInto, launchClaude, runClaude, type SpecObject } from './support/claude.ts'
import { digests } from './support/dump-server.ts'
import { call, texts, useDumpServers } from './support/dump-tools.ts'
import { literal, literals, nastyAsciiHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { useRecorder } from './support/recorder.ts'

const tools = useDumpServers()
const recorder = useRecorder()

/** One batch, and no shrinking: each attempt starts the program. */
const once = { numRuns: 1, endOnFailure: true }

/** Of more than about 250 headers of one server, Claude Code leaves some out. */
const headersOfOneServer = 200

/** All servers at once, however many there are. */
const hasty = { MCP_SERVER_CONNECTION_BATCH_SIZE: '200' }

/** `claude -p` by hand, in a project with the files of a build. */
async function runByHand(spec: SpecObject, script: Parameters<typeof runClaude>[1] = []) {
  const folders = claudeFolders()
  try {
    await emitInto(folders, spec, 'standalone')
    const allowed = Object.keys(spec.servers).map((name) => `mcp__${name}`)
    return await runClaude(folders, script, [`--allowedTools=${allowed.join(',')}`], hasty)
  } finally {
    folders.dispose()
  }
}

describe('literals in the files of a build, as Claude Code hands them on', () => {
  it('arrive as arguments, in the environment, as headers and in the address', async () => {
    const property = fc.asyncProperty(
      nastyTexts,
      nastyAsciiHeaders,
      nastyQueries,
      async (some, all, query) => {
        const environment = numbered('TEXT_', some)
        const remotes = [0, 1, 2, 3].map((part) => ({
          name: `remote${part}`,
          target: `/mcp?by-hand=${part}&${query}`,
          headers: all.slice(part * headersOfOneServer, (part + 1) * headersOfOneServer),
        }))
        const entries = remotes.map(({ name, target, headers }) => [
          name,
          { url: new URL(tools.web.url).origin + target, headers: literals(numbered('X-Text-', headers)) },
        ])
        const local = tools.dumper({ arguments: some.map(literal), environment: literals(environment) })
        const servers = { local, ...Object.fromEntries(entries) }
        const run = await runByHand(
          { servers },
          Object.keys(servers).map((name) => call(`${name}__digest`)),
        )
        const [first, ...others] = texts(run).map((text) => JSON.parse(text))
        expect(first).toMatchObject(digests({ argv: some, env: environment }) as object)
        expect(first.argv).toHaveLength(some.length)
        for (const [index, { target, headers }] of remotes.entries()) {
          const received = { target, headers: numbered('x-text-', headers) }
          expect(others[index]).toMatchObject(digests(received) as object)
        }
      },
    )
    await fc.assert(property, once)
  })

  it('arrive as commands', async () => {
    const property = fc.asyncProperty(nastyTexts, (some) =>
      recorder.expectStarts(some, (servers) => runByHand({ servers }), { workingDirectories: false }),
    )
    await fc.assert(property, once)
  })
})

describe('literals in a launch of Claude Code', () => {
  it('arrive through the wrapper as commands and as working directories', async () => {
    const property = fc.asyncProperty(nastyTexts, (some) =>
      recorder.expectStarts(some, (servers) => launchClaude({ servers }, [], { environment: hasty })),
    )
    await fc.assert(property, once)
  })
})
