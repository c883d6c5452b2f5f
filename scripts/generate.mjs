// Writes the generated files (see generated.mjs). With --check it writes nothing, and fails when one is not current or when
// a target claims what no test and no fact shows.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '..'))

const { generatedFiles, evidenceFaults } = await importBundled('scripts/generated.mjs')
const stale = generatedFiles.filter(
  ({ path: file, content }) => !existsSync(file) || readFileSync(file, 'utf8') !== content,
)

if (process.argv.includes('--check')) {
  for (const { path: file } of stale) console.error(`${file} is not current: run \`npm run generate\``)
  for (const fault of evidenceFaults) console.error(`evidence: ${fault}`)
  process.exitCode = stale.length + evidenceFaults.length > 0 ? 1 : 0
} else {
  for (const { path: file, content } of stale) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
    console.log(`wrote ${file}`)
  }
}

/** Imports a module that imports TypeScript, which Node 20 cannot do by itself. */
async function importBundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(process.cwd() + '/');",
    },
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
