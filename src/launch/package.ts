import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of the built-in harness, in the build beside this module. */
export function builtinProgram(): string {
  return path.join(ownPackage(), 'dist/builtin.js')
}

/** The folder of Bridle's package, without symlinks. */
export function ownPackage(): string {
  return packageAbove(path.dirname(fileURLToPath(import.meta.url)))
}

function packageAbove(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : packageAbove(path.dirname(folder))
}
