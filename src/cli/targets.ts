import { targets } from '../../targets/index.ts'
import { renderEvidenceJson, renderEvidenceMarkdown, renderEvidenceText } from '../compile/evidence.ts'
import { renderTargetsJson, renderTargetsMarkdown, renderTargetsText } from '../compile/table.ts'
import type { Terminal } from './terminal.ts'

const renderers = {
  table: renderTargetsText,
  json: renderTargetsJson,
  markdown: renderTargetsMarkdown,
} as const

const evidenceRenderers = {
  table: renderEvidenceText,
  json: renderEvidenceJson,
  markdown: renderEvidenceMarkdown,
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
