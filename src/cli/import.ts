import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { targetIds } from '../../targets/index.ts'
import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { shownPath } from '../host/paths.ts'
import { readText } from '../host/read-text.ts'
import { findDefaultFiles } from '../import/default-files.ts'
import { findForm } from '../import/forms/index.ts'
import { type ForeignFile, type ImportResult, importFiles } from '../import/import.ts'
import { renderSpec, type SpecFormat } from '../import/render.ts'
import { writeTree } from '../install/write-tree.ts'
import { findProject } from '../spec/find.ts'
import { count } from '../text/count.ts'
import { coverSecrets } from '../text/cover-secrets.ts'
import { failureReason } from '../text/failure.ts'
import { shown } from '../text/shown.ts'
import { printDiagnostics } from './report.ts'
import type { Terminal } from './terminal.ts'

export interface ImportOptions {
  readonly from?: string
  readonly out?: string
  readonly force?: boolean
  readonly format?: SpecFormat
}

/**
 * `bridle import`: a spec from the configuration of another program, on stdout or in a file. What there is to tell goes to
 * stderr, by place and without the lines themselves: they may hold secrets that nobody knows the shape of.
 */
export async function importCommand(
  terminal: Terminal,
  sources: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const format = formatOf(options)
  if (format === undefined) {
    terminal.err(
      'bridle import: `--out` names a file that ends in .yaml, .yml, .json or .toml, as `--format` says\n',
    )
    return 2
  }
  const { files, diagnostics } = await readSources(terminal, sources, options)
  if (hasErrors(diagnostics)) return fail(terminal, diagnostics)
  const project = projectOf(terminal)
  const result = await importFiles(files, { project, targetIds })
  if (result.spec === undefined) return fail(terminal, [...diagnostics, ...result.diagnostics])
  const text = renderSpec(result.spec, { format, comment: commentOf(files, result) })
  printDiagnostics(terminal, 'err', [...diagnostics, ...result.diagnostics])
  if (options.out === undefined) terminal.out(text)
  else if (!(await write(terminal, options.out, text, options.force === true))) return 1
  terminal.err(`${summaryOf(files, result)}\n`)
  return 0
}

function fail(terminal: Terminal, diagnostics: readonly Diagnostic[]): number {
  printDiagnostics(terminal, 'err', diagnostics)
  return 1
}

const formats: readonly { readonly ending: RegExp; readonly format: SpecFormat }[] = [
  { ending: /\.ya?ml$/i, format: 'yaml' },
  { ending: /\.json$/i, format: 'json' },
  { ending: /\.toml$/i, format: 'toml' },
]

/** By the name of the file; undefined when that says something else. */
function formatOf({ out, format }: ImportOptions): SpecFormat | undefined {
  if (out === undefined) return format ?? 'yaml'
  const named = formats.find(({ ending }) => ending.test(out))?.format
  return format === undefined || named === format ? named : undefined
}

function projectOf({ workingDirectory, home }: Terminal): string {
  return findProject(workingDirectory, workingDirectory, home)
}

interface Sources {
  readonly files: readonly ForeignFile[]
  readonly diagnostics: readonly Diagnostic[]
}

async function readSources(
  terminal: Terminal,
  sources: readonly string[],
  { from }: ImportOptions,
): Promise<Sources> {
  const read = await Promise.all(sources.map((source) => readSource(terminal, source, from)))
  return {
    files: read.flatMap(({ files }) => files),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** A name of a form means the default places of its program; everything else is a file. */
async function readSource(terminal: Terminal, source: string, from: string | undefined): Promise<Sources> {
  const form = from === undefined ? findForm(source) : undefined
  if (form === undefined) return readFile(terminal, path.resolve(terminal.workingDirectory, source), { from })
  const { workingDirectory, home, environment } = terminal
  const surroundings = { workingDirectory, home, environment, project: projectOf(terminal) }
  const { found, tried } = findDefaultFiles(form, surroundings)
  if (found.length === 0)
    return { files: [], diagnostics: [nothingFound(form.program, tried, workingDirectory)] }
  const read = await Promise.all(
    found.map(({ file, scope }) => readFile(terminal, file, { from: form.id, scope })),
  )
  return {
    files: read.flatMap(({ files }) => files),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  }
}

async function readFile(
  { workingDirectory }: Terminal,
  file: string,
  rest: Pick<ForeignFile, 'from' | 'scope'>,
): Promise<Sources> {
  const shownFile = shownPath(file, workingDirectory)
  const read = await readText(file, shownFile, wantedFile)
  if ('diagnostic' in read) return { files: [], diagnostics: [read.diagnostic] }
  return { files: [{ text: read.text, file: shownFile, ...rest }], diagnostics: [] }
}

const wantedFile = {
  noun: 'a file to import',
  example: 'Name a file, such as .mcp.json, or a program, such as claude.',
  missing:
    'Check the name. For the default files of a program, name the program: claude, codex, kimi, copilot, vscode, cursor.',
}

function nothingFound(program: string, tried: readonly string[], workingDirectory: string): Diagnostic {
  const help =
    tried.length === 0
      ? 'This form has no default places: name the file, with `--from`.'
      : `Looked for: ${tried.map((file) => shownPath(file, workingDirectory)).join(', ')}.`
  return diagnostic('BRIDLE420', 'error', `no configuration of ${program} was found`, { help })
}

function commentOf(files: readonly ForeignFile[], { leftOut, programs }: ImportResult): string[] {
  const from = `Imported from ${files.map(({ file }) => file).join(', ')} (${programs.join(', ')}) by \`bridle import\`.`
  const missing = `Left out: ${leftOut.join(', ')}. The report of the import says why.`
  return [from, ...(leftOut.length > 0 ? [missing] : [])].map((line) => shown(coverSecrets(line)))
}

function summaryOf(files: readonly ForeignFile[], { spec, leftOut }: ImportResult): string {
  const servers = count(Object.keys(spec?.servers ?? {}).length, 'server')
  const variables = count(Object.keys(spec?.variables ?? {}).length, 'variable')
  const names = files.map(({ file }) => shown(file)).join(', ')
  const missing = leftOut.length === 0 ? '' : `; ${count(leftOut.length, 'server')} left out`
  return `${names}: ${servers} and ${variables} imported${missing}`
}

/** An existing file is replaced only when asked. */
async function write(terminal: Terminal, out: string, text: string, force: boolean): Promise<boolean> {
  const file = path.resolve(terminal.workingDirectory, out)
  if (force) {
    const failures = await writeTree(path.dirname(file), [{ path: path.basename(file), text }])
    printDiagnostics(terminal, 'err', failures)
    if (hasErrors(failures)) return false
  } else {
    try {
      await writeFile(file, text, { flag: 'wx' })
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
      const reason = isThere
        ? 'is already there; `--force` replaces it'
        : `cannot be written: ${failureReason(error)}`
      terminal.err(`bridle import: ${out} ${reason}\n`)
      return false
    }
  }
  terminal.out(`${out}\n`)
  return true
}
