import type { Target } from '../src/compile/target.ts'
import { builtin } from './builtin/target.ts'
import { claude } from './claude/target.ts'
import { codex } from './codex/target.ts'

/** Every target, in the order of the README's table. */
export const targets: readonly Target[] = [claude, codex, builtin]

export const targetIds: readonly string[] = targets.map(({ id }) => id)

export function findTarget(id: string): Target | undefined {
  return targets.find((target) => target.id === id)
}
