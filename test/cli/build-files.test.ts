import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Workplace } from '../fixtures/workplace.ts'
import { filesBelow } from '../support/canary.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
  mkdirSync(path.join(place.project, '.git'))
})
afterEach(() => place.remove())

/** Every file below a folder, but for the spec, with its text. */
function filesIn(folder: string): Record<string, string> {
  const files = filesBelow(folder).map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')])
  return Object.fromEntries(files.filter(([name]) => name !== 'bridle.json'))
}

function textOf(name: string): string {
  return readFileSync(path.join(place.project, name), 'utf8')
}

function writeSpec(servers: object, targets: object, more: object = {}): void {
  place.writeSpec({ servers, targets, ...more })
}

const gamma = { gamma: { command: 'npx', arguments: ['-y', 'gamma-server'] } }

/** A file as a person may have written it, and where our server stands in it. */
const handWritten: Readonly<
  Record<
    string,
    { target: string; file: string; text: string; added: readonly [before: string, after: string] }
  >
> = {
  'case 01: comments, an unknown key, another server and approvals in TOML': {
    target: 'codex',
    file: '.codex/config.toml',
    text: [
      '# keep: header comment',
      'model = "gpt-5.5"',
      '',
      '# keep: section comment',
      '[mcp_servers.alpha]',
      'command = "npx"            # keep: inline comment',
      'args = ["-y", "alpha-server"]',
      'startup_timeout_sec = 30',
      'key_from_a_newer_version = "keep"',
      '',
      '[mcp_servers.alpha.tools.dangerous_tool]',
      'approval_mode = "approve"',
      '',
      '[mcp_servers.beta]',
      'url = "https://example.com/mcp"',
      'bearer_token_env_var = "BETA_TOKEN"',
      '',
      '[mcp_servers.beta.env_http_headers]',
      'X-Tenant = "TENANT_ENV"',
      '',
      '[projects."/w/demo"]',
      'trust_level = "trusted"',
      '',
    ].join('\n'),
    added: ['X-Tenant = "TENANT_ENV"', '[mcp_servers.gamma]'],
  },
  'tabs, CR LF, another server and a key of somebody else in JSON': {
    target: 'claude',
    file: '.mcp.json',
    text: '{\r\n\t"mcpServers": {\r\n\t\t"mine": { "command": "npx", "futureKey": 1e2 }\r\n\t},\r\n\t"foreign": { "keep": 1.0 }\r\n}',
    added: ['1e2 }', '"gamma"'],
  },
  'one line of JSON without an end of line': {
    target: 'claude',
    file: '.mcp.json',
    text: '{"a":[1,2],"mcpServers":{"mine":{"command":"x"}}}',
    added: ['"mine"', '"gamma"'],
  },
  'an empty object with a blank in it': {
    target: 'claude',
    file: '.mcp.json',
    text: '{ "mcpServers": { }\n}\n',
    added: ['{', '"gamma"'],
  },
}

describe("bridle build into a person's own file", () => {
  it.each(Object.entries(handWritten))(
    'keeps every byte of it: %s',
    async (_, { target, file, text, added }) => {
      place.write(`project/${file}`, text)
      writeSpec(gamma, { [target]: {} })
      expect((await place.run(['build', '--check'])).status).toBe(3)
      expect(textOf(file)).toBe(text)
      expect(await place.run(['build'])).toMatchObject({ status: 0, stderr: '' })
      const built = textOf(file)
      const [before, after] = added
      expect(built.indexOf(after)).toBeGreaterThan(built.indexOf(before))
      expect((await place.run(['build', '--check'])).status).toBe(0)
      expect(await place.run(['build'])).toEqual({
        status: 0,
        stdout: 'nothing to do: 1 file checked\n',
        stderr: '',
      })
      expect(textOf(file)).toBe(built)
      writeSpec({ gamma: { command: 'other' } }, { [target]: {} })
      expect((await place.run(['build'])).stdout).toMatch(/: changed \S+gamma\n/)
      expect(textOf(file)).not.toContain('gamma-server')
      writeSpec({}, { [target]: {} })
      expect((await place.run(['build'])).stdout).toMatch(/: removed \S+gamma\n/)
      expect(filesIn(place.project)).toEqual({ [file]: text })
    },
  )

  it('makes what is not there, says when it is read, and leaves nothing when it is removed', async () => {
    writeSpec({ a: { command: 'a', tools: { exclude: ['x'] } } }, { claude: {}, codex: {}, builtin: {} })
    const { status, stdout } = await place.run(['build'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^\.mcp\.json: added mcpServers\.a\n {2}Claude Code reads it at its next start/)
    expect(stdout).toContain('.claude/settings.json: added permissions.deny[mcp__a__x]\n')
    expect(stdout).toContain('in a folder that you trust\n')
    expect(Object.keys(filesIn(place.project)).sort()).toEqual([
      '.bridle/builtin.json',
      '.bridle/state.json',
      '.claude/settings.json',
      '.codex/config.toml',
      '.mcp.json',
    ])
    const removed = await place.run(['build', '--remove'])
    expect(removed).toMatchObject({ status: 0, stderr: '' })
    expect(removed.stdout).toContain('.mcp.json: removed mcpServers.a\n')
    expect(filesIn(place.project)).toEqual({})
    for (const folder of ['.claude', '.codex', '.bridle']) {
      expect(existsSync(path.join(place.project, folder))).toBe(false)
    }
  })

  it('writes the same state for the same spec, without a path of this machine or a literal', async () => {
    const spec = { a: { command: 'a', environment: { LEVEL: 'literal-of-mine' } }, b: { command: 'b' } }
    writeSpec(spec, { claude: {}, codex: {} })
    await place.run(['build'])
    const first = textOf('.bridle/state.json')
    expect(first).not.toContain('literal-of-mine')
    expect(first).not.toContain(place.folder)
    await place.run(['build', '--remove'])
    writeSpec(spec, { codex: {}, claude: {} })
    await place.run(['build'])
    expect(textOf('.bridle/state.json')).toBe(first)
  })

  it('shows the difference and writes nothing with --diff', async () => {
    place.write('project/.mcp.json', '{\n  "mcpServers": {}\n}\n')
    writeSpec(gamma, { claude: {} })
    const { status, stdout } = await place.run(['build', '--diff'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^--- \.mcp\.json\n\+\+\+ \.mcp\.json\n@@/)
    expect(stdout).toContain('\n-  "mcpServers": {}\n')
    expect(stdout).toContain('+      "command": "npx"')
    expect(filesIn(place.project)).toEqual({ '.mcp.json': '{\n  "mcpServers": {}\n}\n' })
    const both = await place.run(['build', '--diff', '--check'])
    expect(both.status).toBe(3)
    expect(both.stdout).toContain('.mcp.json: would add mcpServers.gamma\n')
  })

  it('covers what looks like a secret of the user in a difference', async () => {
    place.write('project/.codex/config.toml', `# ghp_${'a'.repeat(36)}\n`)
    writeSpec(gamma, { codex: {} })
    const { stdout } = await place.run(['build', '--diff'])
    expect(stdout).toContain('ghp_')
    expect(stdout).not.toContain('ghp_a')
  })
})

describe("A secret of the user's own in a config file", () => {
  it('is covered by its name too, in the place of a conflict and in a difference', async () => {
    const env = { DB_PASSWORD: 'correct horse 7', OTHER: '${NOT_COVERED}', LEVEL: 'debug' }
    place.write('project/.mcp.json', JSON.stringify({ mcpServers: { gamma: { command: 'g', env } } }))
    writeSpec(gamma, { claude: {} })
    for (const more of [[], ['--adopt', '--diff']]) {
      const { stdout, stderr } = await place.run(['build', ...more])
      expect(stdout + stderr).toContain('DB_PASSWORD')
      expect(stdout + stderr).not.toContain('horse')
    }
    const { stdout } = await place.run(['build', '--adopt', '--diff'])
    expect(stdout).toContain('${NOT_COVERED}')
    expect(stdout).toContain('debug')
  })
})

describe('An entry of the same name that Bridle did not write', () => {
  const mine = '{\n  "mcpServers": {\n    "gamma": { "command": "mine" }\n  }\n}\n'
  beforeEach(() => {
    place.write('project/.mcp.json', mine)
    writeSpec(gamma, { claude: {}, codex: {} })
  })

  it('is refused with both places, and no target is written', async () => {
    const { status, stdout, stderr } = await place.run(['build'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^error BRIDLE404: `mcpServers\.gamma` in `\.mcp\.json` was not written by Bridle/)
    expect(stderr).toContain('.mcp.json:3:5')
    expect(stderr).toMatch(/bridle\.json:\d+:5.*\n.*"gamma"/)
    expect(filesIn(place.project)).toEqual({ '.mcp.json': mine })
  })

  it('holds back its target alone with --keep-going', async () => {
    const { status, stdout } = await place.run(['build', '--keep-going'])
    expect(status).toBe(1)
    expect(stdout).toContain('.codex/config.toml: added')
    expect(textOf('.mcp.json')).toBe(mine)
  })

  it('is shown with what would become of it by --diff, and so are the files of other targets', async () => {
    const { status, stdout, stderr } = await place.run(['build', '--diff'])
    expect(status).toBe(1)
    expect(stderr).toContain('See the difference with `--adopt --diff`')
    expect(stdout).toMatch(/^--- \/dev\/null\n\+\+\+ \.codex\/config\.toml\n/)
    expect(stdout).toContain('.mcp.json: with `--adopt`\n--- .mcp.json\n+++ .mcp.json\n')
    expect(stdout).toContain('-    "gamma": { "command": "mine" }')
    expect(filesIn(place.project)).toEqual({ '.mcp.json': mine })
  })

  it('is taken over by --adopt, which shows the difference', async () => {
    const { status, stdout } = await place.run(['build', '--adopt'])
    expect(status).toBe(0)
    expect(stdout).toContain('-    "gamma": { "command": "mine" }')
    expect(stdout).toContain('.mcp.json: changed mcpServers.gamma\n')
    expect(JSON.parse(textOf('.mcp.json')).mcpServers.gamma.args).toEqual(['-y', 'gamma-server'])
    expect((await place.run(['build', '--check'])).status).toBe(0)
  })

  it('is ours when it says what we would write, however it is written', async () => {
    const same = '{"mcpServers":{"gamma":{"args":["-y","gamma-server"],"command":"npx","type":"stdio"}}}'
    place.write('project/.mcp.json', same)
    const taken = '.mcp.json: would take over mcpServers.gamma, which is there already as the spec has it\n'
    for (const preview of ['--check', '--diff']) {
      expect(await place.run(['build', 'claude', preview])).toEqual({ status: 0, stdout: taken, stderr: '' })
    }
    expect(await place.run(['build', 'claude'])).toEqual({
      status: 0,
      stdout: taken.replace('would take', 'took'),
      stderr: '',
    })
    expect(textOf('.mcp.json')).toBe(same)
    expect((await place.run(['build', 'claude'])).stdout).toBe('nothing to do: 1 file checked\n')
    writeSpec({}, { claude: {} })
    await place.run(['build'])
    expect(JSON.parse(textOf('.mcp.json'))).toEqual({ mcpServers: {} })
  })
})

describe('A key that stands twice', () => {
  const server = '{ "type": "stdio", "command": "npx", "args": ["-y", "gamma-server"] }'

  it.each([
    {
      name: 'around an entry that says what we would write',
      text: `{ "mcpServers": { "gamma": { "command": "other" }, "gamma": ${server} } }`,
      message: /BRIDLE403: .*"gamma" stands twice/,
    },
    {
      name: 'on the way to it',
      text: `{ "mcpServers": {}, "mcpServers": { "gamma": ${server} } }`,
      message: /BRIDLE403: .*"mcpServers" stands twice/,
    },
    {
      name: 'in it',
      text: `{ "mcpServers": { "gamma": ${server.replace('{', '{ "command": "other",')} } }`,
      message: /BRIDLE404: .*gamma` in `\.mcp\.json` was not written by Bridle/,
    },
  ])('$name is refused untouched, although its last value is the wanted one', async ({ text, message }) => {
    place.write('project/.mcp.json', text)
    writeSpec(gamma, { claude: {} })
    const { status, stderr } = await place.run(['build'])
    expect(status).toBe(1)
    expect(stderr).toMatch(message)
    expect(filesIn(place.project)).toEqual({ '.mcp.json': text })
  })

  it('in an entry of ours, put there by hand, is not overwritten unasked', async () => {
    writeSpec(gamma, { claude: {} })
    await place.run(['build'])
    const twice = textOf('.mcp.json').replace('"command"', '"command": "other", "command"')
    place.write('project/.mcp.json', twice)
    expect((await place.run(['build'])).stderr).toMatch(/BRIDLE404: .*changed by hand/)
    expect(textOf('.mcp.json')).toBe(twice)
    expect(await place.run(['build', '--adopt'])).toMatchObject({ status: 0, stderr: '' })
    expect(textOf('.mcp.json')).not.toContain('other')
  })
})

describe('An entry of ours that was changed by hand', () => {
  beforeEach(async () => {
    writeSpec(gamma, { claude: {} })
    await place.run(['build'])
    place.write('project/.mcp.json', textOf('.mcp.json').replace('"-y"', '"--yes"'))
  })

  it.each([
    { name: 'is not overwritten', servers: { gamma: { command: 'new' } } },
    { name: 'is not taken out with its server', servers: {} },
  ])('$name unasked', async ({ servers }) => {
    const before = textOf('.mcp.json')
    writeSpec(servers, { claude: {} })
    const { status, stderr } = await place.run(['build'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/BRIDLE404: .*was changed by hand after Bridle had written it/)
    expect(textOf('.mcp.json')).toBe(before)
    expect(await place.run(['build', '--adopt'])).toMatchObject({ status: 0, stderr: '' })
    const left = existsSync(path.join(place.project, '.mcp.json'))
      ? JSON.parse(textOf('.mcp.json')).mcpServers
      : {}
    expect(Object.keys(left)).toEqual(Object.keys(servers))
  })

  it.each([
    { name: 'alone', targets: { claude: {} }, file: undefined, status: 3 },
    {
      name: 'beside a file that cannot be edited',
      targets: { claude: {}, codex: {} },
      file: 'no = ',
      status: 1,
    },
  ])('is drift to --check: $name, it ends with $status', async ({ targets, file, status }) => {
    writeSpec(gamma, targets)
    if (file !== undefined) place.write('project/.codex/config.toml', file)
    const result = await place.run(['build', '--check'])
    expect(result.stderr).toContain('BRIDLE404')
    expect(result.status).toBe(status)
  })

  it('is left by --remove, which does not speak of the spec', async () => {
    const { status, stderr } = await place.run(['build', '--remove'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/after Bridle had written it, so it is not taken out unasked/)
    expect(stderr).not.toMatch(/the spec/)
    expect(stderr).toContain('`--remove --adopt`')
    expect((await place.run(['build', '--remove', '--check'])).status).toBe(1)
    expect(await place.run(['build', '--remove', '--adopt'])).toMatchObject({ status: 0, stderr: '' })
    expect(filesIn(place.project)).toEqual({})
  })

  it('is added again when it was taken out by hand', async () => {
    place.write('project/.mcp.json', '{"mcpServers":{"mine":{"command":"x"}}}')
    expect((await place.run(['build'])).stdout).toContain('added mcpServers.gamma\n')
    expect(Object.keys(JSON.parse(textOf('.mcp.json')).mcpServers)).toEqual(['mine', 'gamma'])
  })
})

describe('A rule that the user wrote before', () => {
  it('stays when ours of the same words goes', async () => {
    const text = '{ "permissions": { "deny": ["mcp__a__x", "Bash"] } }\n'
    place.write('project/.claude/settings.json', text)
    writeSpec({ a: { command: 'a', tools: { exclude: ['x', 'y'] } } }, { claude: {} })
    await place.run(['build'])
    expect(JSON.parse(textOf('.claude/settings.json')).permissions.deny).toEqual([
      ...['mcp__a__x', 'Bash', 'mcp__a__y'],
    ])
    writeSpec({}, { claude: {} })
    await place.run(['build'])
    expect(textOf('.claude/settings.json')).toBe(text)
  })
})

describe('A file that its reader would not take', () => {
  const jsonc =
    '{\n  // keep: note\n  "mcpServers": {\n    "mine": { "command": "npx" }, // keep: inline\n  },\n}\n'

  it('case 07: is refused untouched with the place and the line, and the others go on when they are told to', async () => {
    place.write('project/.mcp.json', jsonc)
    writeSpec(gamma, { claude: {}, codex: {} })
    const refused = await place.run(['build'])
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^error BRIDLE403: `\.mcp\.json` is left as it is: /)
    expect(refused.stderr).toMatch(/\.mcp\.json:2:3.*\n +2 │ {3}\/\/ keep: note/)
    expect(filesIn(place.project)).toEqual({ '.mcp.json': jsonc })
    expect(refused.stderr).toContain('with `--keep-going`')
    const shown = await place.run(['build', '--diff'])
    expect(shown).toMatchObject({ status: 1, stdout: expect.stringContaining('+++ .codex/config.toml') })
    const kept = await place.run(['build', '--keep-going'])
    expect(kept).toMatchObject({ status: 1, stdout: expect.stringMatching(/^\.codex\/config\.toml: added/) })
    expect(kept.stderr).not.toContain('--keep-going')
    expect(textOf('.mcp.json')).toBe(jsonc)
  })

  it.each([
    {
      name: 'half a table',
      file: '.codex/config.toml',
      text: 'a = 1\n[mcp_servers.',
      target: 'codex',
      at: '2:',
    },
    {
      name: 'an empty table that is a number',
      file: '.mcp.json',
      text: '{"mcpServers": 7}',
      target: 'claude',
      at: '1:16',
    },
    {
      name: 'bytes that are no UTF-8',
      file: '.mcp.json',
      text: Buffer.from([0x7b, 0x0a, 0xff, 0x7d]),
      target: 'claude',
      at: '2:1',
    },
    {
      name: 'UTF-16',
      file: '.mcp.json',
      text: Buffer.from('\uFEFF{}', 'utf16le'),
      target: 'claude',
      at: '1:1',
    },
  ])('is refused untouched: $name', async ({ file, text, target, at }) => {
    const full = place.write(`project/${file}`, '')
    writeFileSync(full, text)
    writeSpec(gamma, { [target]: {} })
    const { status, stderr } = await place.run(['build'])
    expect(status).toBe(1)
    expect(stderr).toContain('BRIDLE403')
    expect(stderr).toContain(`${file}:${at}`)
    expect(readFileSync(full)).toEqual(Buffer.from(text))
    expect(existsSync(path.join(place.project, '.bridle'))).toBe(false)
  })

  it('is no concern of a build that has nothing to write there', async () => {
    place.write('project/.claude/settings.json', '{ // mine\n}')
    writeSpec(gamma, { claude: {} })
    expect(await place.run(['build'])).toMatchObject({ status: 0, stderr: '' })
    expect(textOf('.claude/settings.json')).toBe('{ // mine\n}')
  })
})

describe('case 08: two start-up timeouts', () => {
  const servers = {
    slow: { command: 'sh', startupTimeoutMs: 100_000 },
    fast: { command: 'npx', startupTimeoutMs: 5000 },
  }

  it('land in the file of Codex, each with its server, and are refused for Claude Code with the place', async () => {
    writeSpec(servers, { codex: {}, claude: {} })
    const { status, stdout, stderr } = await place.run(['build', '--keep-going'])
    expect(status).toBe(1)
    expect(stdout).toMatch(/^\.codex\/config\.toml: added mcp_servers\.slow, mcp_servers\.fast\n/)
    expect(textOf('.codex/config.toml')).toMatch(
      /startup_timeout_sec = 100\n[\s\S]*startup_timeout_sec = 5\n/,
    )
    expect(stderr).toMatch(/BRIDLE307: .*\n.*bridle\.json:\d+:\d+ · server (slow|fast) · target claude/)
    expect(existsSync(path.join(place.project, '.mcp.json'))).toBe(false)
  })
})

describe('The chosen targets', () => {
  it('that were named are the only ones that change', async () => {
    writeSpec(gamma, { claude: {}, codex: {} })
    await place.run(['build', 'codex'])
    expect(existsSync(path.join(place.project, '.mcp.json'))).toBe(false)
    await place.run(['build', 'claude'])
    expect(Object.keys(filesIn(place.project)).sort()).toEqual([
      '.bridle/state.json',
      '.codex/config.toml',
      '.mcp.json',
    ])
  })

  it('lose their entries when the spec chooses them no longer, and not when others are named', async () => {
    writeSpec(gamma, { claude: {}, codex: {} })
    await place.run(['build'])
    writeSpec(gamma, { claude: {} })
    expect((await place.run(['build', 'claude'])).stdout).toMatch(/^nothing to do/)
    expect((await place.run(['build'])).stdout).toMatch(
      /^\.codex\/config\.toml: removed mcp_servers\.gamma\n/,
    )
    expect(existsSync(path.join(place.project, '.codex'))).toBe(false)
  })
})

describe('A file that several of the chosen targets read', () => {
  const servers = { a: { command: 'a', arguments: ['$HOME'], tools: { exclude: ['x'] } } }
  const entry = () => JSON.parse(textOf('.mcp.json')).mcpServers.a

  it('has one entry for all, and stays while one of them is left', async () => {
    writeSpec(servers, { claude: {}, copilot: {} })
    const { status, stdout } = await place.run(['build'])
    expect(status).toBe(0)
    expect(stdout.match(/reads it at its next start/g)).toHaveLength(3)
    expect(entry()).toMatchObject({ args: ['${BRIDLE_U:-$}HOME'], excludeTools: ['x'] })
    expect((await place.run(['build', 'claude'])).stdout).toMatch(/^nothing to do/)
    expect((await place.run(['build', '--remove', 'copilot'])).status).toBe(0)
    expect(entry()).toMatchObject({ excludeTools: ['x'] })
    writeSpec(servers, { claude: {} })
    await place.run(['build'])
    expect(entry()).toEqual({ type: 'stdio', command: 'a', args: ['$HOME'] })
    await place.run(['build', '--remove'])
    expect(filesIn(place.project)).toEqual({})
  })

  it('is refused when a server is left out for one of them', async () => {
    writeSpec({ ...servers, b: { command: 'b' } }, { claude: {}, copilot: { servers: { exclude: ['b'] } } })
    const { status, stdout, stderr } = await place.run(['build'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/BRIDLE407: `b` is left out for Copilot CLI, which reads it all the same/)
    expect(filesIn(place.project)).toEqual({})
  })

  it('is named with those who were not chosen and would lose something', async () => {
    writeSpec(servers, { claude: {} })
    const { status, stderr } = await place.run(['build'])
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /warning BRIDLE408: Copilot CLI reads `\.mcp\.json` too, and would lose the restrictions of `a`/,
    )
    expect(stderr).toMatch(/warning BRIDLE408: Kimi Code reads/)
  })

  it('is named with those who find it from a folder below, where they read it alone', async () => {
    const told = async (...targets: string[]) => {
      writeSpec(servers, Object.fromEntries(targets.map((target) => [target, {}])))
      const { stderr } = await place.run(['build'])
      await place.run(['build', '--remove'])
      return stderr.match(/BRIDLE408: .* in a folder below .*/g) ?? []
    }
    const lost = 'and would lose the restrictions of `a`.'
    const ofClaude = `BRIDLE408: Claude Code in a folder below reads \`.mcp.json\` and not \`.claude/settings.json\`, ${lost}`
    const ofKimi = `BRIDLE408: Kimi Code in a folder below reads \`.mcp.json\` and not \`.kimi-code/mcp.json\`, ${lost}`
    expect(await told('claude')).toEqual([ofClaude])
    expect(await told('claude', 'copilot')).toEqual([ofClaude])
    expect(await told('claude', 'kimi')).toEqual([ofClaude, ofKimi])
    expect(await told('copilot', 'kimi')).toEqual([ofKimi])
    for (const target of ['kimi', 'copilot', 'codex']) expect(await told(target)).toEqual([])
  })

  it('is named with those whose own files go while it stays for others', async () => {
    const told = async (before: readonly string[], args: readonly string[], after = before) => {
      const chosen = (targets: readonly string[]) =>
        writeSpec(servers, Object.fromEntries(targets.map((target) => [target, {}])))
      chosen(before)
      await place.run(['build'])
      chosen(after)
      const { stderr } = await place.run(['build', ...args])
      await place.run(['build', '--remove'])
      return stderr.match(/BRIDLE408: .* which stays for .*/g) ?? []
    }
    const warning = (title: string, owner: string, file: string) => [
      `BRIDLE408: ${title} reads \`.mcp.json\` too, which stays for ${owner}, and would lose what \`${file}\` said.`,
    ]
    const ofClaude = warning('Claude Code', 'Copilot CLI', '.claude/settings.json')
    expect(await told(['claude', 'copilot'], ['--remove', 'claude'])).toEqual(ofClaude)
    expect(await told(['claude', 'copilot'], [], ['copilot'])).toEqual(ofClaude)
    expect(await told(['claude', 'copilot'], ['--check'], ['copilot'])).toEqual(ofClaude)
    const ofKimi = warning('Kimi Code', 'Claude Code', '.kimi-code/mcp.json')
    expect(await told(['claude', 'kimi'], ['--remove', 'kimi'])).toEqual(ofKimi)
    expect(await told(['claude', 'kimi'], [], ['claude'])).toEqual(ofKimi)
    for (const args of [['--remove'], ['--remove', 'copilot']]) {
      expect(await told(['claude', 'copilot', 'kimi'], args)).toEqual([])
    }
  })

  it('is named when something of it is written, with a few of the servers, and not on every build', async () => {
    const restricted = { command: 'a', tools: { exclude: ['x'] } }
    writeSpec({ a: restricted, b: restricted, c: restricted, d: restricted, e: restricted }, { claude: {} })
    const losses = async (...more: string[]) => {
      const { stderr } = await place.run(['build', ...more])
      return stderr.match(/BRIDLE408: Copilot CLI.*/g) ?? []
    }
    const line =
      'BRIDLE408: Copilot CLI reads `.mcp.json` too, and would lose the restrictions of `a`, `b`, `c`, 2 more.'
    expect(await losses('--check')).toEqual([line])
    expect(await losses()).toEqual([line])
    for (const more of [[], ['--check'], ['--diff']]) expect(await losses(...more)).toEqual([])
    writeSpec({ a: { command: 'a', tools: { exclude: ['x', 'y'] } } }, { claude: {} })
    expect(await losses('--check')).toHaveLength(1)
    await place.run(['build'])
    writeSpec({ a: { command: 'a', tools: { exclude: ['x'] } } }, { claude: {} })
    expect(await losses(), 'what goes is no loss').toEqual([])
  })
})

describe('bridle build --remove', () => {
  beforeEach(async () => {
    writeSpec(gamma, { claude: {}, codex: {} })
    await place.run(['build'])
  })

  it.each([
    { name: 'is gone', spoil: () => rmSync(path.join(place.project, 'bridle.json')) },
    { name: 'is broken', spoil: () => place.write('project/bridle.json', '{ "version": ') },
  ])('works when the spec $name, from a folder below too', async ({ spoil }) => {
    spoil()
    const workingDirectory = place.makeFolder('project/src/deep')
    const { status, stdout, stderr } = await place.run(['build', '--remove'], { workingDirectory })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('../../.mcp.json: removed mcpServers.gamma')
    expect(filesIn(place.project)).toEqual({})
  })

  it('works outside of a repository when the spec is gone', async () => {
    rmSync(path.join(place.project, '.git'), { recursive: true })
    rmSync(path.join(place.project, 'bridle.json'))
    const workingDirectory = place.makeFolder('project/src')
    expect(await place.run(['build', '--remove'], { workingDirectory })).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(filesIn(place.project)).toEqual({})
  })

  it('takes out the entries of the named target alone', async () => {
    expect(await place.run(['build', '--remove', 'codex'])).toMatchObject({ status: 0, stderr: '' })
    expect(Object.keys(filesIn(place.project)).sort()).toEqual(['.bridle/state.json', '.mcp.json'])
  })

  it('shows what it would do, and says when there is nothing', async () => {
    expect((await place.run(['build', '--remove', '--check'])).status).toBe(3)
    expect((await place.run(['build', '--remove', '--diff'])).stdout).toContain('+++ /dev/null')
    await place.run(['build', '--remove'])
    expect(await place.run(['build', '--remove'])).toEqual({
      status: 0,
      stdout: 'nothing to do: no entry of Bridle is recorded\n',
      stderr: '',
    })
  })
})

describe('The state', () => {
  beforeEach(async () => {
    place.write('project/.mcp.json', '{ "mcpServers": { "mine": { "command": "x" } } }\n')
    writeSpec({ ...gamma, old: { command: 'old' } }, { claude: {} })
    await place.run(['build'])
    writeSpec({ gamma: { command: 'new' } }, { claude: {} })
  })

  it.each([
    {
      name: 'is gone',
      spoil: () => rmSync(path.join(place.project, '.bridle'), { recursive: true }),
      warns: false,
    },
    {
      name: 'is torn',
      spoil: () => place.write('project/.bridle/state.json', '{"version":1,"fi'),
      warns: true,
    },
    {
      name: 'speaks of files elsewhere',
      spoil: () =>
        place.write(
          'project/.bridle/state.json',
          JSON.stringify({ version: 1, files: { '../home/.codex/config.toml': { targets: ['codex'] } } }),
        ),
      warns: true,
    },
  ])('may be lost without a loss: it $name', async ({ spoil, warns }) => {
    spoil()
    const before = textOf('.mcp.json')
    const { status, stderr } = await place.run(['build'])
    expect(status).toBe(1)
    expect(stderr.includes('BRIDLE411')).toBe(warns)
    expect(stderr).toMatch(/BRIDLE404: `mcpServers\.gamma` in `\.mcp\.json` was not written by Bridle/)
    expect(textOf('.mcp.json')).toBe(before)
    writeSpec(gamma, { claude: {} })
    expect((await place.run(['build'])).status).toBe(0)
    expect(textOf('.mcp.json')).toBe(before)
  })
})

describe('bridle build --user', () => {
  it("writes the user's files, where the variables of the harness say, and keeps its record with the user", async () => {
    place.writeSpec({ servers: gamma, targets: { codex: {} } }, 'home/.config/bridle/bridle.json')
    const environment = { CODEX_HOME: path.join(place.folder, 'codex') }
    const { status, stdout, stderr } = await place.run(['build', '--user'], { environment })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(
      `${place.folder}/codex/config.toml: added mcp_servers.gamma\n  Codex reads it at its next start\n`,
    )
    expect(Object.keys(filesIn(place.home)).sort()).toEqual([
      '.config/bridle/bridle.json',
      '.local/state/bridle/state.json',
    ])
    expect(filesIn(place.project)).toEqual({})
    await place.run(['build', '--user'])
    expect(Object.keys(filesIn(place.home))).toContain('.codex/config.toml')
    expect(existsSync(path.join(place.folder, 'codex/config.toml'))).toBe(true)
    await place.run(['build', '--user', '--remove'])
    expect(Object.keys(filesIn(place.home))).toEqual(['.config/bridle/bridle.json'])
    expect(existsSync(path.join(place.folder, 'codex/config.toml'))).toBe(false)
  })

  it('takes XDG_STATE_HOME', async () => {
    place.writeSpec({ servers: gamma, targets: { codex: {} } }, 'home/.config/bridle/bridle.json')
    const environment = { XDG_STATE_HOME: path.join(place.folder, 'state') }
    await place.run(['build', '--user'], { environment })
    expect(existsSync(path.join(place.folder, 'state/bridle/state.json'))).toBe(true)
  })

  it('is the way for a spec in the home folder, which is no project', async () => {
    place.writeSpec({ servers: gamma, targets: { codex: {} } }, 'home/bridle.json')
    const { status, stderr } = await place.run(['build'], { workingDirectory: place.home })
    expect(status).toBe(1)
    expect(stderr).toMatch(/BRIDLE405: Your home folder is no project/)
    expect(filesIn(place.home)).toEqual({})
  })
})

describe('Two specs in one project', () => {
  const inPackage = () => ({ workingDirectory: path.join(place.project, 'pkg/a') })
  beforeEach(async () => {
    writeSpec(gamma, { claude: {} })
    place.writeSpec(
      { servers: { other: { command: 'other' } }, targets: { claude: {} } },
      'project/pkg/a/bridle.json',
    )
    await place.run(['build'])
  })

  it('do not take out the servers of each other: the second is refused, with both names', async () => {
    const before = filesIn(place.project)
    for (const args of [['build'], ['build', '--keep-going'], ['build', '--check']]) {
      const { status, stdout, stderr } = await place.run(args, inPackage())
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^error BRIDLE413: .* `\.\.\/\.\.\/bridle\.json`, .* to `bridle\.json`\.\n/)
    }
    expect(filesIn(place.project)).toEqual(before)
    expect((await place.run(['build', '--config', '../../bridle.json'], inPackage())).status).toBe(0)
  })

  it('take turns when the first has let go of its entries, or is gone', async () => {
    expect((await place.run(['build', '--remove'], inPackage())).status).toBe(0)
    expect((await place.run(['build'], inPackage())).status).toBe(0)
    rmSync(path.join(place.project, 'pkg/a/bridle.json'))
    const { status, stdout } = await place.run(['build'])
    expect(status).toBe(0)
    expect(stdout).toContain('added mcpServers.gamma; removed mcpServers.other\n')
    expect(JSON.parse(textOf('.bridle/state.json')).spec).toBe('bridle.json')
  })

  it('are told apart from now on where the record of an older Bridle names none', async () => {
    const { spec: _spec, ...old } = JSON.parse(textOf('.bridle/state.json'))
    place.write('project/.bridle/state.json', JSON.stringify(old))
    expect((await place.run(['build'])).stdout).toBe('nothing to do: 1 file checked\n')
    expect((await place.run(['build'], inPackage())).stderr).toContain('BRIDLE413')
  })
})
