import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const support = fileURLToPath(new URL('.', import.meta.url))
const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** The real harnesses, taken from the packages that hold the binaries, so that no install script has to run. */
export const codexBinary = installed(
  `@openai/codex-linux-${process.arch}/vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`,
)
/** `CLAUDE_BINARY` names another one, to see what a newer or an older version does differently. */
export const claudeBinary =
  process.env['CLAUDE_BINARY'] ?? installed(`@anthropic-ai/claude-code-linux-${process.arch}/claude`)
/** A script, which needs a newer Node.js than the oldest on which Bridle works. `KIMI_PROGRAM` names another one. */
export const kimiProgram = process.env['KIMI_PROGRAM'] ?? installed('@moonshot-ai/kimi-code/dist/main.mjs')
/** The same under the name that npm gives it. */
export const kimiCommand = installed('.bin/kimi')
/** One file, which unpacks itself at its first run. */
export const copilotBinary = installed(`@github/copilot-linux-${process.arch}/copilot`)
/** The script under which npm starts it. */
export const copilotCommand = installed('@github/copilot/npm-loader.js')
/** Where it unpacks itself in tests that start it by hand: once for all of them. */
export const copilotUnpacked = `${modules}.cache/copilot`
/** A Node.js that is newer than the oldest one on which Bridle works. */
export const newerNode = installed(`node-linux-${process.arch}/bin/node`)

/**
 * Bundles programs of this folder (`dump-stdio`, say) into `<folder>/<name>.mjs`, one file each that plain Node runs and
 * that works inside a sandbox, where this checkout and its node_modules are not seen.
 */
export async function buildPrograms(folder: string, ...names: readonly string[]): Promise<void> {
  await build({
    entryPoints: names.map((name) => `${support}${name}.ts`),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
}

function installed(path: string): string {
  if (!existsSync(modules + path)) throw new Error(`${path} is missing: run npm --prefix test/harnesses ci`)
  return modules + path
}
