import { parseToolArguments } from '../../targets/builtin/arguments.ts'
import { withServers } from './servers.ts'
import type { SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface CallOptions extends SpecOptions {
  readonly format: 'text' | 'json'
}

/** `bridle call`: starts one server, calls one of its tools, and ends it again. */
export async function call(
  terminal: Terminal,
  server: string,
  tool: string,
  json: string,
  options: CallOptions,
): Promise<number> {
  const parsed = parseToolArguments(json)
  if ('refusal' in parsed) {
    terminal.err(`bridle: ${parsed.refusal.reason}\n${parsed.refusal.help}\n`)
    return 2
  }
  const { format } = options
  return withServers(terminal, options, [server], {
    name: 'call',
    format,
    server,
    tool,
    arguments: parsed.arguments,
  })
}
