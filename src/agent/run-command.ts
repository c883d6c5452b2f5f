import type { Command } from '../../targets/builtin/arguments.ts'
import type { Connection } from '../compile/target.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import type { McpServer } from '../spec/spec.ts'
import { shownJson, shownLines } from '../text/shown.ts'
import { callTool } from './call-tool.ts'
import { listTools } from './list-tools.ts'
import { resultJson, resultText, toolsJson, toolTable } from './render.ts'

/** With what a command works, whether in a launch or without a sandbox. */
export interface Surroundings {
  readonly servers: readonly McpServer[]
  /** With the secrets under the names that the servers have for them. */
  readonly environment: Environment
  readonly signal: AbortSignal
  /** Is told once of each server whether it connected. */
  readonly tell?: (word: Connection) => void
  /** A terminal is not shown what would steer it; everything else gets the output to the byte. */
  readonly isTerminal: boolean
}

export interface Outcome {
  readonly output: string
  readonly diagnostics: readonly Diagnostic[]
  /** 1 when a required server or the tool failed, or the call was refused. */
  readonly exitCode: 0 | 1
}

/** What the built-in harness does: lists the tools, or calls one. */
export async function runCommand(command: Command, surroundings: Surroundings): Promise<Outcome> {
  const outcome =
    command.name === 'tools' ? await list(command, surroundings) : await call(command, surroundings)
  if (!surroundings.isTerminal) return outcome
  const show = command.format === 'json' ? shownJson : shownLines
  return { ...outcome, output: show(outcome.output) }
}

type Named<Name> = Extract<Command, { name: Name }>

async function list({ format }: Named<'tools'>, surroundings: Surroundings): Promise<Outcome> {
  const { servers, environment, signal, tell } = surroundings
  const { listings, diagnostics } = await listTools(servers, environment, signal, tell)
  const output = format === 'json' ? toolsJson(listings) : toolTable(listings)
  return { output, diagnostics, exitCode: hasErrors(diagnostics) ? 1 : 0 }
}

async function call(command: Named<'call'>, surroundings: Surroundings): Promise<Outcome> {
  const { servers, environment, signal, tell } = surroundings
  const { result, diagnostics } = await callTool(servers, environment, command, signal, tell)
  const show = command.format === 'json' ? resultJson : resultText
  const isFine = result !== undefined && result.isError !== true
  return { output: result === undefined ? '' : show(result), diagnostics, exitCode: isFine ? 0 : 1 }
}
