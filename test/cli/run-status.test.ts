import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, processesWith } from '../fixtures/processes.ts'
import { command, finish, Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = new Workplace()
  place.writeSpec()
})
afterAll(() => place.remove())

const backends = [
  { name: 'in bubblewrap', options: [] as string[] },
  { name: 'without a sandbox', options: ['--sandbox', 'none', '--network', 'host'] },
]

describe.each(backends)('a harness $name', ({ options }) => {
  it.each([
    { body: 'exit 0', status: 0 },
    { body: 'exit 7', status: 7 },
    { body: 'exit 125', status: 125 },
    { body: 'no-such-program', status: 127 },
    { body: '/etc/os-release', status: 126 },
    { body: 'kill -SEGV $$', status: 139 },
  ])('that does `$body` ends bridle with $status', async ({ body, status }) => {
    expect((await place.launch(body, options)).status).toBe(status)
    expect(readdirSync(place.project)).toEqual(['bridle.json'])
  })

  it.each([
    { signal: 'SIGTERM', body: 'trap "exit 42" TERM', status: 42 },
    { signal: 'SIGTERM', body: '', status: 143 },
    { signal: 'SIGINT', body: '', status: 130 },
    { signal: 'SIGINT', body: 'trap "exit 43" INT', status: 43 },
    { signal: 'SIGHUP', body: '', status: 129 },
  ] as const)(
    'gets $signal and, with `$body`, ends bridle with $status',
    async ({ signal, body, status }) => {
      const harness = place.harness(`${body}\necho ready\nwhile :; do sleep 0.05; done`)
      const child = place.start(['run', 'claude', '--harness', harness, ...options, '--', '-p', 'x'])
      const finished = finish(child)
      if (child.stdout) await once(child.stdout, 'data')
      child.kill(signal)
      expect((await finished).status).toBe(status)
      expect(readdirSync(place.project)).toEqual(['bridle.json'])
    },
  )

  it('has the input, and its output comes byte for byte and at once', async () => {
    const bytes = Buffer.concat([randomBytes(300_000), Buffer.from('\0\r\n\xff', 'latin1')])
    const child = place.start([
      ...['run', 'claude', '--harness', place.harness('exec cat'), ...options, '--', '-p', 'x'],
    ])
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stdin?.write('first')
    expect(await eventually(() => Buffer.concat(chunks).toString() === 'first')).toBe(true)
    child.stdin?.end(bytes)
    await once(child, 'close')
    expect(Buffer.concat(chunks).equals(Buffer.concat([Buffer.from('first'), bytes]))).toBe(true)
  })

  it('has a closed input when bridle has', async () => {
    expect(await place.launch('cat; echo end', options)).toMatchObject({ status: 0, stdout: 'end\n' })
  })

  it('has its own stderr beside the report of Bridle', async () => {
    const { stderr } = await place.launch('echo from the harness >&2', options)
    expect(stderr).toMatch(/^bridle: Claude Code .*\n(bridle: .*\n)*from the harness\n$/m)
  })
})

describe('a killed bridle', () => {
  it('leaves no process of the sandbox', async () => {
    const name = randomUUID()
    const body = `setsid sh -c 'sleep 60; : ${name}' & sh -c 'sleep 60; : ${name}'`
    const child = place.start(['run', 'claude', '--harness', place.harness(body), '--', '-p', 'x'])
    expect(await eventually(() => processesWith(name).length === 2)).toBe(true)
    child.kill('SIGKILL')
    expect(await eventually(() => processesWith(name).length === 0)).toBe(true)
  })

  it('leaves nothing that the next launch does not clear away', async () => {
    const child = place.start([
      'run',
      'claude',
      '--harness',
      place.harness('echo; sleep 60'),
      '--',
      '-p',
      'x',
    ])
    if (child.stdout) await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect((await place.launch('exit 3')).status).toBe(3)
    expect(readdirSync(place.project)).toEqual(['bridle.json'])
  })
})

describe('the descriptors of a harness', () => {
  it('are the three standard ones, whatever bridle inherited', async () => {
    const harness = place.harness('ls /proc/self/fd')
    const line = 'exec 9<"$0" 77<"$0" && exec "$@"'
    const program = ['/bin/bash', '-c', line, '/etc/os-release', process.execPath, command]
    const { stdout } = await place.run(['run', 'claude', '--harness', harness, '--', '-p', 'x'], { program })
    expect(stdout.trim().split('\n')).toEqual(['0', '1', '2', '3']) // 3: the folder that ls reads
  })
})
