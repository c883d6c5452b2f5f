import { type RefusedOptions, refuseOption, splitOption } from '../../src/compile/harness-options.ts'
import type { Refusal } from '../../src/compile/target.ts'

/**
 * The options of `copilot` 1.0.102 that were looked at and undo nothing, with the number of values that each takes. An
 * option that is not here is refused, since its effect is not known: the program has some that it does not document.
 */
const harmless: Readonly<Record<string, 'none' | 'one' | 'many'>> = {
  '-p': 'one',
  '--prompt': 'one',
  '-s': 'none',
  '--silent': 'none',
  '-n': 'one',
  '--name': 'one',
  '--model': 'one',
  '--reasoning-effort': 'one',
  '--context': 'one',
  '--auto-tier': 'one',
  '--max-ai-credits': 'one',
  '--output-format': 'one',
  '--usage-output-file': 'one',
  '--stream': 'one',
  '--attachment': 'one',
  '--no-color': 'none',
  '--plain-diff': 'none',
  '--no-custom-instructions': 'none',
  '--no-ask-user': 'none',
  '--available-tools': 'many',
  '--excluded-tools': 'many',
  '--deny-tool': 'many',
  '--deny-url': 'many',
  '-h': 'none',
  '--help': 'none',
}

const useTheSpec = 'remove it and state the servers in the spec'
const rulesInTheSpec = 'remove it, and state in the spec which tools may run: `tools`, `requiresConfirmation`'
const sandboxIsTheGuard = 'remove it: in the sandbox the tools of Copilot itself run without questions'
const freshState = 'remove it: each launch has a new private state folder, so there is nothing to go on with'
const oneRun = 'remove it: `bridle run` starts one headless session and waits for its end'
const bridleSetsIt = 'remove it: Bridle sets it'

const refused: RefusedOptions = {
  '--additional-mcp-config': ['it would add servers that no spec describes', useTheSpec],
  '--plugin-dir': ['a plugin can bring its own servers and hooks', useTheSpec],
  '--agent': ['an agent can bring its own servers', useTheSpec],
  '--trust-folder': ['it would read the servers of the project and run its hooks', useTheSpec],
  '--add-dir': [
    'it would trust agents and skills of that folder',
    'remove it: Copilot sees all of the project',
  ],
  '--config-dir': ['it would read another state folder than the one of the launch', bridleSetsIt],
  '--mcp-github-auth': ['it would send your login at GitHub to a server', useTheSpec],
  '--disable-mcp-server': [
    'it would leave out a server of the spec',
    'use `targets.copilot.servers.exclude`, or `--servers`',
  ],
  '--enable-mcp-server': ['it would add servers that no spec describes', useTheSpec],
  '--enable-all-github-mcp-tools': ['it would add tools that no spec describes', useTheSpec],
  '--add-github-mcp-toolset': ['it would add tools that no spec describes', useTheSpec],
  '--add-github-mcp-tool': ['it would add tools that no spec describes', useTheSpec],
  '--disable-builtin-mcps': ['Bridle sets it already', 'remove it'],
  '--allow-all-mcp-server-instructions': [
    'it would put words of every server into the instructions of the model',
    'remove it',
  ],
  '--allow-tool': ['it would run tools that the spec leaves out', rulesInTheSpec],
  '--allow-all-tools': ['it would run tools that the spec leaves out', rulesInTheSpec],
  '--allow-all': ['it would run tools that the spec leaves out', rulesInTheSpec],
  '--yolo': ['it would run tools that the spec leaves out', rulesInTheSpec],
  '--assisted-approval': ['a model would decide which tools may run', rulesInTheSpec],
  '--allow-all-paths': ['Bridle sets it already', sandboxIsTheGuard],
  '--allow-all-urls': ['Bridle sets it already', sandboxIsTheGuard],
  '--allow-url': ['Bridle allows all of them already', sandboxIsTheGuard],
  '--secret-env-vars': [
    'a server would get the name of a secret in place of its value',
    'remove it: the secrets of a launch are in no file and no output of Bridle',
  ],
  '--log-dir': ['Bridle learns from the log which servers connected', bridleSetsIt],
  '--log-level': ['Bridle learns from the log which servers connected', bridleSetsIt],
  '--no-auto-update': ['Bridle sets it already', 'remove it'],
  '-C': ['it would start the agent elsewhere than Bridle has looked', 'start `bridle run` in that folder'],
  '--extension-sdk-path': ['it would run code that the agent may have written', 'remove it'],
  '--bash-env': ['it would run a file in front of every command', 'remove it'],
  '--experimental': ['it switches on features that Bridle does not know', 'remove it'],
  '--resume': ['it goes on with an earlier session', freshState],
  '-r': ['it goes on with an earlier session', freshState],
  '--continue': ['it goes on with an earlier session', freshState],
  '--session-id': ['it goes on with an earlier session', freshState],
  '--connect': ['it goes on with a session elsewhere', freshState],
  '-i': ['an interactive session is not yet possible in a launch', oneRun],
  '--interactive': ['an interactive session is not yet possible in a launch', oneRun],
  '--acp': ['it takes orders that can add servers', oneRun],
  '--remote': ['the session would be led from elsewhere', oneRun],
  '--remote-export': ['the session would leave this machine', oneRun],
  '--share-gist': ['the session would leave this machine', 'remove it'],
  '--environment-host': ['it would serve sessions that are led from elsewhere', oneRun],
}

const notHeadless: Refusal = {
  reason: 'an interactive session of Copilot CLI is not yet possible in a launch',
  help: 'run it headless: `bridle run copilot -- -p "the task"`',
}

/** What the user gets wrong after `--`. Only headless sessions can be launched so far. */
export function refuseArguments(args: readonly string[]): readonly Refusal[] {
  const isHeadless = args.some((arg) => /^(-p|--prompt(=|$)|-h$|--help$)/.test(arg))
  return [...(isHeadless ? [] : [notHeadless]), ...refuseEach(args)]
}

/** As its parser (clap) reads them: no option takes a separate value that begins with a dash. */
function refuseEach([argument, ...rest]: readonly string[]): readonly Refusal[] {
  if (argument === undefined) return []
  if (!isOption(argument)) return [refuseOperand(argument), ...refuseEach(rest)]
  const { name, joined } = splitOption(argument)
  const kind = Object.hasOwn(harmless, name) ? harmless[name] : undefined
  if (kind === undefined || (kind === 'none' && joined !== undefined)) {
    return [refuseOption(name, refused, Object.keys(harmless)), ...refuseEach(rest)]
  }
  if (kind === 'none' || joined !== undefined) return refuseEach(rest)
  const following = rest.findIndex(isOption)
  const values = following === -1 ? rest.length : following
  if (values === 0) return [withoutValue(name), ...refuseEach(rest)]
  return refuseEach(rest.slice(kind === 'one' ? 1 : values))
}

function isOption(argument: string): boolean {
  return argument.startsWith('-') && argument !== '-'
}

function refuseOperand(argument: string): Refusal {
  return {
    reason: `\`${argument}\` is a command of Copilot CLI, or none; a launch runs one prompt`,
    help: 'the prompt is the value of `-p`: `bridle run copilot -- -p "the task"`',
  }
}

function withoutValue(name: string): Refusal {
  return { reason: `\`${name}\` needs a value`, help: `write it as \`${name}=VALUE\`` }
}
