import { compile } from '../compile/compile.ts'
import { judge } from '../compile/judge.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { count } from '../text/count.ts'
import { printDiagnostics, type ReportOptions } from './report.ts'
import { chooseTargets, load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface CheckOptions extends SpecOptions, ReportOptions {
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
          if (options.for === 'build') return compile(spec, target, 'standalone').diagnostics
          if (options.for === 'run') return compile(spec, target, 'launch').diagnostics
          return judge(spec, target)
        })
  const diagnostics = [...loaded.diagnostics, ...chosen.diagnostics, ...judged]
  printDiagnostics(terminal, 'out', diagnostics, loaded.source, options)
  if (hasErrors(diagnostics)) return 1
  if (options.format === 'terminal' && spec !== undefined) {
    const titles = chosen.targets.map(({ title }) => title)
    const targets =
      titles.length === 0 ? 'no target chosen: the language alone was checked' : titles.join(', ')
    terminal.out(`${spec.source.file}: ${count(spec.servers.length, 'server')}, fine (${targets})\n`)
  }
  return 0
}
