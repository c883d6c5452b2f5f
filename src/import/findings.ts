import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic, type Severity, type Span } from '../diagnostics/diagnostic.ts'
import { coverSecrets } from '../text/cover-secrets.ts'

const severities = {
  BRIDLE420: 'error',
  BRIDLE421: 'warning',
  BRIDLE422: 'warning',
  BRIDLE423: 'warning',
  BRIDLE424: 'note',
  BRIDLE425: 'note',
  BRIDLE426: 'note',
  BRIDLE427: 'warning',
  BRIDLE428: 'error',
  BRIDLE429: 'note',
} as const satisfies Partial<Record<Code, Severity>>

export type ImportCode = keyof typeof severities

interface Where {
  readonly span: Span
  /** Its name in the file. */
  readonly server?: string | undefined
}

/**
 * Something to tell about a file that is imported. A message names keys, servers and variables, and never a value: what
 * stands in a foreign file may be a secret.
 */
export function finding(code: ImportCode, message: string, where: Where, help?: string): Diagnostic {
  const { span, server } = where
  return diagnostic(code, severities[code], message, { span, server: server && coverSecrets(server), help })
}
