// Bundles the command, the built-in harness and the library into dist/, split so that each command loads only its own
// code, and writes the type declarations. Everything used at run time is inside: an install of Bridle brings nothing else.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '..'))

// Built beside and exchanged at the end, so that whoever starts the command meanwhile finds a whole one.
const [fresh, old] = [`dist-${process.pid}`, `dist-${process.pid}-old`]
process.on('exit', () => {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
})

const options = {
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // jsonc-parser's CommonJS form asks for its own files in a way that no bundler sees.
  mainFields: ['module', 'main'],
  minify: true,
  metafile: true,
  logLevel: 'warning',
  chunkNames: 'chunks/[name]-[hash]',
  // Libraries written as CommonJS ask for Node's own modules by `require`, which an ES module does not have.
  banner: { js: 'const require = process.getBuiltinModule;' },
}
// Each by itself: what the command shares with the others would be split off, and each file costs its start a millisecond.
const entryPoints = { cli: 'src/cli/entry.ts', builtin: 'src/agent/builtin.ts', index: 'src/index.ts' }
const results = await Promise.all(
  Object.entries(entryPoints).map(([name, entry]) => build({ ...options, entryPoints: { [name]: entry } })),
)
const inputs = new Set(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)))
writeFileSync(`${fresh}/THIRD-PARTY-LICENSES.txt`, licenses([...inputs].sort()))
execFileSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--outDir', `${fresh}/types`], {
  stdio: 'inherit',
})
if (existsSync('dist')) renameSync('dist', old)
renameSync(fresh, 'dist')

/** The licence texts of the packages whose code is in the bundle. */
function licenses(inputs) {
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []))
  return [...folders].sort().map(licenseOf).join('\n\n')
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE']
    .map((each) => `${folder}/${each}`)
    .find(existsSync)
  return `${name} ${version} (${license})\n\n${file ? readFileSync(file, 'utf8').trim() : ''}`
}
