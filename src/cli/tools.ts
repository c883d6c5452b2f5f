import { interruptible } from '../agent/interrupt.ts'
import { listTools } from '../agent/list-tools.ts'
import { toolsJson, toolTable } from '../agent/render.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { printDiagnostics } from './report.ts'
import { placeAtServers, readyServers } from './servers.ts'
import { load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface ToolsOptions extends SpecOptions {
  readonly format: 'table' | 'json'
}

/** `bridle tools`: what the built-in harness would list, without the sandbox. Every server is started and ended again. */
export async function tools(
  terminal: Terminal,
  serverNames: readonly string[],
  options: ToolsOptions,
): Promise<number> {
  const { spec, source, diagnostics: read } = await load(terminal, options)
  const { ready, diagnostics } = spec
    ? readyServers(spec, serverNames, terminal.environment)
    : { diagnostics: [] }
  if (spec === undefined || ready === undefined) {
    printDiagnostics(terminal, 'err', [...read, ...diagnostics], source)
    return 1
  }
  return interruptible(async (signal) => {
    const { listings, diagnostics: found } = await listTools(ready.servers, ready.environment, signal)
    if (signal.aborted) return 1
    terminal.out(options.format === 'json' ? toolsJson(listings) : toolTable(listings))
    printDiagnostics(terminal, 'err', [...read, ...diagnostics, ...placeAtServers(spec, found)], source)
    return hasErrors(found) ? 1 : 0
  })
}
