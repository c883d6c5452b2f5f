import path from 'node:path'
import type { Emission } from '../compile/compile.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { findLeftovers } from '../install/leftovers.ts'
import { writeTree } from '../install/write-tree.ts'
import { printDiagnostics } from './report.ts'
import type { Terminal } from './terminal.ts'

/** Prints the files of `bridle build --print`: of several each with its name, a single one as it is, for a pipe. */
export function printTree(terminal: Terminal, emissions: readonly Emission[]): void {
  const files = treeOf(emissions)
  for (const { path: file, text } of files) terminal.out(files.length > 1 ? `── ${file}\n${text}` : text)
}

/** Writes `DIR/<target>/…`; gives whether it could. */
export async function writeOut(
  terminal: Terminal,
  shownFolder: string,
  emissions: readonly Emission[],
): Promise<boolean> {
  const folder = path.resolve(terminal.workingDirectory, shownFolder)
  const files = treeOf(emissions)
  const failures = await writeTree(folder, files)
  const targets = emissions.map(({ target }) => target)
  const diagnostics = hasErrors(failures) ? failures : await findLeftovers(folder, targets, files)
  printDiagnostics(terminal, 'err', diagnostics)
  if (hasErrors(diagnostics)) return false
  for (const file of files) terminal.out(`${path.join(shownFolder, file.path)}\n`)
  return true
}

function treeOf(emissions: readonly Emission[]): { path: string; text: string }[] {
  return emissions.flatMap(({ target, files }) =>
    files.map((file) => ({ path: path.join(target, file.path), text: file.text })),
  )
}
