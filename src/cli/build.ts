import { targetIds } from '../../targets/index.ts'
import { compile } from '../compile/compile.ts'
import { hasErrors } from '../diagnostics/diagnostic.ts'
import { printDiagnostics } from './report.ts'
import { chooseTargets, load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface BuildOptions extends SpecOptions, InstallOptions {
  readonly out?: string
  readonly print?: boolean
  readonly keepGoing?: boolean
}

/** What is said only about the user's own files. */
export interface InstallOptions {
  readonly diff?: boolean
  readonly check?: boolean
  readonly remove?: boolean
  readonly adopt?: boolean
  readonly verify?: boolean
}

/**
 * `bridle build`: the standalone configuration of each chosen target, in the user's own files or in a tree. A refusal
 * for one writes nothing for any.
 */
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
  if (options.remove === true) {
    const { removeFromFiles } = await import('./build-files.ts')
    return removeFromFiles(terminal, targetNames, options)
  }
  const loaded = await load(terminal, options)
  const chosen = chooseTargets(targetNames, loaded.spec)
  const { spec } = loaded
  if (spec !== undefined && chosen.targets.length + chosen.diagnostics.length === 0) {
    terminal.err(`bridle build: no target was chosen; the targets are ${targetIds.join(', ')}\n`)
    return 2
  }
  if (options.out === undefined && options.print !== true) {
    const { buildFiles } = await import('./build-files.ts')
    return buildFiles(terminal, loaded, chosen, { ...options, isNamed: targetNames.length > 0 })
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
  const { printTree, writeOut } = await import('./build-tree.ts')
  if (options.out !== undefined) return (await writeOut(terminal, options.out, emissions)) && !failed ? 0 : 1
  printTree(terminal, emissions)
  return failed ? 1 : 0
}

function misuseOf({ out, print, ...options }: BuildOptions): string | undefined {
  if (out !== undefined && print === true) return 'either `--out DIR` or `--print`, not both'
  if (out === '') return '`--out` names no folder: is the variable of your shell empty?'
  if (out === undefined && print !== true) return undefined
  const other = (['diff', 'check', 'remove', 'adopt', 'verify'] as const).find(
    (name) => options[name] === true,
  )
  return (
    other && `\`--${other}\` is about your own files, and \`--${print ? 'print' : 'out'}\` leaves them alone`
  )
}
