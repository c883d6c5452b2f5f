import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Context, contexts } from '../../src/compile/target.ts'
import { copilot } from '../../targets/copilot/target.ts'
import { type CopilotRun, launchCopilot, runCopilot, serversFile } from './support/copilot.ts'
import { digests } from './support/dump-server.ts'
import { useDumpServers } from './support/dump-tools.ts'
import type { ToolCall } from './support/model.ts'
import { literal, literals, nastyHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'
import { useRecorder } from './support/recorder.ts'

const tools = useDumpServers()
const recorder = useRecorder()

/** One batch, and no shrinking: each attempt starts the program. */
const once = { numRuns: 1, endOnFailure: true }

/** The servers of a spec in a real run: from the user's file, or launched as Bridle does it. */
async function runIn(
  context: Context,
  spec: object,
  script: readonly ToolCall[],
  environment: Record<string, string> = {},
): Promise<CopilotRun> {
  if (context === 'launch') return launchCopilot(spec, script, { environment })
  return runCopilot(script, { user: await serversFile(spec), environment, args: ['--allow-all-tools'] })
}

/** What each server received. Copilot hands a result of more than 20 KB to the model as the name of a file. */
async function digestsIn(
  context: Context,
  spec: object,
  servers: readonly string[],
  environment: Record<string, string> = {},
): Promise<unknown[]> {
  const script = servers.map((server) => ({ name: `${server}-digest` }))
  const run = await runIn(context, spec, script, environment)
  expect(run.status, run.stderr).toBe(0)
  expect(run.results, run.log).toHaveLength(servers.length)
  return run.results.map((result) => JSON.parse(result))
}

describe.each(contexts)('literals, as Copilot hands them on (%s)', (context) => {
  it('arrive as arguments, in the environment, as headers and in addresses', async () => {
    const property = fc.asyncProperty(
      nastyTexts,
      nastyHeaders,
      nastyQueries,
      async (texts, headers, query) => {
        const environment = numbered('TEXT_', texts)
        const targets = [query, ...chunks(query.split('&'), 25).map((some) => some.join('&'))]
        const own = `headers-of-${context}`
        const remote = { url: `${tools.web.url}?${own}`, headers: literals(numbered('X-Text-', headers)) }
        const addressed = targets.map((each) => ({ url: `${tools.web.url}?${each}` }))
        const spec = {
          servers: {
            first: tools.dumper({ arguments: texts.map(literal) }),
            second: tools.dumper({ environment: literals(environment) }),
            remote,
            ...named('u', addressed),
          },
        }
        const before = tools.web.requests.length
        const results = await digestsIn(context, spec, ['first', 'second', 'remote'])
        expect(results[0]).toMatchObject(digests({ argv: texts }) as object)
        expect(results[1]).toMatchObject(digests({ env: environment }) as object)
        expect(results[2]).toMatchObject(digests({ headers: numbered('x-text-', headers) }) as object)
        const received = new Set(tools.web.requests.slice(before).map(({ target }) => target))
        expect(received).toEqual(new Set([own, ...targets].map((each) => `/mcp?${each}`)))
      },
    )
    await fc.assert(property, once)
  })

  it('arrive at every length around the one from which nothing is expanded', async () => {
    const lengths = Array.from({ length: 40 }, (_, index) => 965 + index)
    const fillings = [' x', ' $x', ' }$x', 'é$']
    const texts = fillings
      .flatMap((filling) => lengths.map((length) => `${filling.repeat(1000).slice(0, length - 5)}$HOME`))
      .filter((text) => copilot.literals.refuse(text, 'environment') === undefined)
    expect(texts.length).toBeGreaterThan(50)
    const parts = chunks(texts, 40)
    const servers = named(
      's',
      parts.map((part) => tools.dumper({ arguments: part, environment: numbered('TEXT_', part) })),
    )
    const inHeaders = texts
      .map((text) => text.trim())
      .filter((text) => !copilot.literals.refuse(text, 'header'))
    const remote = {
      url: `${tools.web.url}?lengths-in-${context}`,
      headers: numbered('X-Text-', inHeaders),
    }
    const names = Object.keys(servers)
    const results = await digestsIn(context, { servers: { ...servers, remote } }, [...names, 'remote'])
    for (const [index, part] of parts.entries()) {
      const expected = { argv: part, env: numbered('TEXT_', part) }
      expect(results[index]).toMatchObject(digests(expected) as object)
    }
    const headers = numbered('x-text-', inHeaders)
    expect(results.at(-1)).toMatchObject(digests({ headers }) as object)
  })

  it('arrive when they are names of variables, with blanks around them too', async () => {
    const property = fc.asyncProperty(nastyTexts, async (texts) => {
      const all = ['HOME', 'PATH', ...new Set(texts.map(asVariableName).filter((name) => name !== ''))]
      expect(all.length).toBeGreaterThanOrEqual(500)
      for (const names of chunks(all, 100)) {
        const environment = numbered('TEXT_', [...names, ...names.map((name) => ` ${name}\u00a0`)])
        const servers = { local: tools.dumper({ environment: literals(environment) }) }
        const others = names.filter((name) => name !== 'PATH' && name !== 'HOME')
        const variables = Object.fromEntries(others.map((name) => [name, 'the value of a variable']))
        const [result] = await digestsIn(context, { servers }, ['local'], variables)
        expect(result).toMatchObject(digests({ env: environment }) as object)
      }
    })
    await fc.assert(property, once)
  })

  it('arrive as commands and as working directories', async () => {
    const property = fc.asyncProperty(nastyTexts, async (texts) => {
      await recorder.expectStarts(texts, async (servers) => {
        const run = await runIn(context, { servers }, [])
        expect(run.status, run.stderr).toBe(0)
      })
    })
    await fc.assert(property, once)
  })
})

/** What a system takes as the name of a variable. */
function asVariableName(text: string): string {
  return text.replaceAll('=', '').trim()
}

/** `{ <prefix>0: …, <prefix>1: … }` */
function named(prefix: string, servers: readonly object[]): Record<string, object> {
  return Object.fromEntries(servers.map((server, index) => [`${prefix}${index}`, server]))
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
