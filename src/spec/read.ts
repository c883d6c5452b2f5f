import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { buildSpec } from './build.ts'
import { checkHints } from './hints.ts'
import { parseJson } from './parse-json.ts'
import { parsePlainYaml } from './plain-yaml.ts'
import { checkReferences } from './references.ts'
import type { Reader, Report } from './report.ts'
import {
  accountSchema,
  type SpecInput,
  serverSchema,
  specSchema,
  targetSettings,
  variableSource,
} from './schema.ts'
import { readServer } from './server.ts'
import { readAccount, readSettings } from './settings.ts'
import { createSource, problemFinding } from './source.ts'
import type { Source, Spec } from './spec.ts'
import type { Node, Parsed } from './tree.ts'
import { validate } from './validate.ts'
import { readVariableSource } from './variable.ts'

export interface ReadOptions {
  /** As shown to the user; `.json` is read as JSON, `.toml` as TOML, everything else as YAML. */
  readonly file: string
  /** Absolute; relative paths of the spec start here. */
  readonly folder: string
  /** The targets that there are. */
  readonly targetIds: readonly string[]
}

export interface ReadResult {
  /** Absent when there are errors. */
  readonly spec?: Spec
  readonly source: Source
  /** Everything that is wrong, in order of place. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the text of a spec. Pure but for loading the parser that the file needs. */
export async function readSpec(text: string, { file, folder, targetIds }: ReadOptions): Promise<ReadResult> {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  const { root, problems } = await parse(body, file)
  const source = createSource(file, folder, body, root)
  const report: Report = {
    source,
    diagnostics: problems.map((problem) => problemFinding(problem, source)),
    readers,
  }
  const input = root || problems.length === 0 ? readRoot(root, targetIds, report) : undefined
  const diagnostics = withoutRepeats(report.diagnostics).sort(byPlace)
  return input === undefined || hasErrors(diagnostics)
    ? { source, diagnostics }
    : { spec: buildSpec(input, source), source, diagnostics }
}

const readers: Report['readers'] = new Map<unknown, Reader>([
  [serverSchema, readServer],
  [variableSource, readVariableSource],
  [targetSettings, readSettings],
  [accountSchema, readAccount],
])

async function parse(text: string, file: string): Promise<Parsed> {
  if (/\.json$/i.test(file)) return parseJson(text)
  if (/\.toml$/i.test(file)) return (await import('./parse-toml.ts')).parseToml(text)
  return parsePlainYaml(text) ?? (await import('./parse-yaml.ts')).parseYaml(text)
}

/** What the spec says; to be trusted only when there was nothing to report. */
function readRoot(
  root: Node | undefined,
  targetIds: readonly string[],
  report: Report,
): SpecInput | undefined {
  if (root?.kind !== 'mapping') {
    reportNoMapping(root, report)
    return undefined
  }
  const draft = validate(specSchema, root, [], report)
  checkHints(root, report)
  if (draft !== undefined) checkReferences(root, draft, targetIds, report)
  return draft as SpecInput | undefined
}

function reportNoMapping(root: Node | undefined, { source, diagnostics }: Report) {
  const isEmpty = root === undefined || (root.kind === 'scalar' && root.value === null)
  const message = isEmpty
    ? 'The spec is empty.'
    : 'A spec is a mapping, with `version` and `servers` at the top.'
  diagnostics.push(
    diagnostic('BRIDLE110', 'error', message, {
      span: source.span([]),
      help: 'Write `version: 1` and `servers: {}` to begin with, or let `bridle init` write a spec.',
    }),
  )
}

/** A value that many servers merge is wrong once. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>()
  return diagnostics.filter(({ code, message, span }) => {
    const key = `${code} ${span?.line}:${span?.column} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}

function byPlace({ span: a }: Diagnostic, { span: b }: Diagnostic): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)
}
