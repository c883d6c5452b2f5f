import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LoweredServer } from '../../src/compile/target.ts'
import { connections } from '../../targets/builtin/connections.ts'
import { builtin } from '../../targets/builtin/target.ts'
import { everything, filesystem } from '../fixtures/packages.ts'
import { eventually, processesWith } from '../fixtures/processes.ts'
import { stdioServer } from '../fixtures/servers.ts'

const canary = 'canary-"; $(id) ${HOME}'
const folder = mkdtempSync(path.join(tmpdir(), 'bridle-builtin-'))
const program = path.join(folder, 'builtin.mjs')

beforeAll(async () => {
  writeFileSync(path.join(folder, 'note.txt'), 'a note\n')
  await build({
    entryPoints: ['src/agent/builtin.ts'],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

const servers: readonly LoweredServer[] = [
  everything({ variables: { DEMO_TOKEN: 'BRIDLE_V1' }, tools: { include: ['echo', 'get-env', 'nothing'] } }),
  filesystem(folder, { tools: { exclude: ['write_file'] }, requiresConfirmation: ['move_file'] }),
  stdioServer('dump.mjs', [], { name: 'dump' }),
  stdioServer('faulty.mjs', ['exiting'], { name: 'broken', variables: { TOKEN: 'BRIDLE_V1' } }),
]

describe('the built-in harness', () => {
  it('lists the tools that the filters leave, and tells apart what failed', async () => {
    const { status, stdout, stderr } = await run(servers, ['tools'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^everything {2}echo +Echoes back the input string$/m)
    expect(stdout).toMatch(/^filesystem {2}move_file +.*\(requires confirmation\)$/m)
    expect(stdout).toMatch(/^dump {8}dump +Tells what it was given$/m)
    expect(stdout).not.toMatch(/get-sum|write_file|broken/)
    expect(stderr).toMatch(/warning BRIDLE702: .*`nothing`/)
    expect(stderr).toMatch(/warning BRIDLE701: .*status 3/)
    expect(stderr).toContain('no configuration found for [secret]')
    expect(stdout + stderr).not.toContain(canary)
  })

  it('lists the whole declarations as JSON', async () => {
    const { stdout } = await run(servers, ['tools', '--format', 'json'])
    const listed = JSON.parse(stdout)
    expect(listed.servers.map(({ name }: { name: string }) => name)).toEqual([
      'everything',
      'filesystem',
      'dump',
    ])
    expect(listed.servers[0].tools[0]).toMatchObject({
      name: 'echo',
      inputSchema: { type: 'object', required: ['message'] },
      requiresConfirmation: false,
    })
  })

  it('gives a server its secret, and prints what the tool answers', async () => {
    const { status, stdout } = await run(servers, ['call', 'everything', 'get-env', '{}'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ DEMO_TOKEN: canary })
    expect(JSON.parse(stdout)).not.toHaveProperty('BRIDLE_V1')
  })

  it.each(['text', 'json'])('shows a terminal nothing that would steer it (%s)', async (format) => {
    const args = ['call', 'steering', 'tool0', '--format', format]
    const hostile = [stdioServer('faulty.mjs', ['steering'], { name: 'steering' })]
    expect((await run(hostile, args)).stdout).toContain('\u202Eok')
    const command = [process.execPath, program, '--config', configure(hostile), ...args]
    const child = spawn('script', ['-qec', command.join(' '), '/dev/null'], { timeout: 30_000 })
    const { status, stdout } = await finish(child)
    expect(status).toBe(0)
    expect(stdout).toContain('ok')
    expect(stdout).not.toMatch(/[\u0007\u001B\u202E]/)
  })

  it('passes the arguments of a tool on', async () => {
    const args = JSON.stringify({ path: path.join(folder, 'note.txt') })
    expect(await run(servers, ['call', 'filesystem', 'read_text_file', args])).toMatchObject({
      status: 0,
      stdout: 'a note\n',
    })
  })

  it('prints the whole result as JSON', async () => {
    const { stdout } = await run(servers, [
      'call',
      'everything',
      'echo',
      '{"message":"é"}',
      '--format',
      'json',
    ])
    expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'text', text: 'Echo: é' }] })
  })

  const statuses: { args: string[]; status: number; stderr: RegExp; stdout?: string }[] = [
    { args: ['call', 'dump', 'fail'], status: 1, stdout: 'it did not work\n', stderr: /^$/ },
    { args: ['call', 'dumb', 'dump'], status: 1, stderr: /BRIDLE214: .*`dumb`.*did you mean `dump`/is },
    { args: ['call', 'dump', 'dumb'], status: 1, stderr: /BRIDLE703: .*`dumb`.*did you mean `dump`/is },
    { args: ['call', 'filesystem', 'write_file'], status: 1, stderr: /BRIDLE703: .*refused.*filter/ },
    { args: ['call', 'filesystem', 'move_file'], status: 1, stderr: /BRIDLE703: .*refused.*confirmation/ },
    { args: ['call', 'broken', 'tool1'], status: 1, stderr: /error BRIDLE701/ },
    { args: ['call', 'dump', 'dump', '{q'], status: 2, stderr: /not JSON/ },
    { args: ['-p', 'hello'], status: 2, stderr: /not yet possible/ },
    { args: [], status: 2, stderr: /tools .*call SERVER TOOL/ },
  ]
  it.each(statuses)('ends with $status for $args', async ({ args, status, stderr, stdout = '' }) => {
    const result = await run(servers, args)
    expect(result).toMatchObject({ status, stdout, stderr: expect.stringMatching(stderr) })
    expect(result.stderr).not.toContain(canary)
  })

  it('ends with 1 when a required server does not connect', async () => {
    const required = servers.map((server) => ({ ...server, required: server.name === 'broken' }))
    expect(await run(required, ['tools'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/error BRIDLE701/),
    })
  })

  const told: { args: string[]; broken: string; everything: string }[] = [
    { args: ['tools'], broken: 'failed', everything: 'connected' },
    { args: ['call', 'everything', 'echo', '{"message":"a"}'], broken: 'unused', everything: 'connected' },
    { args: ['call', 'broken', 'tool1'], broken: 'failed', everything: 'unused' },
    { args: ['call', 'filesystem', 'write_file'], broken: 'unused', everything: 'unused' },
  ]
  it.each(told)('writes into its log what became of each server, for $args', async ({ args, ...states }) => {
    const log = path.join(folder, randomUUID())
    await finish(start(['--config', configure(servers), '--log', log, ...args]))
    const text = readFileSync(log, 'utf8')
    const names = servers.map(({ name }) => name)
    const words = connections.read(text, names)
    expect(words.map(({ server }) => server).sort()).toEqual([...names].sort())
    expect(Object.fromEntries(words.map(({ server, status }) => [server, status]))).toMatchObject(states)
    const reason = words.find(({ server }) => server === 'broken')?.reason
    if (states.broken === 'failed') expect(reason).toMatch(/status 3.*no configuration found/s)
    expect(text).not.toContain(JSON.stringify(canary).slice(1, -1))
  })

  it('blames no server in its log when it is interrupted', async () => {
    const [log, mark] = [path.join(folder, randomUUID()), randomUUID()]
    const slow = [stdioServer('faulty.mjs', ['silent', mark])]
    const child = start(['--config', configure(slow), '--log', log, 'tools'])
    expect(await eventually(() => processesWith(mark).length === 1)).toBe(true)
    child.kill('SIGINT')
    await finish(child)
    expect(existsSync(log)).toBe(false)
  })

  it.each([
    ['is not there', undefined, /BRIDLE103: .*ENOENT/],
    ['is not JSON', '{', /BRIDLE106/],
    ['has an unknown key', '{"version":1,"servers":{},"more":1}', /BRIDLE206/],
  ])('ends with 2 when its configuration %s', async (_, text, stderr) => {
    const file = path.join(folder, `${randomUUID()}.json`)
    if (text !== undefined) writeFileSync(file, text)
    expect(await finish(start(['--config', file, 'tools']))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(stderr),
    })
  })

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('takes its servers with it when it gets %s', async (signal, status) => {
    const mark = randomUUID()
    const slow = [
      stdioServer('faulty.mjs', ['silent', mark]),
      stdioServer('faulty.mjs', ['stubborn', mark], { name: 'other' }),
    ]
    const child = start(['--config', configure(slow), 'tools'])
    expect(await eventually(() => processesWith(mark).length === 2)).toBe(true)
    child.kill(signal)
    expect(await finish(child)).toMatchObject({ status, stdout: '', stderr: '' })
    expect(processesWith(mark)).toEqual([])
  })
})

interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(servers: readonly LoweredServer[], args: readonly string[]): Promise<Finished> {
  return finish(start(['--config', configure(servers), ...args]))
}

function configure(servers: readonly LoweredServer[]): string {
  const [emitted] = builtin.emit(servers, 'launch', { accountVariables: [], environment: {} })
  const file = path.join(folder, `${randomUUID()}.json`)
  writeFileSync(file, JSON.stringify(emitted?.document))
  return file
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], HOME: folder, BRIDLE_V1: canary },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  })
}

async function finish(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
    })
  }
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, ...output }
}
