import type { TargetId } from '../../targets/index.ts'
import { type Compilation, compile as compileFor } from '../compile/compile.ts'
import type { Context } from '../compile/target.ts'
import type { Spec } from '../spec/spec.ts'
import { targetOf } from './targets.ts'

/**
 * The configuration files of one harness, or everything that stands against them. Pure.
 *
 * @param context `standalone` (the default): files with which the user starts the harness; `launch`: what `bridle run`
 *   gives it, where each secret has a neutral name that `injections` explains
 */
export function compile(spec: Spec, target: TargetId, context: Context = 'standalone'): Compilation {
  return compileFor(spec, targetOf(target), context)
}
