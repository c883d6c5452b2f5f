import { type Command, parseArguments, usage } from '../../targets/builtin/arguments.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { renderTerminal } from '../diagnostics/terminal.ts'
import type { Environment } from '../host/environment.ts'
import type { McpServer } from '../spec/spec.ts'
import { callTool } from './call-tool.ts'
import { readConfig, unreadableConfig } from './config.ts'
import { listTools } from './list-tools.ts'
import { resultJson, resultText, toolsJson, toolTable } from './render.ts'

/** The outside of the built-in harness. */
export interface Outside {
  readonly environment: Environment
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly readFile: (file: string) => Promise<string>
  /** Aborted when the harness shall end. */
  readonly signal: AbortSignal
}

/**
 * The built-in harness: `--config FILE tools|call …`.
 *
 * @returns 0; 1 when a server or tool failed or a call was refused; 2 for a command line or a file that is of no use
 */
export async function main(args: readonly string[], outside: Outside): Promise<number> {
  const [option, file, ...rest] = args
  if (option !== '--config' || file === undefined) {
    outside.err(`usage: --config FILE, and then ${usage}\n`)
    return 2
  }
  const parsed = parseArguments(rest)
  if ('refusal' in parsed) {
    outside.err(`${parsed.refusal.reason}\n${parsed.refusal.help}\n`)
    return 2
  }
  const { servers, diagnostics } = await loadConfig(file, outside)
  if (servers !== undefined) return execute(parsed.command, servers, outside)
  report(diagnostics, outside)
  return 2
}

async function loadConfig(file: string, { readFile }: Outside): Promise<ReturnType<typeof readConfig>> {
  try {
    return readConfig(await readFile(file), file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return { diagnostics: [unreadableConfig(file, code)] }
  }
}

async function execute(command: Command, servers: readonly McpServer[], outside: Outside): Promise<number> {
  const { environment, out, signal } = outside
  if (command.name === 'tools') {
    const { listings, diagnostics } = await listTools(servers, environment, signal)
    out(command.format === 'json' ? toolsJson(listings) : toolTable(listings))
    report(diagnostics, outside)
    return hasErrors(diagnostics) ? 1 : 0
  }
  const { result, diagnostics } = await callTool(servers, environment, command, signal)
  if (result) out(command.format === 'json' ? resultJson(result) : resultText(result))
  report(diagnostics, outside)
  return result === undefined || result.isError === true ? 1 : 0
}

function report(diagnostics: readonly Diagnostic[], { err, signal }: Outside): void {
  if (!signal.aborted) err(renderTerminal(diagnostics, { textOf: () => undefined }))
}
