import type { Diagnostic } from './diagnostic.ts'

export interface Summary {
  readonly errors: number
  readonly warnings: number
  readonly notes: number
}

export function summarize(diagnostics: readonly Diagnostic[]): Summary {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  return { errors: count('error'), warnings: count('warning'), notes: count('note') }
}

/** In words: `2 errors, 1 warning`; empty when there is nothing. */
export function describeSummary({ errors, warnings, notes }: Summary): string {
  return [counted(errors, 'error'), counted(warnings, 'warning'), counted(notes, 'note')]
    .filter(Boolean)
    .join(', ')
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}
