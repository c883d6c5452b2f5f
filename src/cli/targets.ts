import { targets } from '../../targets/index.ts'
import { renderTargetsJson, renderTargetsMarkdown, renderTargetsText } from '../compile/table.ts'
import type { Terminal } from './terminal.ts'

const renderers = {
  table: renderTargetsText,
  json: renderTargetsJson,
  markdown: renderTargetsMarkdown,
} as const

/** `bridle targets`: what each target can do in each context, drawn from the tables that the compiler asks. */
export function showTargets(
  terminal: Terminal,
  options: { readonly format: keyof typeof renderers },
): number {
  terminal.out(renderers[options.format](targets))
  return 0
}
