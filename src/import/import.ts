import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { createSource, problemFinding } from '../spec/source.ts'
import { convertServer } from './convert.ts'
import { finding } from './findings.ts'
import { type ForeignConfig, type ForeignServer, isLeftOut, type Scope, type Text } from './foreign.ts'
import type { Form } from './form.ts'
import { findForm, formIds } from './forms/index.ts'
import { type Candidate, guard } from './guard.ts'
import type { ImportedSpec } from './imported.ts'
import { applyPolicies, mergeServers, type ReadServer } from './merge.ts'
import { serverNames } from './names.ts'
import { parseFile } from './parse.ts'
import { recogniseForm } from './recognise.ts'
import { referencesIn } from './references.ts'
import { createVariables, namesOfEnvironment } from './variables.ts'

export interface ImportOptions {
  /** As shown to the user; its name tells the form where no other one has such a name. */
  readonly file: string
  /** The form of the file: `claude`, `codex`, `kimi`, `copilot`, `vscode`, `cursor`, `registry`, `agent-tools`, `mentor`. */
  readonly from?: string | undefined
  /** The folder of the project, absolute: some files hold the servers of several. */
  readonly project?: string | undefined
  /** The targets that there are; by default none, and the spec chooses none. */
  readonly targetIds?: readonly string[] | undefined
}

/** A file to import; several of them are one configuration, the nearest first. */
export interface ForeignFile {
  readonly text: string
  readonly file: string
  readonly from?: string | undefined
  /** Whose file it is. */
  readonly scope?: Scope | undefined
}

export interface ImportResult {
  /** The spec as a plain value; absent when there are errors. `renderSpec` writes it down. */
  readonly spec?: ImportedSpec
  /** Everything to tell, by file and place: what is not carried over, what was changed. No value of a secret is in it. */
  readonly diagnostics: readonly Diagnostic[]
  /** The servers that are not in the spec, as the files call them. */
  readonly leftOut: readonly string[]
  /** The programs whose files these are. */
  readonly programs: readonly string[]
}

/**
 * A spec from the configuration of another program. Pure but for loading the parser that the file needs.
 *
 * What a spec cannot say is told and never guessed: a reference is no literal, a literal that looks like a secret is not
 * copied, and a server that would lose a restriction is left out.
 */
export async function importConfig(
  text: string,
  { file, from, ...options }: ImportOptions,
): Promise<ImportResult> {
  return importFiles([{ text, file, from }], options)
}

/** The same for the files of one program that count together, such as those of a project and of its user. */
export async function importFiles(
  files: readonly ForeignFile[],
  { project, targetIds = [] }: Pick<ImportOptions, 'project' | 'targetIds'> = {},
): Promise<ImportResult> {
  const read = await Promise.all(files.map((file) => readForeign(file, project)))
  const diagnostics = read.flatMap(({ findings }) => findings)
  const programs = [...new Set(read.flatMap(({ form }) => form?.program ?? []))]
  if (hasErrors(diagnostics)) return { diagnostics, leftOut: [], programs }
  const merged = mergeServers(read.flatMap(({ servers }) => servers))
  const governed = applyPolicies(
    merged,
    read.flatMap(({ policies }) => policies),
  )
  const converted = onlyFirstWay(convertAll(governed.servers))
  const targets = read.flatMap(({ form }) =>
    form?.target !== undefined && targetIds.includes(form.target) ? [form.target] : [],
  )
  const guarded = await guard(converted, targets)
  return {
    ...(guarded.spec && { spec: guarded.spec }),
    diagnostics: byPlace(files, [...diagnostics, ...governed.findings, ...guarded.findings]),
    leftOut: guarded.leftOut,
    programs,
  }
}

interface ReadFile extends Omit<ForeignConfig, 'servers'> {
  readonly form?: Form
  readonly servers: readonly ReadServer[]
}

async function readForeign(
  { text, file, from, scope = 'project' }: ForeignFile,
  project?: string,
): Promise<ReadFile> {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const form = from === undefined ? recogniseForm(body, file) : (findForm(from) ?? noSuchForm(from))
  if ('code' in form) return { servers: [], policies: [], findings: [form] }
  const { root, problems, beyondJson } = await parseFile(body, form.syntax)
  const source = createSource(file, '/', body, root)
  const findings = problems.map((problem) => problemFinding(problem, source))
  if (root === undefined || hasErrors(findings))
    return { form, servers: [], policies: [], findings: orEmpty(findings, source.span([])) }
  if (beyondJson !== undefined && form.syntax === 'strict json') {
    const message = `${form.program} does not read this file. ${beyondJson.message}`
    findings.push(finding('BRIDLE427', message, { span: source.at(beyondJson) }))
  }
  const raw = ({ start, end }: { start: number; end: number }) => body.slice(start, end)
  const context = { form, file, scope, at: source.at, raw, ...(project !== undefined && { project }) }
  const config = form.read(root, context)
  return {
    form,
    servers: config.servers.map((server) => ({ form, server })),
    policies: config.policies,
    findings: [...findings, ...config.findings],
  }
}

function noSuchForm(from: string): Diagnostic {
  return diagnostic('BRIDLE420', 'error', `there is no form \`${from}\``, {
    help: `Forms are ${formIds.join(', ')}.`,
  })
}

/** An empty file has no servers. */
function orEmpty(
  findings: readonly Diagnostic[],
  span: NonNullable<Diagnostic['span']>,
): readonly Diagnostic[] {
  if (findings.length > 0) return findings
  return [finding('BRIDLE427', 'the file is empty', { span })]
}

/** Left-out servers are converted too, so that all there is to tell of them is told at once. */
function convertAll(servers: readonly ForeignServer[]): readonly Candidate[] {
  const kept = servers.filter((server) => !isLeftOut(server))
  const names = serverNames([...kept, ...servers.filter(isLeftOut)].map(({ name }) => name))
  const nameOf = new Map(
    [...kept, ...servers.filter(isLeftOut)].map((server, index) => [server, names[index] ?? '']),
  )
  const variables = createVariables(
    namesOfEnvironment(servers.flatMap(textsOf).flatMap(({ parts }) => referencesIn(parts))),
  )
  return servers.map((foreign) => {
    const name = nameOf.get(foreign) ?? foreign.name
    return { name, foreign, ...convertServer(foreign, name, variables) }
  })
}

/** Of several ways to reach one server, the first that can be taken is taken; the others stand beside it, switched off. */
function onlyFirstWay(candidates: readonly Candidate[]): readonly Candidate[] {
  const taken = new Set<string>()
  return candidates.map((candidate) => {
    const { foreign, server, findings } = candidate
    const { name, span, isOneWay = false } = foreign
    if (!isOneWay || server === undefined) return candidate
    if (!taken.has(span.file)) {
      taken.add(span.file)
      return candidate
    }
    const message = 'another way to reach the same server, so it is switched off: `enabled: false`'
    const told = finding('BRIDLE429', message, { span, server: name })
    return { ...candidate, server: { ...server, enabled: false }, findings: [...findings, told] }
  })
}

/** Of two values for one name, the last one counts. */
function textsOf({ environment = [], headers = [] }: ForeignServer): Text[] {
  const last = new Map(environment.map((named) => [named.name, named]))
  return [...last.values(), ...headers].map(({ text }) => text)
}

/** In the order of the files, and down each of them. */
function byPlace(files: readonly ForeignFile[], diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const order = files.map(({ file }) => file)
  const rank = ({ span }: Diagnostic) => (span === undefined ? -1 : order.indexOf(span.file))
  return diagnostics.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.span?.line ?? 0) - (b.span?.line ?? 0) ||
      (a.span?.column ?? 0) - (b.span?.column ?? 0),
  )
}
