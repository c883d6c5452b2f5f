import { describe, expect, it } from 'vitest'
import { refuseArguments } from '../../../targets/claude/arguments.ts'

const accepted: readonly (readonly string[])[] = [
  ['-p', 'do it'],
  ['do it', '--print'],
  ['-p', '--output-format', 'stream-json', '--verbose', 'do it'],
  ['-p', '--output-format=json', '--model=opus', '--max-turns', '3'],
  ['-p', '--input-format', 'text'],
  ['-p', '--add-dir', '/srv/docs', '/srv/more'],
  ['-p', '--disallowedTools', 'Bash', 'WebFetch'],
  ['-p', '--append-system-prompt=--settings is an option'],
  ['-p', '--', '--dangerously-skip-permissions'],
]

/** Each undoes something that the spec promises, or would be lost. */
const undoing = [
  '--mcp-config',
  '--strict-mcp-config',
  '--settings',
  '--managed-settings',
  '--setting-sources',
  '--dangerously-skip-permissions',
  '--allow-dangerously-skip-permissions',
  '--permission-mode',
  '--permission-prompts',
  '--permission-prompt-tool',
  '--allowedTools',
  '--allowed-tools',
  '--agents',
  '--agent',
  '--plugin-dir',
  '--plugin-url',
  '--safe-mode',
  '--bare',
  '--restricted',
  '--chrome',
  '--ide',
  '--resume',
  '-r',
  '--continue',
  '-c',
  '--bg',
  '--background',
  '--cloud',
  '--remote-control',
  '--debug',
  '--debug-file',
  '-d',
]

const unknown = ['--sdk-url', '--option-of-tomorrow', '-pc', '-x']

describe('the arguments of Claude Code in a launch', () => {
  it.each(accepted.map((args) => [args]))('%j are accepted', (args) => {
    expect(refuseArguments(args)).toEqual([])
  })

  it.each(undoing)('%s is refused, joined to a value too and after an option of many values', (flag) => {
    for (const args of [[flag], [`${flag}=x`], ['--add-dir', '/srv', flag], ['do it', flag, 'x']]) {
      const refusals = refuseArguments(['-p', ...args])
      expect(refusals).toHaveLength(1)
      expect(refusals[0]?.reason).toContain(flag)
      expect(refusals[0]?.reason).not.toContain('does not know')
    }
  })

  it.each(unknown)('%s is refused, since its effect is not known', (flag) => {
    expect(refuseArguments(['-p', flag])[0]?.reason).toContain('does not know')
  })

  it('an option cannot hide as the value of another', () => {
    const refusals = refuseArguments(['-p', '--model', '--dangerously-skip-permissions'])
    expect(refusals.map(({ reason }) => reason).join()).toContain('--dangerously-skip-permissions')
  })

  it('a session that takes orders on standard input is refused', () => {
    expect(refuseArguments(['-p', '--input-format', 'stream-json'])).toHaveLength(1)
    expect(refuseArguments(['-p', '--input-format=stream-json'])).toHaveLength(1)
  })

  it.each([[['do it']], [[]], [['--', '-p']]])('%j without -p are refused, with the way out', (args) => {
    expect(refuseArguments(args)[0]?.help).toContain('-p')
  })
})
