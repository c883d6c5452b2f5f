import { covered } from './cover.ts'
import type { Diagnostic } from './diagnostic.ts'
import { type Summary, summarize } from './summary.ts'

/** What `--format json` prints; its schema is `schemas/diagnostics.schema.json`. */
export interface DiagnosticsDocument {
  /** Of the format; a change that could break a reader raises it. */
  readonly version: 1
  readonly diagnostics: readonly Diagnostic[]
  readonly summary: Summary
}

/** The diagnostics as a JSON document with a line feed at its end. */
export function renderJson(diagnostics: readonly Diagnostic[]): string {
  const summary = summarize(diagnostics)
  const document: DiagnosticsDocument = { version: 1, diagnostics: diagnostics.map(covered), summary }
  return `${JSON.stringify(document, null, 2)}\n`
}
