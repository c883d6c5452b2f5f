import type { Command } from '../../targets/builtin/arguments.ts'
import { builtin } from '../../targets/builtin/target.ts'
import { interruptible } from '../agent/interrupt.ts'
import { runCommand, type Surroundings } from '../agent/run-command.ts'
import { compile } from '../compile/compile.ts'
import { narrow } from '../compile/select.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { locateServers } from '../launch/locate-server.ts'
import { resolveSecrets } from '../secrets/resolve.ts'
import type { Spec } from '../spec/spec.ts'
import { findPlace } from './place.ts'
import { printDiagnostics } from './report.ts'
import { checkServerNames } from './server-names.ts'
import { load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

type ReadyServers = Pick<Surroundings, 'servers' | 'environment'>

/**
 * Does what the built-in harness does in a launch, without the sandbox: compiles the spec, resolves the secrets, and
 * only then starts the servers that the command needs.
 *
 * @param names the servers that are meant; all that are enabled when there are none
 * @returns the exit code of the command, or 1 when it was not started
 */
export async function withServers(
  terminal: Terminal,
  options: SpecOptions,
  names: readonly string[],
  command: Command,
): Promise<number> {
  const { spec, source, diagnostics: read } = await load(terminal, options)
  const { ready, diagnostics } = spec ? prepare(terminal, spec, names) : { diagnostics: [] }
  if (spec === undefined || ready === undefined) {
    printDiagnostics(terminal, 'err', [...read, ...diagnostics], source)
    return 1
  }
  return interruptible(async (signal) => {
    const { isTerminal } = terminal
    const outcome = await runCommand(command, { ...ready, signal, isTerminal })
    if (signal.aborted) return 1
    terminal.out(outcome.output)
    const found = outcome.diagnostics.map((each) => placeAtServer(spec, each))
    printDiagnostics(terminal, 'err', [...read, ...diagnostics, ...found], source)
    return outcome.exitCode
  })
}

function prepare(
  terminal: Terminal,
  spec: Spec,
  names: readonly string[],
): { readonly ready?: ReadyServers; readonly diagnostics: readonly Diagnostic[] } {
  const misnamed = checkServerNames(spec, builtin, names)
  if (misnamed.length > 0) return { diagnostics: misnamed }
  const { environment } = terminal
  const place = findPlace(terminal, names.length > 0 ? narrow(spec, names) : spec)
  const found = locateServers({ ...place, environment, sandbox: { name: 'none' } }, builtin)
  const { emission, diagnostics } = compile(found.spec, builtin, 'launch')
  const secrets = emission && resolveSecrets(spec, builtin, emission.injections, environment)
  const all = [
    ...diagnostics,
    ...found.located.flatMap((each) => each.diagnostics),
    ...(secrets?.diagnostics ?? []),
  ]
  if (hasErrors(all) || emission === undefined) return { diagnostics: all }
  const { servers } = emission
  return { ready: { servers, environment: { ...environment, ...secrets?.values } }, diagnostics: all }
}

function placeAtServer(spec: Spec, found: Diagnostic): Diagnostic {
  if (found.span !== undefined || found.server === undefined) return found
  return { ...found, span: spec.source.span(['servers', found.server], 'key') }
}
