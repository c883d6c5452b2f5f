import { count } from '../text/count.ts'
import type { Diagnostic } from './diagnostic.ts'

export interface Summary {
  readonly errors: number
  readonly warnings: number
  readonly notes: number
}

export function summarize(diagnostics: readonly Diagnostic[]): Summary {
  const ofSeverity = (severity: Diagnostic['severity']) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  return { errors: ofSeverity('error'), warnings: ofSeverity('warning'), notes: ofSeverity('note') }
}

/** In words: `2 errors, 1 warning`; empty when there is nothing. */
export function describeSummary({ errors, warnings, notes }: Summary): string {
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [notes, 'note'],
  ] as const
  return counts.flatMap(([number, noun]) => (number === 0 ? [] : [count(number, noun)])).join(', ')
}
