import { targetIds } from '../../targets/index.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { importConfig as importText } from '../import/import.ts'
import type { SpecDefinition } from '../spec/definition.ts'

export interface ImportConfigOptions {
  /** What diagnostics call it; the name mostly tells which program's file it is. By default `config`. */
  readonly file?: string
  /** The form of the file, where its name does not tell it; `bridle import --help` lists them. */
  readonly from?: string
  /** The folder of the project, absolute: some files hold the servers of several. */
  readonly project?: string
}

export interface ImportedConfig {
  /** Absent where there are errors. `readSpec` reads it; as JSON it is the text of a spec. */
  readonly spec?: SpecDefinition
  /** Everything to tell: what is not carried over, what was changed. No value of a secret is in it. */
  readonly diagnostics: readonly Diagnostic[]
  /** The servers that are not in the spec, as the file calls them. */
  readonly leftOut: readonly string[]
}

/**
 * A spec from the text of another program's configuration: Claude Code, Codex, VS Code, Cursor and more. What a spec
 * cannot say is told and never guessed, and a literal that looks like a secret is not copied.
 *
 * @throws TypeError where there is no text
 */
export async function importConfig(text: string, options: ImportConfigOptions = {}): Promise<ImportedConfig> {
  if (typeof text !== 'string') throw new TypeError('importConfig takes the text of a configuration.')
  const { file = 'config', ...rest } = options
  const { spec, diagnostics, leftOut } = await importText(text, { ...rest, file, targetIds })
  // The same language in zod's type: optional keys are absent, never undefined.
  return { ...(spec && { spec: spec as SpecDefinition }), diagnostics, leftOut }
}
