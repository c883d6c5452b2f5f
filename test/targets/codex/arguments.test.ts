import { describe, expect, test } from 'vitest'
import { refuseArguments } from '../../../targets/codex/arguments.ts'

const possible: readonly (readonly string[])[] = [
  ['exec', 'say hello'],
  ['e', 'say hello'],
  ['exec', '-'],
  ['exec', '--json', '--skip-git-repo-check', '--strict-config', 'say hello'],
  ['exec', '-m', 'gpt-6', '--model=gpt-6', '-mgpt-6', 'say hello'],
  ['exec', '-c', 'model_reasoning_effort="high"', '--config=model=x', '-cmodel_verbosity=low', 'say hello'],
  ['exec', '-C', 'sub', '--cd=sub', '--add-dir', '/srv', '-i', 'a.png', '--color', 'never', 'say hello'],
  ['exec', '-o', 'last.txt', '--output-last-message=last.txt', '--output-schema', 'schema.json', 'say hello'],
  ['exec', '--json', '--', '--sandbox is what I ask about'],
  ['exec', '--', 'resume'],
  ['exec', '--help'],
]

const undoing: readonly [effect: string, ...arguments: string[]][] = [
  ['the provider', '-c', 'model_provider="other"'],
  ['the providers', '-c', 'model_providers.bridle.base_url="http://example.com"'],
  ['the servers', '--config', 'mcp_servers={}'],
  ['the servers, joined', '-cmcp_servers.a.command="sh"'],
  ['the servers, joined by a sign', '-c=mcp_servers.a.command="sh"'],
  ['the servers, long and joined', '--config=mcp_servers.a.enabled=false'],
  ['a setting hidden behind blanks', '-c', ' approval_policy="on-request"'],
  ['the approvals', '-c', 'approval_policy="on-request"'],
  ['the sandbox mode', '-c', 'sandbox_mode="read-only"'],
  ['the trust in the project', '-c', 'projects={"/p"={trust_level="trusted"}}'],
  ['the features', '-c', 'features.apps=true'],
  ['the environment of the shell', '-c', 'shell_environment_policy.inherit="all"'],
  ['the telemetry', '-c', 'otel.exporter="otlp-http"'],
  ['a command to run', '-c', 'notify=["sh"]'],
  ['a profile', '-p', 'other'],
  ['a profile, joined', '-p=other'],
  ['a profile, long', '--profile=other'],
  ['the whole configuration', '--ignore-user-config'],
  ['the rules', '--ignore-rules'],
  ['the sign that the servers connected', '--ephemeral'],
  ['the sandbox', '--sandbox', 'read-only'],
  ['the sandbox, short', '-s', 'read-only'],
  ['the sandbox, joined', '-sread-only'],
  ['the approvals by flag', '-a', 'on-request'],
  ['the approvals by a reviewer', '--approve-for-me'],
  ['every guard', '--dangerously-bypass-approvals-and-sandbox'],
  ['every guard, by its other name', '--yolo'],
  ['the trust in hooks', '--dangerously-bypass-hook-trust'],
  ['the trust, for good', '--trust'],
  ['a feature', '--enable', 'apps'],
  ['a feature of ours', '--disable', 'shell_tool'],
  ['the place of the agent', '--remote', 'ws://127.0.0.1:1'],
  ['the place of the agent, with a token', '--remote-auth-token-env=TOKEN'],
  ['the provider by flag', '--oss'],
  ['the local provider', '--local-provider', 'ollama'],
  ['the project', '--worktree'],
  ['what a newer version adds', '--some-new-option'],
]

describe('the arguments after `--`', () => {
  test.each(possible)('may be %s %s', (...args) => {
    expect(refuseArguments(args)).toEqual([])
  })

  test.each(undoing)('may not undo %s', (_, ...args) => {
    const refusals = refuseArguments(['exec', ...args, 'say hello'])
    expect(refusals).not.toEqual([])
    expect(refusals[0]?.reason).toContain(args[0]?.replace(/^(-[a-z]).*$/, '$1').split('=')[0])
  })

  test.each(undoing)('may not undo %s behind a harmless option and a prompt', (_, ...args) => {
    expect(refuseArguments(['exec', '-m', 'gpt-6', 'say hello', ...args])).not.toEqual([])
  })

  test('do not hide an option as the value of another', () => {
    expect(refuseArguments(['exec', '-m', '--yolo', 'say hello']).map(({ reason }) => reason)).toEqual([
      '`-m` has no value',
      '`--yolo` would change which tools run unasked',
    ])
  })

  test.each([[[]], [['']], [['mcp', 'list']], [['login']], [['--yolo', 'exec']], [['say hello']]])(
    'begin with `exec`, and not with %j',
    (args) => {
      expect(refuseArguments(args).map(({ help }) => help)).toEqual([
        'only `exec` so far: `bridle run codex -- exec "your prompt"`',
      ])
    },
  )

  test.each(['resume', 'fork', 'review', 'help'])('do not reach the other mode `%s`', (mode) => {
    expect(refuseArguments(['exec', '--json', mode])).toHaveLength(1)
  })

  test('are judged to the end, so that every fault is found at once', () => {
    expect(refuseArguments(['exec', '--yolo', '-c', 'features.apps=true', '--oss'])).toHaveLength(3)
  })
})
