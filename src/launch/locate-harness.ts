import path from 'node:path'
import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { isThere, type ResolvedCommand, resolveCommand } from './commands.ts'
import { builtinProgram } from './package.ts'
import type { LaunchRequest } from './request.ts'

/** The program that is started and what goes before its own arguments. */
export interface LocatedHarness extends ResolvedCommand {
  readonly leadingArguments: readonly string[]
}

/** Finds the program of the harness: of the built-in one, this Node and a file of Bridle's own. */
export function locateHarness(request: LaunchRequest): {
  readonly harness?: LocatedHarness
  readonly diagnostics: readonly Diagnostic[]
} {
  const { target, workingDirectory, project, home, environment, sandbox } = request
  const searchPath = environment['PATH'] ?? ''
  const lookup = { searchPath, workingDirectory, project, home, isSandboxed: sandbox.name !== 'none' }
  const given = request.harness && path.resolve(workingDirectory, request.harness)
  const name = given ?? target.launch.executable ?? process.execPath
  const command = resolveCommand(name, lookup)
  if (command === undefined || command.refusal !== undefined) {
    return { diagnostics: [unusable(request, command, isThere(name, lookup))] }
  }
  if (target.launch.executable !== undefined) {
    return { harness: { ...command, leadingArguments: [] }, diagnostics: [] }
  }
  const program = builtinProgram()
  const folders = [...command.folders, path.dirname(program)]
  return { harness: { ...command, folders, leadingArguments: [program] }, diagnostics: [] }
}

function unusable(
  { target, harness }: LaunchRequest,
  command: ResolvedCommand | undefined,
  isThere: boolean,
): Diagnostic {
  const name = `\`${harness ?? target.launch.executable ?? process.execPath}\``
  const say = (code: Code, reason: string, help: string) =>
    diagnostic(code, 'error', `${name} ${reason}`, { target: target.id, help })
  if (command?.refusal !== undefined) return say('BRIDLE605', command.refusal.reason, command.refusal.help)
  const version = target.provedWith === undefined ? '' : ` ${target.provedWith}`
  const install = `install ${target.title}${version} so that it is on PATH, or name its program with \`--harness PATH\``
  return isThere
    ? say(
        'BRIDLE612',
        'is not a file that you may execute',
        `\`chmod +x\` makes a program executable; or ${install}`,
      )
    : say('BRIDLE605', 'was not found', install)
}
