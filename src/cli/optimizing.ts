import { setFlagsFromString } from 'node:v8'

/** Of a spec of some thirty servers. */
const large = 3000

/**
 * Optimizing machine code costs more than it saves in a command that ends at once: with V8's defaults a check of 1,000
 * servers takes 1.7 times the CPU on Node 20. What runs long is optimized all the same, later. With changed flags V8
 * compiles the modules of Node itself anew (8 ms of every start), so that a small spec leaves them alone.
 *
 * @param characters how long the text of the spec is
 */
export function optimizeLate(characters: number): void {
  if (characters < large) return
  for (const flag of flagsOf(process.versions.v8)) setFlagsFromString(flag)
}

/**
 * Of Node 20, and of Node 22 to 25. V8 complains on stderr of a flag that it does not know, so that a version which is
 * not known here gets none.
 */
function flagsOf(v8: string): string[] {
  if (v8.startsWith('11.3.')) return ['--interrupt-budget=1500000']
  const isLater = /^1[234]\./.test(v8)
  return isLater ? ['--invocation-count-for-maglev=12000', '--invocation-count-for-turbofan=60000'] : []
}
