import type { TargetId } from '../../targets/index.ts'
import { judge, judgeContext } from '../compile/judge.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { chosenTargets } from './targets.ts'

export interface CheckOptions {
  /** By default those that the spec chooses. */
  readonly targets?: readonly TargetId[]
  /** One use, judged strictly. By default both: what only one of them can do is a note. */
  readonly for?: 'build' | 'run'
}

/** All that stands against a spec on its targets, beyond what `readSpec` found in the language. Pure. */
export function check(spec: Spec, options: CheckOptions = {}): readonly Diagnostic[] {
  return chosenTargets(spec, options.targets).flatMap((target) => {
    if (options.for === undefined) return judge(spec, target)
    return judgeContext(spec, target, options.for === 'build' ? 'standalone' : 'launch')
  })
}
