import type { TargetId } from '../../targets/index.ts'
import type { SpecDefinition } from '../spec/definition.ts'

/**
 * A spec in TypeScript, completed and checked by the compiler: its keys, the declared variables and servers that it
 * names, and the targets. Gives back what it takes; `readSpec` finds all that a type cannot say.
 */
export function defineSpec<Variable extends string = never, Server extends string = never>(
  spec: SpecDefinition<Variable, Server, TargetId>,
): SpecDefinition<Variable, Server, TargetId> {
  return spec
}
