import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contexts } from '../../src/compile/target.ts'
import { digests } from './support/dump-server.ts'
import { call, useDumpServers } from './support/dump-tools.ts'
import { runKimi, serversFile } from './support/kimi.ts'
import { literal, literals, nastyHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { useRecorder } from './support/recorder.ts'

const tools = useDumpServers()
const recorder = useRecorder()

/** One batch, and no shrinking: each attempt starts the program. */
const once = { numRuns: 1, endOnFailure: true }

describe.each(contexts)('literals, as Kimi Code hands them on (%s)', (context) => {
  it('arrive as arguments, in the environment, as headers and in the address', async () => {
    const property = fc.asyncProperty(
      nastyTexts,
      nastyHeaders,
      nastyQueries,
      async (texts, headers, query) => {
        const environment = numbered('TEXT_', texts)
        const url = `${tools.web.url}?${query}`
        const spec = {
          servers: {
            local: tools.dumper({ arguments: texts.map(literal), environment: literals(environment) }),
            remote: { url, headers: literals(numbered('X-Text-', headers)) },
          },
        }
        const servers = await serversFile(spec, context)
        const run = await runKimi([call('local__digest'), call('remote__digest')], { servers })
        expect(run.status, run.stderr).toBe(0)
        const [local, remote] = run.results.map((result) => JSON.parse(result))
        expect(local).toMatchObject(digests({ argv: texts, env: environment }) as object)
        expect(local.argv).toHaveLength(texts.length)
        const received = { target: `/mcp?${query}`, headers: numbered('x-text-', headers) }
        expect(remote).toMatchObject(digests(received) as object)
      },
    )
    await fc.assert(property, once)
  })

  it('arrive as commands and as working directories', async () => {
    const property = fc.asyncProperty(nastyTexts, async (texts) => {
      await recorder.expectStarts(texts, async (servers) => {
        const run = await runKimi([], { servers: await serversFile({ servers }, context) })
        expect(run.status, run.stderr).toBe(0)
      })
    })
    await fc.assert(property, once)
  })
})
