import { distance } from 'fastest-levenshtein'

/**
 * How many wrong names of one kind get a suggestion. Each is compared with every candidate, and where there are more of
 * them something else happened than a slip of the finger.
 */
export const mostSuggestions = 100

/** The candidate that a mistyped name was most likely meant to be; undefined when none is near. */
export function mostLike(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const steps = isSameButForCase(name, candidate) ? 0 : distance(name, candidate)
    if (steps < least) [best, least] = [candidate, steps]
  }
  return best
}

/** `start_up-timeoutms` is `startUpTimeoutMs`: other tools write names in other styles. */
function isSameButForCase(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}
