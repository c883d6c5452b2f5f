import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Workplace } from '../fixtures/workplace.ts'

const schema = z.fromJSONSchema(JSON.parse(readFileSync('schemas/diagnostics.schema.json', 'utf8')))

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

/** Codex takes a variable under its own name only, unless it is launched by Bridle; Claude Code has no such rule. */
const renamed = { a: { command: 'a', variables: { KEY: 'TOKEN' } } }
/** No way for Codex to ask, when nobody is there. */
const confirmed = { a: { command: 'a', requiresConfirmation: true } }

describe('bridle check', () => {
  it('says what it judged', async () => {
    place.writeSpec({ servers: { a: { command: 'a' } }, targets: { claude: {}, codex: {} } })
    expect(await place.run(['check'])).toEqual({
      status: 0,
      stdout: 'bridle.json: 1 server, fine for Claude Code, Codex CLI\n',
      stderr: '',
    })
    expect((await place.run(['check', 'builtin'])).stdout).toBe(
      "bridle.json: 1 server, fine for Bridle's built-in harness\n",
    )
  })

  it('judges the language alone when no target is chosen', async () => {
    place.writeSpec({ targets: {} })
    const { status, stdout } = await place.run(['check'])
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'bridle.json: 0 servers, no target is chosen, so the language alone was checked\n',
    })
  })

  it('finds all that is wrong in one pass, for all targets', async () => {
    place.writeSpec({
      servers: { a: { comand: 'a' }, b: { command: 'b', variables: ['TOKN'] } },
      variables: { TOKEN: {} },
    })
    const { status, stdout } = await place.run(['check', 'claude', 'codxe'])
    expect(status).toBe(1)
    for (const code of ['202', '204', '209', '210', '213']) expect(stdout).toContain(`BRIDLE${code}`)
    expect(stdout).toMatch(/\d errors(, 1 warning)?\n$/)
  })

  it('tells what only one of the two uses can do in a note, and is strict about the one that is named', async () => {
    place.writeSpec({ variables: { TOKEN: {} }, servers: renamed, targets: { codex: {} } })
    const both = await place.run(['check'])
    expect(both.status).toBe(0)
    expect(both.stdout).toMatch(/^note BRIDLE302: Only with `bridle run`: .*\n.*bridle\.json:7:16/)
    expect((await place.run(['check', '--for', 'run'])).stdout).not.toContain('BRIDLE30')
    const build = await place.run(['check', '--for', 'build'])
    expect(build).toMatchObject({ status: 1, stdout: expect.stringMatching(/^error BRIDLE301/) })

    place.writeSpec({ servers: confirmed, targets: { codex: {} } })
    expect(await place.run(['check'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^note BRIDLE309: Only in files/),
    })
    expect((await place.run(['check', '--for', 'build'])).status).toBe(0)
    expect((await place.run(['check', '--for', 'run'])).status).toBe(1)
  })

  const shared = { a: { command: 'a' }, crm: { command: 'crm' } }
  const disagreeing = { claude: {}, kimi: { servers: { exclude: ['crm'] } } }

  it('finds what a build of a project would refuse, and that a launch is fine', async () => {
    place.writeSpec({ servers: shared, targets: disagreeing })
    const both = await place.run(['check'])
    expect(both.status).toBe(0)
    expect(both.stdout).toMatch(
      /^note BRIDLE407: Only with `bridle run kimi`: `crm` is left out for Kimi Code, which reads it all the same: Claude Code needs it in `\.mcp\.json`/,
    )
    expect(both.stdout).toMatch(/fine for Claude Code, Kimi Code \(with `bridle run` only\)\n$/)
    expect((await place.run(['check', '--for', 'run'])).stdout).toMatch(/^bridle\.json: .* Kimi Code\n$/)
    const build = await place.run(['check', '--for', 'build'])
    expect(build).toMatchObject({ status: 1, stdout: expect.stringMatching(/^error BRIDLE407: `crm`/) })
    const refused = await place.run(['build'])
    expect(refused.stderr).toBe(build.stdout)
  })

  it('judges no shared file of targets that were not chosen, or of the user', async () => {
    place.writeSpec({ servers: shared, targets: { copilot: disagreeing.kimi } })
    expect((await place.run(['check', '--for', 'build'])).stdout).not.toContain('BRIDLE4')
    place.writeSpec({ servers: shared, targets: disagreeing }, 'home/.config/bridle/bridle.json')
    expect((await place.run(['check', '--user', '--for', 'build'])).stdout).not.toContain('BRIDLE4')
  })

  it('is an error where the harness that disagrees cannot be launched either', async () => {
    const a = { url: 'https://mcp.example.com/mcp', oauth: 'login' }
    const targets = { claude: {}, copilot: { servers: { exclude: ['crm'] } } }
    place.writeSpec({ servers: { ...shared, a }, targets })
    const { status, stdout } = await place.run(['check'])
    expect(status).toBe(1)
    expect(stdout).toMatch(/^error BRIDLE407: `crm` is left out for Copilot CLI/m)
    expect(stdout).toContain('BRIDLE309')
  })

  it('tells what another harness would lose, as a build does', async () => {
    place.writeSpec({ servers: { a: { command: 'a', tools: { exclude: ['x'] } } }, targets: { claude: {} } })
    expect((await place.run(['check', '--for', 'build'])).stdout).toMatch(
      /warning BRIDLE408: Copilot CLI reads `\.mcp\.json` too/,
    )
    const { status, stdout } = await place.run(['check'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^note BRIDLE408: In the files of a project: Copilot CLI reads/m)
    expect(stdout).toMatch(/fine for Claude Code\n$/)
  })

  it('says of each target in which use it is fine', async () => {
    place.writeSpec({
      variables: { TOKEN: {} },
      servers: renamed,
      targets: { claude: {}, codex: {} },
    })
    expect((await place.run(['check'])).stdout).toMatch(
      /fine for Claude Code, Codex CLI \(with `bridle run` only\)\n$/,
    )
    place.writeSpec({ servers: confirmed, targets: { codex: {} } })
    expect((await place.run(['check'])).stdout).toMatch(
      /fine for Codex CLI \(in files of `bridle build` only\)\n$/,
    )
  })

  it.each([
    { name: 'fine', servers: { a: { command: 'a' } }, status: 0, codes: [] },
    { name: 'wrong', servers: { a: { comand: 'a' } }, status: 1, codes: ['BRIDLE204', 'BRIDLE202'] },
    { name: 'noted', servers: confirmed, status: 0, codes: ['BRIDLE309'] },
  ])(
    'prints JSON that its schema describes, for a spec that is $name',
    async ({ servers, status, codes }) => {
      place.writeSpec({ servers, targets: { codex: {} } })
      const result = await place.run(['check', '--format', 'json'])
      expect({ status: result.status, stderr: result.stderr }).toEqual({ status, stderr: '' })
      const document = JSON.parse(result.stdout)
      expect(schema.safeParse(document).error).toBeUndefined()
      expect(document.diagnostics.map(({ code }: { code: string }) => code)).toEqual(codes)
    },
  )

  it.each([
    { name: 'no spec', args: [], stdout: /BRIDLE101: No spec was found in .*\n.*`bridle init`/ },
    { name: 'a spec that is a folder', args: ['--config', '.'], stdout: /BRIDLE103/ },
    { name: 'no spec of the user', args: ['--user'], stdout: /BRIDLE101: .*home\/\.config\/bridle/ },
  ])('ends with 1 for $name', async ({ args, stdout }) => {
    const result = await place.run(['check', ...args])
    expect(result.status).toBe(1)
    expect(result.stdout).toMatch(stdout)
  })

  it('finds the spec from a folder below, and that of the user', async () => {
    place.writeSpec()
    const sub = place.makeFolder('project/a/b')
    expect((await place.run(['check'], { workingDirectory: sub })).stdout).toMatch(
      /^\.\.\/\.\.\/bridle\.json: 0 servers/,
    )
    place.write('configuration/bridle/bridle.yaml', 'version: 1\nservers: {}\n')
    const environment = { XDG_CONFIG_HOME: `${place.folder}/configuration` }
    expect((await place.run(['check', '--user'], { environment })).status).toBe(0)
  })
})
