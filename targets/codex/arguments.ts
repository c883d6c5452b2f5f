import { splitOption } from '../../src/compile/harness-options.ts'
import type { Refusal } from '../../src/compile/target.ts'

/** Options of `codex exec` (0.171.0) that undo nothing, since the sandbox and the configuration hold beside them. */
const harmlessFlags = words('--json --skip-git-repo-check --strict-config -h --help')
const harmlessOptions = words(
  '-m --model -i --image -o --output-last-message --output-schema --color -C --cd --add-dir',
)

/** Settings that shape what the model says and how it is shown, and nothing else. */
const harmlessKeys = words(
  'model model_reasoning_effort model_reasoning_summary model_verbosity model_context_window ' +
    'model_auto_compact_token_limit plan_mode_reasoning_effort service_tier tool_output_token_limit ' +
    'hide_agent_reasoning show_raw_agent_reasoning developer_instructions personality',
)

/** Options that would undo a promise, with what each would do. Any other unknown option is refused too. */
const harmfulOptions: Readonly<Record<string, string>> = {
  '-p': 'would put other settings above those that Bridle wrote',
  '--profile': 'would put other settings above those that Bridle wrote',
  '--ignore-user-config': 'would drop the servers that Bridle wrote',
  '-s': 'would change the sandbox mode and with it which tools run unasked',
  '--sandbox': 'would change the sandbox mode and with it which tools run unasked',
  '-a': 'would change which tools run unasked',
  '--ask-for-approval': 'would change which tools run unasked',
  '--approve-for-me': 'would change which tools run unasked',
  '--full-auto': 'would change which tools run unasked',
  '--yolo': 'would change which tools run unasked',
  '--dangerously-bypass-approvals-and-sandbox': 'would change which tools run unasked',
  '--dangerously-bypass-hook-trust': 'would run hooks that nobody has trusted',
  '--ephemeral': 'would hide whether the servers connected; a launch keeps no session in any case',
  '--ignore-rules': 'would drop the rules for commands',
  '--trust': 'would make Codex read the settings and start the servers that stand in the project',
  '--enable': 'would switch on features that Bridle does not know',
  '--disable': 'would switch off features that Bridle relies on',
  '--remote': 'would run the agent somewhere else than in the sandbox',
  '--remote-auth-token-env': 'would run the agent somewhere else than in the sandbox',
  '--oss': 'would use another model provider than the one that the spec gives',
  '--local-provider': 'would use another model provider than the one that the spec gives',
  '--worktree': 'would let the agent work outside the project',
}

const subcommands: Readonly<Record<string, string>> = {
  resume: 'each launch has a fresh state folder, so there is no session to resume',
  fork: 'each launch has a fresh state folder, so there is no session to fork',
  review: '`review` is not yet possible in a launch',
  help: '`help` is not passed on; use `--help`',
}

/**
 * What stands against the arguments after `--`: `exec` and a prompt are possible so far, with options that are known
 * to be harmless. Text after a second `--` is a prompt and free.
 */
export function refuseArguments(args: readonly string[]): readonly Refusal[] {
  const [command, ...rest] = args
  if (command !== 'exec' && command !== 'e') {
    const reason =
      command === undefined ? 'Codex needs a command' : `\`codex ${command}\` is not possible in a launch`
    return [{ reason, help: 'only `exec` so far: `bridle run codex -- exec "your prompt"`' }]
  }
  return refuseOptions(rest)
}

function refuseOptions(args: readonly string[]): readonly Refusal[] {
  const [argument, ...rest] = args
  if (argument === undefined || argument === '--') return []
  if (!argument.startsWith('-') || argument === '-') {
    const reason = Object.hasOwn(subcommands, argument) ? subcommands[argument] : undefined
    const refusals =
      reason === undefined
        ? []
        : [{ reason, help: 'give a prompt; a prompt of one such word goes after `--`' }]
    return [...refusals, ...refuseOptions(rest)]
  }
  const { name, joined } = splitOption(argument)
  if (harmlessFlags.has(name) && joined === undefined) return refuseOptions(rest)
  if (!harmlessOptions.has(name) && !isConfig(name)) return [refusalOf(name), ...refuseOptions(rest)]
  const value = joined ?? rest[0]
  const following = joined === undefined ? rest.slice(1) : rest
  if (value === undefined || (joined === undefined && value.startsWith('-') && value !== '-')) {
    return [
      { reason: `\`${name}\` has no value`, help: 'give one, or leave the option out' },
      ...refuseOptions(rest),
    ]
  }
  return [...(isConfig(name) ? refuseSetting(name, value) : []), ...refuseOptions(following)]
}

function isConfig(name: string): boolean {
  return name === '-c' || name === '--config'
}

function refuseSetting(option: string, setting: string): readonly Refusal[] {
  const key = setting.split('=', 1)[0] ?? ''
  if (harmlessKeys.has(key)) return []
  return [
    {
      reason: `\`${option} ${key}=…\` is refused: the setting could undo what Bridle wrote into config.toml`,
      help: `possible: ${[...harmlessKeys].join(', ')}`,
    },
  ]
}

function refusalOf(name: string): Refusal {
  const effect = Object.hasOwn(harmfulOptions, name) ? harmfulOptions[name] : undefined
  return {
    reason: `\`${name}\` ${effect ?? 'is not among the options whose effect is known'}`,
    help: `leave it out; possible: ${[...harmlessFlags, ...harmlessOptions, '-c'].join(' ')}`,
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
