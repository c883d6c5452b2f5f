import { type TargetId, targets } from '../../targets/index.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { judgeAll } from '../install/judge-files.ts'
import type { Spec } from '../spec/spec.ts'
import { chosenTargets } from './targets.ts'

export interface CheckOptions {
  /** By default those that the spec chooses. */
  readonly targets?: readonly TargetId[]
  /** One use, judged strictly. By default both: what only one of them can do is a note. */
  readonly for?: 'build' | 'run'
  /** Whether the files of the user are meant, each of which has one reader, and not those of a project. */
  readonly user?: boolean
}

/** All that stands against a spec on its targets, beyond what `readSpec` found in the language. Pure. */
export function check(spec: Spec, options: CheckOptions = {}): readonly Diagnostic[] {
  const chosen = chosenTargets(spec, options.targets)
  return judgeAll({ spec, chosen, targets, use: options.for, isOfProject: options.user !== true })
}
