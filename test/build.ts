import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const inputs = ['src', 'targets', 'scripts/build.mjs', 'package.json', 'package-lock.json']

/** Before any test: the command under test is dist/cli.js, so it is built again when anything that it is made of changed. */
export function setup(): void {
  const newest = Math.max(...inputs.map((input) => changedAtMs(join(root, input))))
  const built = statSync(join(root, 'dist/cli.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (newest < built) return
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: 'inherit' })
}

/** Of a folder: the last change below it, removals among them. */
function changedAtMs(path: string): number {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAtMs(join(path, name))))
}
