import { targets } from '../../targets/index.ts'
import { renderEvidenceJson, renderEvidenceText } from '../compile/evidence.ts'
import { renderTargetsJson, renderTargetsMarkdown, renderTargetsText } from '../compile/table.ts'
import type { Terminal } from './terminal.ts'

const renderers = {
  table: renderTargetsText,
  json: renderTargetsJson,
  markdown: renderTargetsMarkdown,
} as const

/** No Markdown: it is for the terminal and for programs. */
const evidenceRenderers = {
  table: renderEvidenceText,
  json: renderEvidenceJson,
  markdown: renderEvidenceText,
} as const

/**
 * `bridle targets`: what each target can do in each context, drawn from the tables that the compiler asks, or what each
 * of these cells rests on.
 */
export function showTargets(
  terminal: Terminal,
  options: { readonly format: keyof typeof renderers; readonly evidence?: boolean },
): number {
  const render = options.evidence ? evidenceRenderers : renderers
  terminal.out(render[options.format](targets))
  return 0
}
