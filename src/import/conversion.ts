import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'
import { isReference } from '../text/placeholders.ts'
import { looksSecret } from '../text/secret-shapes.ts'
import { isCredential } from '../text/secrets.ts'
import { leftOut } from './fields.ts'
import { finding, type ImportCode } from './findings.ts'
import type { ForeignServer, Reference, Text } from './foreign.ts'
import { literalOf, referencesIn } from './references.ts'
import type { Variables } from './variables.ts'

/** What comes up while one server is converted. */
export interface Collected {
  readonly foreign: ForeignServer
  readonly variables: Variables
  readonly findings: Diagnostic[]
  /** Leaves the server out. */
  refuse(reason: string, span: Span, help?: string): void
}

export function collect(foreign: ForeignServer, variables: Variables): Collected {
  const findings: Diagnostic[] = []
  const refuse = (reason: string, span: Span, help?: string): void => {
    findings.push(leftOut(reason, { span, server: foreign.name }, help))
  }
  return { foreign, variables, findings, refuse }
}

export function told(
  { foreign, findings }: Collected,
  code: ImportCode,
  message: string,
  { span }: { readonly span: Span } = foreign,
  help?: string,
): void {
  findings.push(finding(code, message, { span, server: foreign.name }, help))
}

/**
 * A literal of a field that takes nothing but its text: no reference, nothing that looks like one, no secret. Undefined,
 * and the server left out, for anything else.
 */
export function plainText(text: Text, what: string, collected: Collected): string | undefined {
  const literal = literalOf(text.parts)
  if (literal === undefined) {
    collected.refuse(
      `${what} refers to ${described(referencesIn(text.parts))}, and a spec has only literals there`,
      text.span,
    )
    return undefined
  }
  if (isCredential(literal)) {
    notCopied(what, text.span, collected)
    return undefined
  }
  if (literal.includes('${')) {
    collected.refuse(`${what} holds \`\${\` as a text, which a spec cannot say there`, text.span)
    return undefined
  }
  return literal
}

/** A literal where the language takes one that is meant as it stands. */
export function verbatimText(
  literal: string,
  what: string,
  span: Span,
  collected: Collected,
): string | { verbatim: string } {
  if (!literal.includes('${')) {
    if (isReference(literal)) {
      const unread = `${what} holds a reference that ${collected.foreign.program} does not replace: it stays the text that it is`
      told(collected, 'BRIDLE429', unread, { span }, orDeclare)
    }
    return literal
  }
  const message = `${what} holds \`\${\`, which ${collected.foreign.program} does not replace: it stays the text that it is`
  told(collected, 'BRIDLE429', message, { span }, orDeclare)
  return { verbatim: literal }
}

const orDeclare = 'If a variable was meant, declare it and use it by name.'

/** A secret where a spec has no field for one. */
export function notCopied(what: string, span: Span, collected: Collected): void {
  told(collected, 'BRIDLE423', `a secret stands in ${what}, and was not copied`, { span }, rotate)
  collected.refuse(`without the secret in ${what} it would not be the same server`, span)
}

export const rotate = 'Replace the secret where it was issued: whoever could read this file knows it.'

export function refuseText(
  text: string,
  what: string,
  { span }: { readonly span: Span },
  collected: Collected,
): void {
  if (looksSecret(text)) notCopied(what, span, collected)
}

/** References by name, for a message. */
export function described(references: readonly Reference[]): string {
  const names = references.map(({ kind, name }) => {
    if (kind === 'input') return `the input \`${name}\``
    return kind === 'environment' ? `the variable \`${name}\`` : `\`${name}\``
  })
  return [...new Set(names)].join(' and ')
}
