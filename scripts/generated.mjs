// Every file of the repository that is made from the code. Run through scripts/generate.mjs, which can import TypeScript.
import { diagnosticsJsonSchema } from '../src/diagnostics/json-schema.ts'
import { specJsonSchema } from '../src/spec/json-schema.ts'
import { builtinJsonSchema } from '../targets/builtin/json-schema.ts'
import { targetIds } from '../targets/index.ts'

/** Paths from the root of the repository, each with the whole text of the file. */
export const generatedFiles = [
  { path: 'schemas/bridle.schema.json', content: json(specJsonSchema(targetIds)) },
  { path: 'schemas/diagnostics.schema.json', content: json(diagnosticsJsonSchema()) },
  { path: 'schemas/builtin.schema.json', content: json(builtinJsonSchema()) },
]

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
