import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/cli/main.ts'

/** Where a harness looks for the files of the corpus. */
const places = [
  { target: 'codex', corpus: 'toml', file: 'project/.codex/config.toml', args: ['build'] },
  { target: 'claude', corpus: 'json', file: 'project/.mcp.json', args: ['build'] },
  { target: 'kimi', corpus: 'json', file: 'project/.kimi-code/mcp.json', args: ['build'] },
  { target: 'copilot', corpus: 'json', file: 'home/.copilot/mcp-config.json', args: ['build', '--user'] },
] as const
type Place = (typeof places)[number]

const corpus = path.join(import.meta.dirname, 'corpus')
const cases = places.flatMap((place) =>
  readdirSync(path.join(corpus, place.corpus)).map((name) => ({
    ...place,
    name,
    bytes: readFileSync(path.join(corpus, place.corpus, name)),
  })),
)

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle-corpus-')))
  clear()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function clear(): void {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true })
  for (const name of ['project/.git', 'home/.config/bridle']) {
    mkdirSync(path.join(folder, name), { recursive: true })
  }
}

function writeSpec(target: string, servers: object): void {
  const text = JSON.stringify({ version: 1, servers, targets: { [target]: {} } })
  for (const name of ['project/bridle.json', 'home/.config/bridle/bridle.json']) {
    writeFileSync(path.join(folder, name), text)
  }
}

/** The command as it is, in this process. */
async function run(args: readonly string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' }
  const status = await main(args, {
    out: (text) => {
      output.stdout += text
    },
    err: (text) => {
      output.stderr += text
    },
    isTerminal: false,
    colors: { out: false, err: false },
    columns: 100,
    environment: { PATH: '' },
    workingDirectory: path.join(folder, 'project'),
    home: path.join(folder, 'home'),
  })
  return { status, ...output }
}

function place({ file, bytes }: Place & { bytes: Buffer }): string {
  const full = path.join(folder, file)
  mkdirSync(path.dirname(full), { recursive: true })
  writeFileSync(full, bytes)
  return full
}

const isThere = (file: string) => existsSync(path.join(folder, file))
const hasState = () => isThere('project/.bridle') || isThere('home/.local/state/bridle')

/** Names that no file of the corpus has. */
const first = { 'bridle-one': { command: 'one', arguments: ['-y', 'a "quoted" \\ text'] } }
const second = { 'bridle-one': { command: 'other' }, 'bridle-two': { url: 'https://two.example.com/mcp' } }

describe('A file of the corpus, through bridle build', () => {
  const taken = new Map<string, number>()

  it.each(cases)('is kept by $target, or refused untouched: $name', async (each) => {
    const file = place(each)
    writeSpec(each.target, first)
    const { status, stderr } = await run(each.args)
    if (status !== 0) {
      expect(stderr).toMatch(/^error BRIDLE403: /)
      expect(stderr).toMatch(new RegExp(`${path.basename(each.file).replaceAll('.', '\\.')}:\\d+:\\d+`))
      expect(readFileSync(file)).toEqual(each.bytes)
      expect(hasState()).toBe(false)
      return
    }
    taken.set(each.target, (taken.get(each.target) ?? 0) + 1)
    const built = readFileSync(file)
    expect(built.toString()).toContain('bridle-one')
    expect((await run([...each.args, '--check'])).status).toBe(0)
    expect((await run(each.args)).stdout).toBe('nothing to do: 1 file checked\n')
    expect(readFileSync(file)).toEqual(built)
    writeSpec(each.target, second)
    expect((await run(each.args)).stdout).toMatch(/: added \S+bridle-two; changed \S+bridle-one\n/)
    writeSpec(each.target, first)
    await run(each.args)
    expect(readFileSync(file)).toEqual(built)
    writeSpec(each.target, {})
    expect((await run(each.args)).stdout).toMatch(/: removed \S+bridle-one\n/)
    expect(readFileSync(file)).toEqual(each.bytes)
    expect(hasState()).toBe(false)
  })

  it('is taken by its reader in most cases', () => {
    const least = { codex: 25, claude: 12, kimi: 12, copilot: 20 }
    for (const [target, number] of Object.entries(least)) {
      expect(taken.get(target), target).toBeGreaterThanOrEqual(number)
    }
  })
})

describe('Any course of builds', () => {
  const server = fc.record({
    command: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
      .filter((text) => !/[\0]|\$\{|^\s*$/.test(text)),
    arguments: fc.array(
      fc.string({ maxLength: 5 }).filter((text) => !/[\0]|\$\{/.test(text)),
      { maxLength: 3 },
    ),
  })
  const servers = fc.dictionary(fc.constantFrom('bridle-a', 'bridle-b', 'bridle-c', 'bridle-d'), server)

  it('that ends without servers gives back the bytes, whichever way it went', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cases),
        fc.array(servers, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('spec', 'remove'),
        async (each, specs, way) => {
          clear()
          const file = place(each)
          for (const spec of specs) {
            writeSpec(each.target, spec)
            await run(each.args)
            const twice = readFileSync(file)
            await run(each.args)
            expect(readFileSync(file)).toEqual(twice)
          }
          writeSpec(each.target, {})
          await run(way === 'spec' ? each.args : [...each.args, '--remove'])
          expect(readFileSync(file)).toEqual(each.bytes)
          expect(hasState()).toBe(false)
        },
      ),
      { numRuns: 60 },
    )
  })
})
