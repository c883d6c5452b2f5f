import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { harmless, refuseArguments } from '../../targets/claude/arguments.ts'
import { claude } from '../../targets/claude/target.ts'
import { launchClaude, writeFiles } from './support/claude.ts'
import { call, refusals, texts, useDumpServers } from './support/dump-tools.ts'

const { dumper } = useDumpServers()

/** A value that the option takes, where any text will not do. */
const values: Readonly<Record<string, string>> = {
  '--output-format': 'stream-json',
  '--input-format': 'text',
  '--effort': 'low',
  '--max-turns': '20',
  '--max-budget-usd': '5',
  '--max-thinking-tokens': '1000',
  '--autocompact': 'auto',
  '--json-schema': '{"type":"object"}',
  '--system-prompt-file': '/etc/hostname',
  '--append-system-prompt-file': '/etc/hostname',
  '--session-id': '11111111-1111-4111-8111-111111111111',
  '--add-dir': '/etc',
  '--tools': 'Bash',
  '--disallowedTools': 'WebFetch',
  '--disallowed-tools': 'WebFetch',
}

/** The program takes only one of these two at a time. */
const rivals = ['--system-prompt', '--append-system-prompt']

const all = Object.entries(harmless).map(([name, count]) =>
  count === 'none' ? name : name.startsWith('--') ? `${name}=${values[name] ?? 'x'}` : [name, 'x'],
)

describe('the arguments of Claude Code that are taken after --', () => {
  it.each(rivals)('are all known to it, and include still holds (without %s)', async (rival) => {
    const args = all.flat().filter((arg) => !arg.startsWith(`${rival}=`))
    expect(refuseArguments(['-p', ...args])).toEqual([])
    const servers = { dump: dumper({ tools: { include: ['echo'] } }) }
    const run = await launchClaude(
      { servers },
      [call('dump__echo', { text: 'heard' }), call('dump__extra')],
      { args },
    )
    expect(refusals(run), run.stderr).toEqual([false, true])
    expect(texts(run)[0]).toBe('heard')
  })
})

describe('the arguments of Claude Code that are refused', () => {
  it.each([
    ['--allowedTools=mcp__dump'],
    ['--settings={"permissions":{"allow":["mcp__dump"]}}'],
    ['--permission-mode=bypassPermissions'],
  ])('would let a tool run that the spec leaves out: %s', async (arg) => {
    expect(refuseArguments(['-p', arg])).toHaveLength(1)
    const servers = { dump: dumper({ tools: { include: ['echo'] } }) }
    // The program refuses root the mode without questions unless it is told that it is in a sandbox.
    const options = { args: [arg], environment: { IS_SANDBOX: '1' } }
    expect(refusals(await launchClaude({ servers }, [call('dump__extra')], options))).toEqual([false])
  })
})

it('A plugin that a variable names has its hooks run, so a launch does not take the variable', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bridle-plugin-'))
  try {
    const start = { type: 'command', command: `touch ${folder}/ran` }
    writeFiles(folder, {
      '.claude-plugin/plugin.json': JSON.stringify({ name: 'plug', version: '1.0.0' }),
      'hooks/hooks.json': JSON.stringify({ hooks: { SessionStart: [{ hooks: [start] }] } }),
    })
    const environment = { CLAUDE_CODE_PLUGIN_DIRS: folder }
    await launchClaude({ servers: {} }, [], { environment })
    expect(existsSync(path.join(folder, 'ran'))).toBe(true)
    expect(claude.launch.undoingNames).toEqual(Object.keys(environment))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
