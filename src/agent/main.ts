import { parseArguments, usage } from '../../targets/builtin/arguments.ts'
import { lineFor } from '../../targets/builtin/connections.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { renderTerminal } from '../diagnostics/terminal.ts'
import type { Environment } from '../host/environment.ts'
import { readConfig, unreadableConfig } from './config.ts'
import { runCommand } from './run-command.ts'

/** The outside of the built-in harness. */
export interface Outside {
  readonly environment: Environment
  readonly out: (text: string) => void
  /** Whether what is written with `out` is shown on a terminal. */
  readonly isTerminal: boolean
  readonly err: (text: string) => void
  readonly readFile: (file: string) => Promise<string>
  readonly append: (file: string, text: string) => void
  /** Aborted when the harness shall end. */
  readonly signal: AbortSignal
}

/**
 * The built-in harness: `--config FILE [--log FILE] tools|call …`. The log gets a line for each server.
 *
 * @returns 0; 1 when a server or tool failed or a call was refused; 2 for a command line or a file that is of no use
 */
export async function main(args: readonly string[], outside: Outside): Promise<number> {
  const [option, file, ...afterConfig] = args
  const [log, rest] =
    afterConfig[0] === '--log' ? [afterConfig[1], afterConfig.slice(2)] : [undefined, afterConfig]
  if (option !== '--config' || file === undefined) {
    outside.err(`usage: --config FILE [--log FILE], and then ${usage}\n`)
    return 2
  }
  const parsed = parseArguments(rest)
  if ('refusal' in parsed) {
    outside.err(`${parsed.refusal.reason}\n${parsed.refusal.help}\n`)
    return 2
  }
  const { servers, diagnostics } = await loadConfig(file, outside)
  if (servers === undefined) {
    report(diagnostics, outside)
    return 2
  }
  const outcome = await runCommand(parsed.command, {
    servers,
    tell: (word) => log !== undefined && outside.append(log, lineFor(word)),
    ...outside,
  })
  outside.out(outcome.output)
  report(outcome.diagnostics, outside)
  return outcome.exitCode
}

async function loadConfig(file: string, { readFile }: Outside): Promise<ReturnType<typeof readConfig>> {
  try {
    return readConfig(await readFile(file), file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return { diagnostics: [unreadableConfig(file, code)] }
  }
}

function report(diagnostics: readonly Diagnostic[], { err, signal }: Outside): void {
  if (!signal.aborted) err(renderTerminal(diagnostics, { textOf: () => undefined }))
}
