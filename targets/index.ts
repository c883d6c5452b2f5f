import type { Target } from '../src/compile/target.ts'
import { antigravity } from './antigravity/target.ts'
import { builtin } from './builtin/target.ts'
import { claude } from './claude/target.ts'
import { codex } from './codex/target.ts'
import { copilot } from './copilot/target.ts'
import { kimi } from './kimi/target.ts'

/** Every target by its id, in the order of the README's table. */
const byId = { claude, codex, kimi, copilot, antigravity, builtin } as const satisfies Readonly<
  Record<string, Target>
>

export type TargetId = keyof typeof byId

export const targets: readonly Target[] = Object.values(byId)

export const targetIds = Object.keys(byId) as readonly TargetId[]

export function findTarget(id: string): Target | undefined {
  return targets.find((target) => target.id === id)
}
