import type { Code } from './codes.ts'
import { inToml } from './notation.ts'

/** A stretch of a text file. Lines and columns count from 1, columns and lengths in UTF-16 code units. */
export interface Span {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly length: number
}

export type Severity = 'error' | 'warning' | 'note'

/** One finding: what is wrong, where, and the way out. The code is stable; `bridle explain CODE` has its page. */
export interface Diagnostic {
  readonly code: Code
  readonly severity: Severity
  readonly message: string
  /** The primary place; absent when the finding has none (a missing program, say). */
  readonly span?: Span
  readonly related?: readonly RelatedPlace[]
  readonly target?: string
  readonly server?: string
  /** What to do about it, as one sentence or a few. */
  readonly help?: string
}

export interface RelatedPlace {
  readonly message: string
  readonly span: Span
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error')
}

/** Makes a diagnostic, leaving out the properties that are undefined (exactOptionalPropertyTypes). */
export function diagnostic(
  code: Code,
  severity: Severity,
  message: string,
  rest: { [Key in 'span' | 'related' | 'target' | 'server' | 'help']?: Diagnostic[Key] | undefined } = {},
): Diagnostic {
  const { help, span } = rest
  const isAboutToml = help !== undefined && span?.file.endsWith('.toml') === true && /^BRIDLE[123]/.test(code)
  const fields = isAboutToml ? { ...rest, help: inToml(help) } : rest
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { code, severity, message, ...Object.fromEntries(present) }
}
