import { describe, expect, it } from 'vitest'
import { refuseArguments } from '../../../targets/kimi/arguments.ts'

const possible: readonly (readonly string[])[] = [
  ['-p', 'say hello'],
  ['-psay hello'],
  ['--prompt', 'say hello'],
  ['--prompt=say hello'],
  ['-p', '--yolo is what I ask about'],
  ['-p', '--yolo'],
  ['-p', '--'],
  ['--output-format', 'stream-json', '-p', 'say hello'],
  ['--output-format=text', '-p', 'say hello'],
  ['--add-dir', 'docs', '--add-dir=more', '--skills-dir', 'skills', '-p', 'say hello'],
  ['--agent', 'reviewer', '-p', 'say hello'],
  ['--agent-file=reviewer.md', '-p', 'say hello'],
  ['--help'],
  ['-h'],
]

const undoing: readonly [effect: string, ...arguments: string[]][] = [
  ['the fresh session', '--continue'],
  ['the fresh session, short', '-c'],
  ['the fresh session, hidden', '-C'],
  ['the fresh session, by its id', '--session', 'session_1'],
  ['the fresh session, by its id and short', '-S'],
  ['the fresh session, joined', '-Ssession_1'],
  ['the fresh session, resumed', '-r', 'session_1'],
  ['the fresh session, resumed and long', '--resume=session_1'],
  ['the approvals', '--yolo'],
  ['the approvals, short', '-y'],
  ['the approvals, hidden', '--yes'],
  ['the approvals, hidden too', '--auto-approve'],
  ['the approvals, all of them', '--auto'],
  ['the model', '-m', 'other'],
  ['the model, joined', '-mother'],
  ['the model, long', '--model=other'],
  ['the mode', '--plan'],
  ['what an older version had', '--mcp-config-file', 'other.json'],
  ['what a newer version adds', '--some-new-option'],
]

describe('the arguments after `--`', () => {
  it.each(possible)('may be %s %s', (...args) => {
    expect(refuseArguments(args)).toEqual([])
  })

  it.each(undoing)('may not undo %s', (_, ...args) => {
    const name = args[0]?.replace(/^(-[A-Za-z]).*$/, '$1').split('=')[0]
    expect(refuseArguments(['-p', 'say hello', ...args])[0]?.reason).toContain(`\`${name}\``)
    expect(refuseArguments([...args, '-p', 'say hello'])[0]?.reason).toContain(`\`${name}\``)
  })

  it.each([[[]], [['--output-format', 'text']], [['--add-dir', '-p']]])(
    'ask for a prompt: not %j',
    (args) => {
      expect(
        refuseArguments(args)
          .map(({ reason }) => reason)
          .join(),
      ).toContain('interactive')
    },
  )

  it.each(['acp', 'web', 'login', 'migrate', 'upgrade', 'provider', '__plugin_run_node', 'hello', '--'])(
    'do not reach a command: %s',
    (command) => {
      const reasons = refuseArguments(['-p', 'say hello', command]).map(({ reason }) => reason)
      expect(reasons).toEqual([expect.stringContaining(`\`${command}\` is a command`)])
    },
  )

  it('name an option that has no value', () => {
    expect(refuseArguments(['-p'])).toEqual([{ reason: '`-p` needs a value', help: expect.any(String) }])
  })

  it('are judged to the end, so that every fault is found at once', () => {
    expect(refuseArguments(['-p', 'hello', '--yolo', '--continue', 'web'])).toHaveLength(3)
  })
})
