import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Context, contexts } from '../../src/compile/target.ts'
import { digests } from './support/dump-server.ts'
import { call, useDumpServers } from './support/dump-tools.ts'
import { runKimi, serversFile } from './support/kimi.ts'
import { literal, literals, nastyHeaders, nastyQueries, nastyTexts, numbered } from './support/nasty.ts'

const tools = useDumpServers()
const folder = mkdtempSync(path.join(tmpdir(), 'bridle-recorder-'))
const recorder = path.join(folder, 'recorder')
beforeAll(() => writeFileSync(recorder, recorderScript, { mode: 0o755 }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Notes its own name and its working folder where it is told to. It is no server: Kimi Code goes on without it. */
const recorderScript = '#!/bin/sh\nprintf %s "$0" > "$RECORD.command"\npwd -P > "$RECORD.folder"\n'

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
      const names = [...new Set(texts.map(asFileName))].filter((name) => !/^\.{0,2}$/.test(name))
      expect(names.length).toBeGreaterThanOrEqual(500)
      for (const some of chunks(names, 150)) await recordAll(some, context)
    })
    await fc.assert(property, once)
  })
})

/** One run in which each name is once the name of a program and once that of a folder. */
async function recordAll(names: readonly string[], context: Context): Promise<void> {
  const place = mkdtempSync(path.join(folder, 'names-'))
  const [programs, folders] = [path.join(place, 'programs'), path.join(place, 'folders')]
  const servers: Record<string, object> = {}
  for (const [index, name] of names.entries()) {
    const [command, workingDirectory] = [path.join(programs, name), path.join(folders, name)]
    mkdirSync(programs, { recursive: true })
    mkdirSync(workingDirectory, { recursive: true })
    symlinkSync(recorder, command)
    servers[`s${index}`] = {
      command,
      workingDirectory,
      environment: { RECORD: path.join(place, `${index}`) },
    }
  }
  const run = await runKimi([], { servers: await serversFile({ servers }, context) })
  expect(run.status, run.stderr).toBe(0)
  const recorded = (index: number, what: string) => {
    const file = path.join(place, `${index}.${what}`)
    return existsSync(file) ? readFileSync(file, 'utf8') : 'nothing was recorded'
  }
  expect(names.map((_, index) => recorded(index, 'command'))).toEqual(
    names.map((name) => path.join(programs, name)),
  )
  expect(names.map((_, index) => recorded(index, 'folder'))).toEqual(
    names.map((name) => `${path.join(folders, name)}\n`),
  )
}

/** What the file system takes as one name, and the language as a command: `${` is refused there. */
function asFileName(text: string): string {
  return [...text.replaceAll('/', '|').replaceAll('${', '$')].slice(0, 50).join('')
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
