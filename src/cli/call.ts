import { parseToolArguments } from '../../targets/builtin/arguments.ts'
import { callTool } from '../agent/call-tool.ts'
import { resultJson, resultText } from '../agent/render.ts'
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
  return withServers(terminal, options, [server], async ({ servers, environment }, signal) => {
    const request = { server, tool, arguments: parsed.arguments }
    const { result, diagnostics } = await callTool(servers, environment, request, signal)
    const show = options.format === 'json' ? resultJson : resultText
    return {
      output: result ? show(result) : '',
      diagnostics,
      exitCode: result === undefined || result.isError === true ? 1 : 0,
    }
  })
}
