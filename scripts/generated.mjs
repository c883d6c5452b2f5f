// Every file of the repository that is made from the code. Run through scripts/generate.mjs, which can import TypeScript.
import { existsSync, readFileSync } from 'node:fs'
import { findEvidenceFaults } from '../src/compile/evidence.ts'
import { judge } from '../src/compile/judge.ts'
import { renderTargetsMarkdown, renderTargetsOverview } from '../src/compile/table.ts'
import { diagnosticsJsonSchema } from '../src/diagnostics/json-schema.ts'
import { renderTerminal } from '../src/diagnostics/terminal.ts'
import { specJsonSchema } from '../src/spec/json-schema.ts'
import { readSpec } from '../src/spec/read.ts'
import { builtinJsonSchema } from '../targets/builtin/json-schema.ts'
import { targetIds, targets } from '../targets/index.ts'

/** Paths from the root of the repository, each with the whole text of the file. */
export const generatedFiles = [
  { path: 'schemas/bridle.schema.json', content: json(specJsonSchema(targetIds)) },
  { path: 'schemas/diagnostics.schema.json', content: json(diagnosticsJsonSchema()) },
  { path: 'schemas/builtin.schema.json', content: json(builtinJsonSchema()) },
  {
    path: 'docs/targets/README.md',
    content: withTable(readFileSync('docs/targets/README.md', 'utf8'), renderTargetsMarkdown(targets)),
  },
  {
    path: 'README.md',
    content: await withOutput(withTable(readFileSync('README.md', 'utf8'), renderTargetsOverview(targets))),
  },
]

/** What the tables of the targets claim and nothing shows. */
export const evidenceFaults = findEvidenceFaults(targets, (file) =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined,
)

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** A text with its table of targets made again. */
function withTable(text, table) {
  return text.replace(
    /(<!-- targets:.*?-->\n)[\s\S]*(<!-- \/targets -->)/,
    (_, start, end) => `${start}\n${table}\n${end}`,
  )
}

/** The README with what `bridle check` prints for the spec that it shows first. */
async function withOutput(readme) {
  const spec = /```yaml\n([\s\S]*?)```/.exec(readme)[1]
  const read = await readSpec(spec, { file: 'bridle.yaml', folder: '/', targetIds })
  const judged = read.spec === undefined ? [] : targets.flatMap((target) => judge(read.spec, target))
  const output = renderTerminal([...read.diagnostics, ...judged], {
    textOf: () => read.source.text,
    columns: 120,
  })
  return readme.replace(/(\$ bridle check\n)[\s\S]*?(```)/, (_, start, end) => `${start}${output}${end}`)
}
