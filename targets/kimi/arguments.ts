import { type RefusedOptions, refuseOption, splitOption } from '../../src/compile/harness-options.ts'
import type { Refusal } from '../../src/compile/target.ts'

/**
 * The options of `kimi` 2.1.0 that were looked at and undo nothing, with the number of values that each takes. Files of
 * agents and skills hold words and may take tools away, but bring none and no servers.
 */
const harmless: Readonly<Record<string, 'none' | 'one'>> = {
  '-p': 'one',
  '--prompt': 'one',
  '--output-format': 'one',
  '--add-dir': 'one',
  '--skills-dir': 'one',
  '--agent': 'one',
  '--agent-file': 'one',
  '-h': 'none',
  '--help': 'none',
}

const freshState = 'remove it: each launch has a new private state folder, so there is nothing to go on with'
const headless = 'remove it: a headless run asks nobody, and runs every tool that the spec leaves in'
const modelInTheSpec = 'remove it, and set KIMI_MODEL_NAME in `targets.kimi.environment`'

const refused: RefusedOptions = {
  '-S': ['it goes on with an earlier session', freshState],
  '--session': ['it goes on with an earlier session', freshState],
  '-r': ['it goes on with an earlier session', freshState],
  '--resume': ['it goes on with an earlier session', freshState],
  '-c': ['it goes on with an earlier session', freshState],
  '-C': ['it goes on with an earlier session', freshState],
  '--continue': ['it goes on with an earlier session', freshState],
  '-y': ['it changes which tools run unasked', headless],
  '--yolo': ['it changes which tools run unasked', headless],
  '--yes': ['it changes which tools run unasked', headless],
  '--auto-approve': ['it changes which tools run unasked', headless],
  '--auto': ['it changes which tools run unasked', headless],
  '--plan': ['Kimi Code has no plan mode in a headless run', 'remove it'],
  '-m': ['it names a model of a configuration that a launch does not have', modelInTheSpec],
  '--model': ['it names a model of a configuration that a launch does not have', modelInTheSpec],
}

const notHeadless: Refusal = {
  reason: 'an interactive session of Kimi Code is not yet possible in a launch',
  help: 'run it headless: `bridle run kimi -- -p "the task"`',
}

/** What the user gets wrong after `--`. Only headless sessions can be launched so far. */
export function refuseArguments(args: readonly string[]): readonly Refusal[] {
  const { names, refusals } = scan(args)
  const isHeadless = names.some((name) => startsHeadless.has(name))
  return [...(isHeadless ? [] : [notHeadless]), ...refusals]
}

const startsHeadless = new Set(['-p', '--prompt', '-h', '--help'])

/** The options, as its parser (commander) reads them: one that needs a value takes whatever follows. */
function scan(args: readonly string[]): { names: readonly string[]; refusals: readonly Refusal[] } {
  const names: string[] = []
  const refusals: Refusal[] = []
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (!argument.startsWith('-') || argument === '-' || argument === '--') {
      refusals.push(refuseOperand(argument))
      continue
    }
    const { name, joined } = splitOption(argument)
    const values = Object.hasOwn(harmless, name) ? harmless[name] : undefined
    names.push(name)
    if (values === undefined || (values === 'none' && joined !== undefined))
      refusals.push(refuseOption(name, refused, Object.keys(harmless)))
    else if (values === 'one' && joined === undefined && rest.shift() === undefined) {
      refusals.push(withoutValue(name))
    }
  }
  return { names, refusals }
}

function refuseOperand(argument: string): Refusal {
  return {
    reason: `\`${argument}\` is a command of Kimi Code, or none; a launch runs one prompt`,
    help: 'the prompt is the value of `-p`: `bridle run kimi -- -p "the task"`',
  }
}

function withoutValue(name: string): Refusal {
  return { reason: `\`${name}\` needs a value`, help: `write it as \`${name} VALUE\`` }
}
