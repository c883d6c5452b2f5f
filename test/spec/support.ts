import type { Diagnostic, Span } from '../../src/diagnostics/diagnostic.ts'
import { type ReadResult, readSpec } from '../../src/spec/read.ts'
import { lineStarts } from '../../src/text/lines.ts'

export function read(text: string, file = 'bridle.yaml'): Promise<ReadResult> {
  return readSpec(text, { file, folder: '/project', targetIds: ['codex', 'claude', 'builtin'] })
}

/** The text that a span covers. */
export function slice(text: string, { line, column, length }: Span): string {
  const start = (lineStarts(text)[line - 1] ?? Number.NaN) + column - 1
  return text.slice(start, start + length)
}

/** Each finding as its code and the text to which it points. */
export function findings(result: ReadResult): string[] {
  return result.diagnostics.map((each) => `${each.code} ${pointed(each, result.source.text)}`.trimEnd())
}

function pointed({ span }: Diagnostic, text: string): string {
  return span === undefined ? '(nowhere)' : slice(text, span)
}
