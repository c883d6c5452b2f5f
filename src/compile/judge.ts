import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { checkServers } from './check.ts'
import { selectServers } from './select.ts'
import { type Context, isLaunchable, type Target } from './target.ts'

/**
 * What stands against a spec on a target, in both contexts at once. What neither context can honor is an error. When
 * one context honors the whole spec, what the other cannot is a note that says so. A target that Bridle cannot start is
 * judged for files alone.
 */
export function judge(spec: Spec, target: Target): Diagnostic[] {
  const standalone = judgeContext(spec, target, 'standalone')
  if (!isLaunchable(target)) return standalone
  const launch = judgeContext(spec, target, 'launch')
  const [inStandalone, inLaunch] = [new Set(standalone.map(identity)), new Set(launch.map(identity))]
  const shared = standalone.filter((diagnostic) => inLaunch.has(identity(diagnostic)))
  const onlyLaunch = standalone.filter((diagnostic) => !inLaunch.has(identity(diagnostic)))
  const onlyStandalone = launch.filter((diagnostic) => !inStandalone.has(identity(diagnostic)))
  if (onlyStandalone.length > 0 && onlyLaunch.length > 0) {
    return [...shared, ...onlyLaunch.map(within('standalone')), ...onlyStandalone.map(within('launch'))]
  }
  return [...shared, ...onlyLaunch.map(asNote('launch')), ...onlyStandalone.map(asNote('standalone'))]
}

/** What stands against a spec on a target in one context. Writes no emission, so it is quick. */
export function judgeContext(spec: Spec, target: Target, context: Context): Diagnostic[] {
  return checkServers(spec, selectServers(spec, target, context), target, context)
}

/** Two contexts say the same with these in common; the reasons may differ. */
function identity({ code, server, span }: Diagnostic): string {
  return `${code} ${server} ${span?.line}:${span?.column}`
}

const contextWords: Record<Context, string> = {
  standalone: 'in files written by `bridle build`',
  launch: 'with `bridle run`',
}

function within(context: Context): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => ({ ...diagnostic, message: `${contextWords[context]}: ${diagnostic.message}` })
}

/** The other context refuses it: still good news, so the message begins with where it works. */
function asNote(context: Context): (diagnostic: Diagnostic) => Diagnostic {
  const code = context === 'launch' ? 'BRIDLE302' : 'BRIDLE309'
  return (diagnostic) => ({
    ...diagnostic,
    code,
    severity: 'note',
    message: `only ${contextWords[context]}: ${diagnostic.message}`,
  })
}
