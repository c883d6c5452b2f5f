import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, processesWith } from '../fixtures/processes.ts'
import { finish, packagesFirst, Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = new Workplace()
  place.writeSpec({ servers: { notes: { command: 'sh', required: true }, docs: { command: 'sh' } } })
})
afterAll(() => place.remove())

const backends = [
  { name: 'in bubblewrap', options: [] as string[] },
  { name: 'without a sandbox', options: ['--sandbox', 'none', '--network', 'host'] },
]

/** Lines of the debug log of Claude Code, put there by the stand-in for it. */
const says = (...lines: string[]) =>
  lines.map((line) => `printf '%s\\n' '2026-11-30T19:07:27.520Z ${line}' >> "$LOG"`).join('\n')
const connected = (server: string) =>
  `[DEBUG] MCP server "${server}": Successfully connected (transport: stdio) in 1ms`
const failed = (server: string, reason = 'it ended') =>
  `[ERROR] MCP server "${server}" Connection failed: ${reason}`
const forEver = 'while :; do sleep 0.05; done'

describe('the built-in harness', () => {
  const broken = { command: 'sh', arguments: ['-c', 'echo no configuration >&2; exit 3'] }
  const working = { command: 'mcp-server-everything' }
  const run = (args: readonly string[], more: readonly string[] = []) => {
    const spec = { servers: { working, broken }, targets: { builtin: {} } }
    const file = place.writeSpec(spec, 'project/two.json')
    const environment = { PATH: packagesFirst }
    return place.run(['run', 'builtin', '--config', file, ...more, '--', ...args], { environment })
  }

  it('needs every server for a list, unless the run may go on without', async () => {
    const strict = await run(['tools'])
    expect(strict.status).toBe(125)
    expect(strict.stderr).toMatch(/bridle: broken: did not connect: .*status 3.*no configuration/)
    expect(strict.stderr).toContain('error BRIDLE622')
    const lenient = await run(['tools'], ['--no-require-servers'])
    expect(lenient).toMatchObject({ status: 0, stdout: expect.stringMatching(/^working {2}echo/m) })
    expect(lenient.stderr).toContain('bridle: working: connected\n')
  })

  it('needs one server for a call', async () => {
    const { status, stdout, stderr } = await run(['call', 'working', 'echo', '{"message":"heard"}'])
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: 'Echo: heard\n' })
    expect(stderr).toContain('bridle: working: connected\nbridle: broken: not used\n')
  })
})

describe.each(backends)('what a launch $name tells of its servers', ({ options }) => {
  const launch = (body: string, more: readonly string[] = [], rest = {}) =>
    place.launch(`LOG="$CLAUDE_CONFIG_DIR/bridle-debug.log"\n${body}`, [...options, ...more], rest)

  it('is one line each, and its output is the harness’s own to the byte', async () => {
    const body = `${says(connected('notes'), connected('docs'))}\nprintf 'out\\r'; printf 'err\\n' >&2`
    const { status, stdout, stderr } = await launch(body)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'out\r' })
    expect(stderr).toMatch(/(bridle: .*\n)+err\nbridle: notes: connected\nbridle: docs: connected\n$/)
  })

  it('ends a harness that would go on without a server', async () => {
    const body = `${says(connected('docs'), failed('notes', 'no such program'))}\necho begun\n${forEver}`
    const { status, stdout, stderr } = await launch(body)
    expect({ status, stdout }).toEqual({ status: 125, stdout: 'begun\n' })
    expect(stderr).toContain('bridle: notes: did not connect: no such program\nbridle: docs: connected\n')
    expect(stderr).toMatch(/error BRIDLE622: `notes` did not connect: no such program/)
    expect(stderr).toMatch(/bridle\.json:\d+:\d+ · server notes/)
  })

  it('is an error for any server, unless the run may go on without', async () => {
    const body = `${says(connected('notes'), failed('docs'))}\nexit 0`
    const strict = await launch(body)
    expect(strict.status).toBe(125)
    expect(strict.stderr).toContain('BRIDLE622')
    const lenient = await launch(body, ['--no-require-servers'])
    expect(lenient.status).toBe(0)
    expect(lenient.stderr).toContain('bridle: docs: did not connect: it ended')
    expect(lenient.stderr).not.toContain('BRIDLE62')
  })

  it('is an error of a server that the spec requires in every case', async () => {
    const body = `${says(failed('notes'))}\nexit 0`
    expect((await launch(body, ['--no-require-servers'])).status).toBe(125)
  })

  it('is an error when there is no sign of one, unless the harness failed by itself', async () => {
    const silent = await launch(says(connected('notes')))
    expect(silent.status).toBe(125)
    expect(silent.stderr).toContain('BRIDLE623')
    expect(silent.stderr).toContain('bridle: docs: there is no sign that it connected')
    const failing = await launch(`${says(connected('notes'))}\nexit 7`)
    expect(failing.status).toBe(7)
    expect(failing.stderr).toContain('bridle: docs: not known whether it connected')
  })

  it('does not blame a server when the user ends the run', async () => {
    const harness = place.harness(
      `LOG="$CLAUDE_CONFIG_DIR/bridle-debug.log"\n` +
        `trap "${says(failed('notes')).replaceAll('"', '\\"')}; exit 0" INT\necho ready\n${forEver}`,
    )
    const child = place.start(['run', 'claude', '--harness', harness, ...options, '--', '-p', 'x'])
    const finished = finish(child)
    child.stdout?.once('data', () => child.kill('SIGINT'))
    const { status, stderr } = await finished
    expect(status).toBe(0)
    expect(stderr).not.toContain('BRIDLE62')
  })

  it('leaves no process of a harness that will not end', async () => {
    const mark = `mark-of-${options.length}-servers`
    const body = `trap '' TERM\nsh -c 'trap "" TERM; sleep 60; : ${mark}' &\n${says(failed('notes'))}\n${forEver}`
    expect((await launch(body)).status).toBe(125)
    expect(await eventually(() => processesWith(mark).length === 0)).toBe(true)
  })

  describe('is no way into the launcher', () => {
    it.each([
      ['a link out of the sandbox', `ln -s "${'$PWD'}/told" "$LOG"`],
      ['a named pipe', 'mkfifo "$LOG"'],
      ['a folder', 'mkdir "$LOG"'],
      ['a file without an end', 'truncate -s 1T "$LOG"'],
    ])('by %s', async (_, body) => {
      place.write(
        'project/told',
        `x [DEBUG] MCP server "notes": Successfully connected (transport: stdio) in 1ms\n`,
      )
      const { status, stderr } = await launch(body)
      expect(status).toBe(125)
      expect(stderr).toContain('bridle: notes: there is no sign that it connected')
    })

    it('by a word that steers the terminal', async () => {
      const { stderr } = await launch(says(failed('notes', '\u001b[2J\u001b]0;x\u0007 \u202e\rreason')))
      expect(stderr).toContain('reason')
      expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    })

    it('by a line that is not the harness’s', async () => {
      const line = `[ERROR] MCP server "docs" Server stderr: x [DEBUG] MCP server "notes": Successfully connected (transport: stdio) in 1ms`
      const { stderr } = await launch(says(connected('docs'), line, connected('other')))
      expect(stderr).toContain('bridle: notes: there is no sign')
      expect(stderr).not.toContain('other')
    })

    it('by a reason with a secret in it, or by a very long one', async () => {
      const variables = { KEY: {} }
      const notes = { command: 'sh', variables: ['KEY'], required: true }
      place.writeSpec({ variables, servers: { notes } })
      const environment = { KEY: 'canary-5f1e-of-notes' }
      const said = `it said $KEY$(printf %0999d 0)`
      const body = `LOG="$CLAUDE_CONFIG_DIR/bridle-debug.log"; KEY="$BRIDLE_V1"
        printf '%s\\n' "2026 [ERROR] MCP server \\"notes\\" Connection failed: ${said}" >> "$LOG"`
      const { status, stderr } = await launch(body, [], { environment })
      place.writeSpec({ servers: { notes: { command: 'sh', required: true }, docs: { command: 'sh' } } })
      expect(status).toBe(125)
      expect(stderr).toContain('it said [secret]000')
      expect(stderr).not.toContain('0'.repeat(400))
    })
  })
})
