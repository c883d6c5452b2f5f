import { targets as all, findTarget, type TargetId, targetIds } from '../../targets/index.ts'
import type { Target } from '../compile/target.ts'
import type { Spec } from '../spec/spec.ts'

/** A harness that a spec can be compiled for, and how it honors each feature of the language. */
export type TargetInfo = Readonly<
  Pick<Target, 'title' | 'provedWith' | 'supports' | 'evidence'> & {
    id: TargetId
    /** Whether `bridle run` can start it. */
    isLaunchable: boolean
  }
>

/** Every target, in the order of the table that `bridle targets` prints. */
export const targets: readonly TargetInfo[] = all.map(
  ({ id, title, provedWith, supports, evidence, launch }) => ({
    id: id as TargetId,
    title,
    ...(provedWith !== undefined && { provedWith }),
    supports,
    ...(evidence !== undefined && { evidence }),
    isLaunchable: launch !== undefined,
  }),
)

/** These targets, or those that the spec chooses. Throws a RangeError for a name that the compiler would have refused. */
export function chosenTargets(spec: Spec, ids?: readonly TargetId[]): Target[] {
  return (ids ?? targetIds.filter((id) => Object.hasOwn(spec.targets, id))).map(targetOf)
}

/** Throws a RangeError for a name that the compiler would have refused. */
export function targetOf(id: TargetId): Target {
  const target = findTarget(id)
  if (target === undefined)
    throw new RangeError(`There is no target ${id}; the targets are ${targetIds.join(', ')}.`)
  return target
}
