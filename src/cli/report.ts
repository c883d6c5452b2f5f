import path from 'node:path'
import picocolors from 'picocolors'
import packageJson from '../../package.json' with { type: 'json' }
import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'
import { renderJson } from '../diagnostics/json.ts'
import { renderTerminal } from '../diagnostics/terminal.ts'
import { contains } from '../host/paths.ts'
import { findProject } from '../spec/find.ts'
import type { Source } from '../spec/spec.ts'
import type { Terminal } from './terminal.ts'

/** The forms in which programs read diagnostics. */
export type ProgramFormat = 'json' | 'sarif' | 'github'

/** Prints diagnostics for people, with the lines that they mean where the text of the file is given. */
export function printDiagnostics(
  terminal: Terminal,
  stream: 'out' | 'err',
  diagnostics: readonly Diagnostic[],
  ...sources: readonly (Pick<Source, 'file' | 'text'> | undefined)[]
): void {
  const text = renderTerminal(diagnostics, {
    textOf: (file) => sources.find((source) => source?.file === file)?.text,
    palette: picocolors.createColors(terminal.colors[stream]),
    columns: terminal.columns,
  })
  if (text !== '') terminal[stream](text)
}

/**
 * Prints diagnostics for a program to stdout: a whole document also when there are none.
 *
 * @param specFolder where the spec stands, when it was found
 * @param sources the texts of files that diagnostics name, as far as they are known
 */
export async function printReport(
  terminal: Terminal,
  format: ProgramFormat,
  diagnostics: readonly Diagnostic[],
  specFolder: string | undefined,
  ...sources: readonly (Pick<Source, 'file' | 'text'> | undefined)[]
): Promise<void> {
  if (format === 'json') return terminal.out(renderJson(diagnostics))
  const inProject = projectPaths(terminal, specFolder ?? terminal.workingDirectory)
  const placed = diagnostics.map((each) => withFiles(each, inProject))
  const options = {
    version: packageJson.version,
    textOf: (file: string) => sources.find((source) => source && inProject(source.file) === file)?.text,
  }
  if (format === 'github') {
    const { renderGithub } = await import('../diagnostics/github.ts')
    return terminal.out(renderGithub(placed, options))
  }
  const { renderSarif } = await import('../diagnostics/sarif.ts')
  terminal.out(renderSarif(placed, options))
}

/** The path of a file as a code scan has it: from the root of the project, or absolute where it lies outside. */
function projectPaths({ workingDirectory, home }: Terminal, specFolder: string): (file: string) => string {
  const project = findProject(workingDirectory, specFolder, home)
  return (file) => {
    // Files of the user are shown from the home folder.
    const absolute = file.startsWith('~/')
      ? path.join(home, file.slice(2))
      : path.resolve(workingDirectory, file)
    return contains(project, absolute) ? path.relative(project, absolute) : absolute
  }
}

function withFiles(diagnostic: Diagnostic, change: (file: string) => string): Diagnostic {
  const { span, related } = diagnostic
  const moved = (place: Span): Span => ({ ...place, file: change(place.file) })
  return {
    ...diagnostic,
    ...(span && { span: moved(span) }),
    ...(related && { related: related.map((place) => ({ ...place, span: moved(place.span) })) }),
  }
}
