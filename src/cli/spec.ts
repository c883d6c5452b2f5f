import { findTarget, targetIds } from '../../targets/index.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { type LoadResult, loadSpec } from '../spec/load.ts'
import type { Spec } from '../spec/spec.ts'
import { mostLike } from '../spec/suggest.ts'
import { optimizeLate } from './optimizing.ts'
import type { Terminal } from './terminal.ts'

/** The options of every command that reads a spec. */
export interface SpecOptions {
  readonly config?: string
  readonly user?: boolean
}

/** The spec that the options name, or the nearest one from the working directory upward. */
export async function load(terminal: Terminal, options: SpecOptions): Promise<LoadResult> {
  return loadSpec({
    cwd: terminal.workingDirectory,
    home: terminal.home,
    configHome: terminal.environment['XDG_CONFIG_HOME'] || undefined,
    targetIds,
    prepare: optimizeLate,
    ...options,
  })
}

/** The targets that the user named, or else those that the spec chooses. Unknown names are errors. */
export function chooseTargets(
  names: readonly string[],
  spec: Spec | undefined,
): { targets: Target[]; diagnostics: Diagnostic[] } {
  const chosen = names.length > 0 ? [...new Set(names)] : Object.keys(spec?.targets ?? {})
  const found = chosen.map((name) => ({ name, target: findTarget(name) }))
  return {
    targets: found.flatMap(({ target }) => target ?? []),
    diagnostics: found.filter(({ target }) => target === undefined).map(({ name }) => unknownTarget(name)),
  }
}

function unknownTarget(name: string): Diagnostic {
  const suggestion = mostLike(name, targetIds)
  return diagnostic('BRIDLE213', 'error', `there is no target \`${name}\``, {
    help: `${suggestion === undefined ? '' : `did you mean \`${suggestion}\`? `}The targets are ${targetIds.join(', ')}`,
  })
}
