import { type RefusedOptions, refuseOption } from '../../src/compile/harness-options.ts'
import type { Refusal } from '../../src/compile/target.ts'

/**
 * The options of `claude` 2.1.332 that were looked at and undo nothing, with the number of values that each takes.
 * An option that is not here is refused, since its effect is not known: the program has many that it does not document.
 */
export const harmless: Readonly<Record<string, 'none' | 'one' | 'many'>> = {
  '-p': 'none',
  '--print': 'none',
  '--verbose': 'none',
  '--include-partial-messages': 'none',
  '--include-hook-events': 'none',
  '--forward-subagent-text': 'none',
  '--disable-slash-commands': 'none',
  '--no-session-persistence': 'none',
  '--exclude-dynamic-system-prompt-sections': 'none',
  '--output-format': 'one',
  '--input-format': 'one',
  '--model': 'one',
  '--fallback-model': 'one',
  '--effort': 'one',
  '--max-turns': 'one',
  '--max-budget-usd': 'one',
  '--max-thinking-tokens': 'one',
  '--autocompact': 'one',
  '--json-schema': 'one',
  '--system-prompt': 'one',
  '--system-prompt-file': 'one',
  '--append-system-prompt': 'one',
  '--append-system-prompt-file': 'one',
  '--session-id': 'one',
  '-n': 'one',
  '--name': 'one',
  '--add-dir': 'many',
  '--tools': 'many',
  '--disallowedTools': 'many',
  '--disallowed-tools': 'many',
}

const useTheSpec = 'remove it and state the servers in the spec'
const sandboxIsTheGuard = 'remove it: in the sandbox the built-in tools run without questions'
const confirmInTheSpec =
  'remove it, and state in the spec which tools may run: `tools`, `requiresConfirmation`'
const freshState = 'remove it: each launch has a new private state folder, so there is nothing to go on with'
const ownLog = 'remove it; for a log of your own start `claude` yourself with the files of `bridle build`'
const oneRun = 'remove it: `bridle run` starts one headless session and waits for its end'

const refused: RefusedOptions = {
  '--mcp-config': ['it would add servers that no spec describes', useTheSpec],
  '--strict-mcp-config': ['Bridle sets it already', 'remove it'],
  '--settings': ['its rules and variables would stand beside those of Bridle', confirmInTheSpec],
  '--managed-settings': ['its rules and variables would stand above those of Bridle', confirmInTheSpec],
  '--setting-sources': [
    'settings of the project or the user could undo the rules of Bridle',
    confirmInTheSpec,
  ],
  '--dangerously-skip-permissions': ['it would run tools that the spec leaves out', sandboxIsTheGuard],
  '--allow-dangerously-skip-permissions': ['it would run tools that the spec leaves out', sandboxIsTheGuard],
  '--permission-mode': ['another mode could run tools that the spec leaves out', sandboxIsTheGuard],
  '--permission-prompts': ['it decides who answers a confirmation', confirmInTheSpec],
  '--permission-prompt-tool': ['a tool would answer the confirmations', confirmInTheSpec],
  '--allowedTools': ['it would run tools that the spec leaves out', confirmInTheSpec],
  '--allowed-tools': ['it would run tools that the spec leaves out', confirmInTheSpec],
  '--agents': ['an agent can bring its own servers and its own mode of permissions', useTheSpec],
  '--agent': ['an agent can bring its own servers and its own mode of permissions', useTheSpec],
  '--plugin-dir': ['a plugin can bring its own servers and hooks', useTheSpec],
  '--plugin-url': ['a plugin can bring its own servers and hooks', useTheSpec],
  '--safe-mode': ['it drops every server', 'remove it'],
  '--bare': ['it changes which account and which tools are used', 'remove it'],
  '--restricted': [
    'it changes which tools are used',
    'remove it, or narrow the built-in tools with `--tools`',
  ],
  '--chrome': ['it adds a server that no spec describes', 'remove it'],
  '--ide': ['it adds a server that no spec describes', 'remove it'],
  '--debug-file': ['Bridle reads the debug log itself, to tell which servers connected', ownLog],
  '--debug': ['Bridle reads the debug log itself, to tell which servers connected', ownLog],
  '-d': ['Bridle reads the debug log itself, to tell which servers connected', ownLog],
  '--resume': ['it goes on with an earlier session', freshState],
  '-r': ['it goes on with an earlier session', freshState],
  '--continue': ['it goes on with an earlier session', freshState],
  '-c': ['it goes on with an earlier session', freshState],
  '--bg': ['the session would outlive the launch', oneRun],
  '--background': ['the session would outlive the launch', oneRun],
  '--cloud': ['the session would run elsewhere, without the sandbox', oneRun],
  '--remote-control': ['the session would be led from elsewhere', oneRun],
}

/** What the user gets wrong after `--`. Only headless sessions can be launched so far. */
export function refuseArguments(args: readonly string[]): readonly Refusal[] {
  const { options, refusals } = scan(args)
  const headless = options.some(({ name }) => name === '-p' || name === '--print')
  return [...(headless ? [] : [notHeadless]), ...refusals, ...options.flatMap(judgeOption)]
}

const notHeadless: Refusal = {
  reason: 'an interactive session of Claude Code is not yet possible in a launch',
  help: 'run it headless: `bridle run claude -- -p "the task"`',
}

interface Option {
  readonly name: string
  readonly value: string | undefined
}

/** The options, as the program splits its command line: what follows `--` is text. */
function scan(args: readonly string[]): { options: Option[]; refusals: Refusal[] } {
  const options: Option[] = []
  const refusals: Refusal[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') break
    if (!arg.startsWith('-') || arg === '-') continue
    const [name = '', joined] = splitOnce(arg)
    const takesNext = harmless[name] === 'one' && joined === undefined
    const next = args[index + 1]
    if (takesNext && (next === undefined || next.startsWith('-'))) refusals.push(valueMissing(name))
    else if (takesNext) index++
    options.push({ name, value: joined ?? (takesNext ? next : undefined) })
  }
  return { options, refusals }
}

function splitOnce(arg: string): [string, string?] {
  const equals = arg.indexOf('=')
  return equals < 0 ? [arg] : [arg.slice(0, equals), arg.slice(equals + 1)]
}

function valueMissing(name: string): Refusal {
  return { reason: `\`${name}\` needs a value`, help: `write it as \`${name}=VALUE\`` }
}

function judgeOption({ name, value }: Option): Refusal[] {
  if (name === '--input-format' && value !== 'text') {
    return [
      {
        reason: '`--input-format stream-json` takes orders on standard input that change rules and servers',
        help: 'remove it and give the task as text, as an argument or on standard input',
      },
    ]
  }
  if (Object.hasOwn(harmless, name)) return []
  return [refuseOption(name, refused, Object.keys(harmless))]
}
