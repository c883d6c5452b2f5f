import { targets } from '../../targets/index.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { judgeAll } from '../install/judge-files.ts'
import type { Spec } from '../spec/spec.ts'
import { count } from '../text/count.ts'
import { type ProgramFormat, printDiagnostics, printReport } from './report.ts'
import { chooseTargets, load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface CheckOptions extends SpecOptions {
  readonly format: 'terminal' | ProgramFormat
  readonly for?: 'build' | 'run'
}

/** `bridle check`: everything wrong with the spec, for every chosen target, in one pass. */
export async function check(
  terminal: Terminal,
  targetNames: readonly string[],
  options: CheckOptions,
): Promise<number> {
  const loaded = await load(terminal, options)
  const chosen = chooseTargets(targetNames, loaded.spec)
  const { spec } = loaded
  const judged =
    spec === undefined
      ? []
      : judgeAll({
          spec,
          chosen: chosen.targets,
          targets,
          use: options.for,
          isOfProject: options.user !== true,
        })
  const diagnostics = [...loaded.diagnostics, ...chosen.diagnostics, ...judged]
  if (options.format !== 'terminal') {
    await printReport(terminal, options.format, diagnostics, loaded.source?.folder, loaded.source)
  } else {
    printDiagnostics(terminal, 'out', diagnostics, loaded.source)
    if (spec !== undefined && !hasErrors(diagnostics))
      terminal.out(verdict(spec, chosen.targets, diagnostics))
  }
  return hasErrors(diagnostics) ? 1 : 0
}

function verdict(spec: Spec, chosen: readonly Target[], notes: readonly Diagnostic[]): string {
  const titles = chosen.map(({ id, title }) => `${title}${limit(id, notes)}`).join(', ')
  const judged =
    titles === '' ? 'no target is chosen, so the language alone was checked' : `fine for ${titles}`
  return `${spec.source.file}: ${count(spec.servers.length, 'server')}, ${judged}\n`
}

const limits: Partial<Record<Diagnostic['code'], string>> = {
  BRIDLE302: ' (with `bridle run` only)',
  BRIDLE309: ' (in files of `bridle build` only)',
  BRIDLE407: ' (with `bridle run` only)',
}

/** In which of the two uses alone the spec is fine for a target, when it is in one. */
function limit(id: string, notes: readonly Diagnostic[]): string {
  const limiting = notes.find(({ code, target }) => target === id && limits[code] !== undefined)
  return (limiting && limits[limiting.code]) ?? ''
}
