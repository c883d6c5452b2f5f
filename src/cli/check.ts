import { judge, judgeContext } from '../compile/judge.ts'
import type { Target } from '../compile/target.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
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
      : chosen.targets.flatMap((target) => {
          if (options.for === 'build') return judgeContext(spec, target, 'standalone')
          if (options.for === 'run') return judgeContext(spec, target, 'launch')
          return judge(spec, target)
        })
  const diagnostics = [...loaded.diagnostics, ...chosen.diagnostics, ...judged]
  if (options.format !== 'terminal') {
    await printReport(terminal, options.format, diagnostics, loaded.source?.folder, loaded.source)
  } else {
    printDiagnostics(terminal, 'out', diagnostics, loaded.source)
    if (spec !== undefined && !hasErrors(diagnostics)) terminal.out(verdict(spec, chosen.targets))
  }
  return hasErrors(diagnostics) ? 1 : 0
}

function verdict(spec: Spec, targets: readonly Target[]): string {
  const titles = targets.map(({ title }) => title).join(', ')
  const judged =
    titles === '' ? 'no target is chosen, so the language alone was checked' : `fine for ${titles}`
  return `${spec.source.file}: ${count(spec.servers.length, 'server')}, ${judged}\n`
}
