import { compile, type Emission } from '../../../src/compile/compile.ts'
import type { Context, Target } from '../../../src/compile/target.ts'
import { readSpec } from '../../../src/spec/read.ts'

/** The emission of a spec given as a value; the spec must have no error for the target. */
export async function compiled(spec: object, target: Target, context: Context): Promise<Emission> {
  const read = await readSpec(JSON.stringify({ version: 1, ...spec }), {
    file: 'bridle.json',
    folder: '/project',
    targetIds: [target.id],
  })
  const compilation = read.spec && compile(read.spec, target, context)
  if (compilation?.emission === undefined) {
    throw new Error(JSON.stringify([...read.diagnostics, ...(compilation?.diagnostics ?? [])]))
  }
  return compilation.emission
}
