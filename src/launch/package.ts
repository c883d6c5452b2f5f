import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of the built-in harness, in the build beside this module. */
export function builtinProgram(): string {
  return path.join(packageFolder(path.dirname(fileURLToPath(import.meta.url))), 'dist/builtin.js')
}

function packageFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : packageFolder(path.dirname(folder))
}
