import path from 'node:path'
import { targetIds } from '../../targets/index.ts'
import { compile, type Emission } from '../compile/compile.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { findLeftovers } from '../install/leftovers.ts'
import { writeTree } from '../install/write-tree.ts'
import { printDiagnostics } from './report.ts'
import { chooseTargets, load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface BuildOptions extends SpecOptions {
  readonly out?: string
  readonly print?: boolean
  readonly keepGoing?: boolean
}

/** `bridle build`: the standalone configuration of each chosen target. A refusal for one writes nothing for any. */
export async function build(
  terminal: Terminal,
  targetNames: readonly string[],
  options: BuildOptions,
): Promise<number> {
  const misuse = misuseOf(options)
  if (misuse !== undefined) {
    terminal.err(`bridle build: ${misuse}\n`)
    return 2
  }
  const loaded = await load(terminal, options)
  const chosen = chooseTargets(targetNames, loaded.spec)
  const { spec } = loaded
  if (spec !== undefined && chosen.targets.length + chosen.diagnostics.length === 0) {
    terminal.err(`bridle build: no target was chosen; the targets are ${targetIds.join(', ')}\n`)
    return 2
  }
  const compiled =
    spec === undefined ? [] : chosen.targets.map((target) => compile(spec, target, 'standalone'))
  const diagnostics = [
    ...loaded.diagnostics,
    ...chosen.diagnostics,
    ...compiled.flatMap((compilation) => compilation.diagnostics),
  ]
  printDiagnostics(terminal, 'err', diagnostics, loaded.source)
  const failed = hasErrors(diagnostics)
  if (failed && options.keepGoing !== true) return 1
  const emissions = compiled.flatMap(({ emission }) => emission ?? [])
  const written =
    options.out === undefined
      ? print(terminal, emissions)
      : await write(terminal, path.resolve(terminal.workingDirectory, options.out), options.out, emissions)
  return failed || !written ? 1 : 0
}

function misuseOf({ out, print }: BuildOptions): string | undefined {
  if (out !== undefined && print === true) return 'either `--out DIR` or `--print`, not both'
  if (out === '') return '`--out` names no folder: is the variable of your shell empty?'
  if (out !== undefined || print === true) return undefined
  return 'say where to: `--out DIR` or `--print`. Writing into your own files comes later.'
}

function print(terminal: Terminal, emissions: readonly Emission[]): boolean {
  for (const { path: file, text } of treeOf(emissions)) terminal.out(`── ${file}\n${text}`)
  return true
}

async function write(
  terminal: Terminal,
  folder: string,
  shownFolder: string,
  emissions: readonly Emission[],
): Promise<boolean> {
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
