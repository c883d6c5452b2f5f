import type { Refusal } from '../../src/compile/target.ts'

export type Format = 'text' | 'json'

/** What the built-in harness was asked to do. */
export type Command =
  | { readonly name: 'tools'; readonly format: Format }
  | {
      readonly name: 'call'
      readonly format: Format
      readonly server: string
      readonly tool: string
      readonly arguments: Readonly<Record<string, unknown>>
    }

export type ParsedArguments = { readonly command: Command } | { readonly refusal: Refusal }

export const usage = 'tools [--format json], or call SERVER TOOL [JSON] [--format json]'

/** The command line of the built-in harness, as it stands after `bridle run builtin --`. */
export function parseArguments(args: readonly string[]): ParsedArguments {
  if (args.some((arg) => arg === '-p' || arg === '--print' || arg === '--prompt')) {
    return refused('a conversation with a model is not yet possible in the built-in harness')
  }
  const { format, rest } = takeFormat(args)
  if (format === undefined) return refused('`--format` is either `text` or `json`')
  const [name, ...operands] = rest
  if (name === undefined) return refused('the built-in harness needs a command')
  const option = rest.find((arg, index) => arg.startsWith('-') && index < 3)
  if (option !== undefined) return refused(`the built-in harness has no option \`${option}\``)
  if (name === 'tools') {
    return operands.length === 0 ? { command: { name, format } } : refused('`tools` takes no operands')
  }
  if (name === 'call') return parseCall(operands, format)
  return refused(`the built-in harness has no command \`${name}\``)
}

function parseCall(operands: readonly string[], format: Format): ParsedArguments {
  const [server, tool, json = '{}', ...surplus] = operands
  if (server === undefined || tool === undefined || surplus.length > 0) {
    return refused('`call` takes the server, the tool, and the arguments of the tool as one JSON object')
  }
  const parsed = parseToolArguments(json)
  return 'refusal' in parsed
    ? parsed
    : { command: { name: 'call', format, server, tool, arguments: parsed.arguments } }
}

/** The arguments of a tool, given as the text of a JSON object. */
export function parseToolArguments(
  json: string,
): { readonly arguments: Readonly<Record<string, unknown>> } | { readonly refusal: Refusal } {
  const help = 'give an object, such as \'{"path": "README.md"}\', or \'{}\' for none'
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    // V8 quotes the text in its message, and the text may hold what the user meant to keep private.
    return { refusal: { reason: 'the arguments of the tool are not JSON', help } }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { refusal: { reason: 'the arguments of the tool are JSON, but not an object', help } }
  }
  return { arguments: { ...value } }
}

function takeFormat(args: readonly string[]): { format: Format | undefined; rest: readonly string[] } {
  const index = args.findIndex((arg) => arg === '--format' || arg.startsWith('--format='))
  const option = args[index]
  if (option === undefined) return { format: 'text', rest: args }
  const joined = option.startsWith('--format=')
  const value = joined ? option.slice('--format='.length) : args[index + 1]
  const format = value === 'text' || value === 'json' ? value : undefined
  return { format, rest: [...args.slice(0, index), ...args.slice(index + (joined ? 1 : 2))] }
}

function refused(reason: string): ParsedArguments {
  return { refusal: { reason, help: `possible so far: ${usage}` } }
}
