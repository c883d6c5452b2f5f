import { parseToolArguments } from '../../targets/builtin/arguments.ts'
import { callTool } from '../agent/call-tool.ts'
import { interruptible } from '../agent/interrupt.ts'
import { resultJson, resultText } from '../agent/render.ts'
import { printDiagnostics } from './report.ts'
import { placeAtServers, readyServers } from './servers.ts'
import { load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface CallOptions extends SpecOptions {
  readonly format: 'text' | 'json'
}

/** `bridle call`: starts one server, calls one of its tools and ends it again, without the sandbox. */
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
  const { spec, source, diagnostics: read } = await load(terminal, options)
  const { ready, diagnostics } = spec
    ? readyServers(spec, [server], terminal.environment)
    : { diagnostics: [] }
  if (spec === undefined || ready === undefined) {
    printDiagnostics(terminal, 'err', [...read, ...diagnostics], source)
    return 1
  }
  return interruptible(async (signal) => {
    const request = { server, tool, arguments: parsed.arguments }
    const { result, diagnostics: found } = await callTool(ready.servers, ready.environment, request, signal)
    if (signal.aborted) return 1
    if (result) terminal.out(options.format === 'json' ? resultJson(result) : resultText(result))
    printDiagnostics(terminal, 'err', [...read, ...diagnostics, ...placeAtServers(spec, found)], source)
    return result === undefined || result.isError === true ? 1 : 0
  })
}
