import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic, type RelatedPlace, type Span } from '../diagnostics/diagnostic.ts'
import type { PlacedSource } from './source.ts'
import type { Path } from './spec.ts'
import type { Node } from './tree.ts'

/** Collects what is wrong with one spec. */
export interface Report {
  readonly source: PlacedSource
  readonly diagnostics: Diagnostic[]
  /** Schemas for which there is more to check than the schema says, and who does it. */
  readonly readers: ReadonlyMap<unknown, Reader>
}

/** Checks a node and gives what it says, without the faulty parts. */
export type Reader = (node: Node, path: Path, report: Report) => unknown

export interface Rest {
  readonly help?: string | undefined
  readonly related?: RelatedPlace | undefined
  readonly severity?: Diagnostic['severity']
}

/** Adds a finding. The path says to which server it belongs. */
export function add(report: Report, code: Code, message: string, span: Span, path: Path, rest: Rest = {}) {
  const { help, related, severity = 'error' } = rest
  report.diagnostics.push(
    diagnostic(code, severity, capitalized(message), {
      span,
      related: related && [related],
      server: serverOf(path),
      help,
    }),
  )
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

function serverOf([first, name]: Path): string | undefined {
  return first === 'servers' && typeof name === 'string' ? name : undefined
}

/** How a place is called in a message: `arguments[1]` within a server, `targets.codex.omit` elsewhere. */
export function label(path: Path): string {
  const [first, name, ...field] = path
  if (first === 'servers' && name !== undefined && field.length === 0)
    return `the server ${quoted(String(name))}`
  return `\`${steps(first === 'servers' && field.length > 0 ? field : path)}\``
}

function steps(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const name = /^[\w$-]+$/.test(step) ? step : quoted(step)
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

/** A text of the user in a message: one line, no longer than a line, control characters as escapes. */
export function quoted(text: string): string {
  const characters = [...text]
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text)
}
