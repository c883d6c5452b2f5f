import picocolors from 'picocolors'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { renderJson } from '../diagnostics/json.ts'
import { renderTerminal } from '../diagnostics/terminal.ts'
import type { Source } from '../spec/spec.ts'
import type { Terminal } from './terminal.ts'

/** Prints diagnostics for people, with the source lines of the spec where its text is known. */
export function printDiagnostics(
  terminal: Terminal,
  stream: 'out' | 'err',
  diagnostics: readonly Diagnostic[],
  source?: Source,
): void {
  const text = renderTerminal(diagnostics, {
    textOf: (file) => (file === source?.file ? source.text : undefined),
    palette: picocolors.createColors(terminal.colors[stream]),
    columns: terminal.columns,
  })
  if (text !== '') terminal[stream](text)
}

/** Prints diagnostics for programs, also when there are none. */
export function printJson(terminal: Terminal, diagnostics: readonly Diagnostic[]): void {
  terminal.out(renderJson(diagnostics))
}
