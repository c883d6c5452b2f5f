import { withServers } from './servers.ts'
import type { SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface ToolsOptions extends SpecOptions {
  readonly format: 'table' | 'json'
}

/** `bridle tools`: what the built-in harness would list. Every server is started, and ended again. */
export function tools(terminal: Terminal, names: readonly string[], options: ToolsOptions): Promise<number> {
  const format = options.format === 'json' ? 'json' : 'text'
  return withServers(terminal, options, names, { name: 'tools', format })
}
