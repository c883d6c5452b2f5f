import { describe, expect, it } from 'vitest'
import { refuseArguments } from '../../../targets/copilot/arguments.ts'

const possible: readonly (readonly string[])[] = [
  ['-p', 'say hello'],
  ['-psay hello'],
  ['--prompt=say hello'],
  ['--prompt=--yolo is what I ask about'],
  ['-p', '-'],
  ['-s', '-p', 'say hello', '--output-format', 'json'],
  ['--model=gpt-5.4', '-p', 'say hello', '--reasoning-effort', 'high', '--no-color'],
  ['--excluded-tools', 'task', 'sql', '-p', 'say hello'],
  ['--deny-tool=shell(git push)', '-p', 'say hello'],
  ['--no-custom-instructions', '-p', 'say hello'],
  ['--help'],
]

const undoing: readonly [effect: string, ...arguments: string[]][] = [
  ['the servers', '--additional-mcp-config', '{}'],
  ['the servers, by a plugin', '--plugin-dir=x'],
  ['the servers, by an agent', '--agent', 'reviewer'],
  ['the servers, by trust', '--trust-folder'],
  ['the servers, one of them', '--disable-mcp-server', 'docs'],
  ['the approvals', '--allow-all-tools'],
  ['the approvals, all of them', '--yolo'],
  ['the approvals, of one tool', '--allow-tool=docs'],
  ['the approvals, by a model', '--assisted-approval'],
  ['the secrets', '--secret-env-vars=X'],
  ['the log', '--log-level', 'none'],
  ['the folder', '-C', 'sub'],
  ['the folder, joined', '-Csub'],
  ['the fresh session', '--continue'],
  ['the fresh session, by its id', '--resume=1'],
  ['the way it runs', '--acp'],
  ['the machine', '--remote'],
  ['a flag with a value', '--silent=no'],
  ['flags that are written together', '-sp'],
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

  it.each([[[]], [['--output-format', 'text']]])('ask for a prompt: not %j', (args) => {
    expect(refuseArguments(args)[0]?.reason).toContain('interactive')
  })

  it.each(['login', 'mcp', 'plugin', 'update', 'hello', '-'])('do not reach a command: %s', (command) => {
    const reasons = refuseArguments(['-p', 'say hello', command]).map(({ reason }) => reason)
    expect(reasons).toEqual([expect.stringContaining(`\`${command}\` is a command`)])
  })

  it('name an option that has no value, as no value begins with a dash', () => {
    const refusal = { reason: '`-p` needs a value', help: expect.any(String) }
    expect(refuseArguments(['-p'])).toEqual([refusal])
    expect(refuseArguments(['-p', '--silent'])).toEqual([refusal])
    expect(refuseArguments(['-p', '--yolo'])).toEqual([refusal, expect.anything()])
  })

  it('are judged to the end, so that every fault is found at once', () => {
    expect(refuseArguments(['-p', 'hello', '--yolo', '--continue', 'mcp'])).toHaveLength(3)
  })
})
