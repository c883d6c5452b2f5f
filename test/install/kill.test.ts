import type { ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, finish, type StartOptions, Workplace } from '../fixtures/workplace.ts'
import { filesBelow } from '../support/canary.ts'

/** What a person has in the files already. */
const handWritten: Readonly<Record<string, string>> = {
  '.mcp.json': '{\n  "mcpServers": { "mine": { "command": "x" } }\n}\n',
  '.codex/config.toml': '# mine\nmodel = "m" # keep\n\n[mcp_servers.mine]\ncommand = "x"\n',
  '.claude/settings.json': '{ "permissions": { "deny": ["Bash"] }, "env": {} }\n',
}

const targets = { claude: {}, codex: {} }
const specs = {
  one: {
    a: { command: 'a', arguments: ['one'], tools: { exclude: ['x'] } },
    b: { command: 'b' },
  },
  two: {
    a: { command: 'a', arguments: ['two'], tools: { exclude: ['y', 'z'] }, startupTimeoutMs: 60_000 },
    c: { url: 'https://c.example.com/mcp' },
  },
}
type SpecName = keyof typeof specs
const names = Object.keys(specs) as SpecName[]

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  mkdirSync(path.join(place.project, '.git'))
  for (const [name, text] of Object.entries(handWritten)) place.write(`project/${name}`, text)
})
afterEach(() => place.remove())

/** Every file of the project but the spec. */
function files(): Record<string, string> {
  const found = filesBelow(place.project).map((file) => [
    path.relative(place.project, file),
    readFileSync(file, 'utf8'),
  ])
  return Object.fromEntries(found.filter(([name]) => name !== 'bridle.json'))
}

/** A project has one spec, which is changed between builds. */
function startBuild(name: SpecName, options: StartOptions = {}): ChildProcess {
  place.writeSpec({ servers: specs[name], targets })
  return place.start(['build'], options)
}

async function build(name: SpecName): Promise<number> {
  return (await finish(startBuild(name))).status
}

async function remove(): Promise<number> {
  return (await finish(place.start(['build', '--remove']))).status
}

/** The files as each spec wants them, from builds that nobody disturbs. */
async function undisturbed(): Promise<Readonly<Record<SpecName, Record<string, string>>>> {
  const result: Partial<Record<SpecName, Record<string, string>>> = {}
  for (const name of names) {
    expect(await build(name)).toBe(0)
    result[name] = files()
  }
  expect(await build('one')).toBe(0)
  expect(files()).toEqual(result.one)
  return result as Record<SpecName, Record<string, string>>
}

describe('Builds that are killed', () => {
  it('leave every file old or new, 200 times, and the next one puts everything in order', async () => {
    const wanted = await undisturbed()
    const started = performance.now()
    await build('two')
    const duration = performance.now() - started
    const configs = Object.keys(wanted.one).filter((name) => name !== '.bridle/state.json')
    let killed = 0
    for (let round = 0; round < 200; round++) {
      const child = startBuild(names[round % 2] ?? 'one')
      const ended = finish(child)
      // What is before the first write is killed once in a while only.
      await delay(duration * (0.5 + Math.random() * 0.6))
      child.kill('SIGKILL')
      if ((await ended).status !== 0) killed += 1
      const found = files()
      const states = configs.map((name) => names.filter((spec) => found[name] === wanted[spec][name]))
      expect(states.filter((each) => each.length === 0)).toEqual([])
    }
    expect(killed).toBeGreaterThan(20)
    for (const name of names) {
      expect(await build(name)).toBe(0)
      expect(files()).toEqual(wanted[name])
    }
    expect(await remove()).toBe(0)
    expect(files()).toEqual(handWritten)
  }, 120_000)
})

/** Loaded before the command: kills it before the n-th call of the system that changes a file or a folder. */
const killer = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
let left = Number(process.env.KILL_AT)
const isChange = (args) => !String(args[0]).startsWith('/dev/') && !/^r/.test(String(args[1]))
for (const name of ['mkdirSync', 'rmdirSync', 'unlinkSync', 'renameSync', 'writeFileSync', 'fsyncSync', 'fchmodSync', 'fchownSync', 'openSync']) {
  const original = fs[name]
  fs[name] = (...args) => {
    if ((name !== 'openSync' || typeof args[1] === 'string' && isChange(args)) && --left === 0) process.kill(process.pid, 'SIGKILL')
    return original(...args)
  }
}
syncBuiltinESMExports()
`

describe('A build that is killed before any one of its changes', () => {
  it.each([
    { name: 'from nothing to a first spec', from: undefined, to: 'one' },
    { name: 'from one spec to another', from: 'one', to: 'two' },
    { name: 'from a spec to nothing', from: 'one', to: undefined },
  ] as const)(
    'leaves what the next one puts in order: $name',
    async ({ from, to }) => {
      const wanted = await undisturbed()
      const preload = place.write('killer.mjs', killer)
      const [before, after] = [
        from === undefined ? handWritten : wanted[from],
        to === undefined ? handWritten : wanted[to],
      ]
      const start = (options?: StartOptions) =>
        to === undefined ? place.start(['build', '--remove'], options) : startBuild(to, options)
      const configs = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (name) => name !== '.bridle/state.json' && !name.endsWith('.bridle-new'),
      )
      await remove()
      if (from !== undefined) await build(from)
      expect(files()).toEqual(before)
      const copy = path.join(place.folder, 'before')
      cpSync(place.project, copy, { recursive: true })
      let kills = 0
      for (let at = 1; ; at++) {
        rmSync(place.project, { recursive: true })
        cpSync(copy, place.project, { recursive: true })
        const program = [process.execPath, '--import', preload, command]
        const { status, stderr } = await finish(start({ program, environment: { KILL_AT: String(at) } }))
        const found = files()
        for (const name of configs) expect([before[name], after[name]]).toContain(found[name])
        if (status === 0) break
        expect(`${status} ${stderr}`).toBe('137 ')
        kills += 1
        expect(await finish(start())).toMatchObject({
          status: 0,
          stderr: expect.not.stringContaining('error'),
        })
        expect(files()).toEqual(after)
      }
      expect(kills).toBeGreaterThan(10)
    },
    240_000,
  )
})

/** A build by the library, whose spec is no file: two of them can have different ones under one name. */
const library = `
const { install, readSpec } = await import(process.env.LIBRARY)
const { spec } = await readSpec(process.env.SPEC, { file: 'bridle.json' })
const { diagnostics } = await install(spec)
process.exitCode = diagnostics.filter(({ severity }) => severity === 'error').length
`

describe('Two builds at once', () => {
  it('end as if one had come after the other, 50 times', async () => {
    const wanted = await undisturbed()
    const program = [process.execPath, place.write('library.mjs', library)]
    const builds = names.map((name) => async () => {
      const SPEC = JSON.stringify({ version: 1, servers: specs[name], targets })
      const environment = { SPEC, LIBRARY: path.join(path.dirname(command), 'index.js') }
      return (await finish(place.start([], { program, environment }))).status
    })
    for (let round = 0; round < 50; round++) {
      expect(await Promise.all(builds.map((start) => start()))).toEqual([0, 0])
      expect(names.map((name) => wanted[name])).toContainEqual(files())
    }
    expect(await remove()).toBe(0)
    expect(files()).toEqual(handWritten)
  }, 120_000)
})
