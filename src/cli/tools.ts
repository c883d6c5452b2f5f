import { listTools } from '../agent/list-tools.ts'
import { toolsJson, toolTable } from '../agent/render.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { withServers } from './servers.ts'
import type { SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface ToolsOptions extends SpecOptions {
  readonly format: 'table' | 'json'
}

/** `bridle tools`: what the built-in harness would list. Every server is started, and ended again. */
export function tools(terminal: Terminal, names: readonly string[], options: ToolsOptions): Promise<number> {
  return withServers(terminal, options, names, async ({ servers, environment }, signal) => {
    const { listings, diagnostics } = await listTools(servers, environment, signal)
    return {
      output: options.format === 'json' ? toolsJson(listings) : toolTable(listings),
      diagnostics,
      exitCode: hasErrors(diagnostics) ? 1 : 0,
    }
  })
}
