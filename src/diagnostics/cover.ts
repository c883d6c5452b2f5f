import { coverSecrets } from '../text/cover-secrets.ts'
import type { Diagnostic } from './diagnostic.ts'

/** The diagnostic with what looks like a secret covered in its texts: it may quote a name or a value of the user. */
export function covered(diagnostic: Diagnostic): Diagnostic {
  const { message, help, related } = diagnostic
  return {
    ...diagnostic,
    message: coverSecrets(message),
    ...(help !== undefined && { help: coverSecrets(help) }),
    ...(related && {
      related: related.map((place) => ({ ...place, message: coverSecrets(place.message) })),
    }),
  }
}
