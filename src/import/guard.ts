import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { readSpec } from '../spec/read.ts'
import { coverSecrets } from '../text/cover-secrets.ts'
import { looksSecret } from '../text/secret-shapes.ts'
import type { Converted } from './convert.ts'
import { leftOut } from './fields.ts'
import { finding } from './findings.ts'
import type { ForeignServer } from './foreign.ts'
import type { ImportedSpec } from './imported.ts'
import { specOf } from './spec-of.ts'

export interface Candidate extends Converted {
  readonly name: string
  readonly foreign: ForeignServer
}

export interface Guarded {
  /** Absent when it cannot be read. */
  readonly spec?: ImportedSpec
  readonly findings: readonly Diagnostic[]
  readonly leftOut: readonly string[]
}

/**
 * The last look at what an import gives: a server that the language does not take, for a name or a character that no
 * reader of forms asks about, is left out, and so is one in which something looks like a secret. The rest reads back
 * without errors, or is not given out.
 */
export async function guard(candidates: readonly Candidate[], targets: readonly string[]): Promise<Guarded> {
  const faults = await faultsOf(candidates, targets)
  const judged = candidates.map((candidate) => ({ candidate, fault: faults.get(candidate.name) }))
  const good = judged.flatMap(({ candidate: { name, server }, fault }) =>
    server === undefined || fault !== undefined ? [] : [[name, server] as const],
  )
  const findings = judged.flatMap(({ candidate: { findings: found, foreign }, fault }) =>
    fault === undefined ? found : [...found, leftOut(fault, foreign)],
  )
  const names = judged.flatMap(({ candidate, fault }) =>
    candidate.server === undefined || fault !== undefined ? [coverSecrets(candidate.foreign.name)] : [],
  )
  const spec = specOf(good, targets)
  const { diagnostics } = await read(spec, targets)
  if (!hasErrors(diagnostics)) return { spec, findings, leftOut: names }
  const [first] = candidates
  const message = `the spec would have errors: ${diagnostics[0]?.message}`
  return {
    findings:
      first === undefined
        ? findings
        : [...findings, finding('BRIDLE428', message, { span: first.foreign.span })],
    leftOut: names,
  }
}

/** Why servers cannot stand in a spec, by name. */
async function faultsOf(
  candidates: readonly Candidate[],
  targets: readonly string[],
): Promise<Map<string, string>> {
  const servers = candidates.flatMap(({ name, server }) =>
    server === undefined ? [] : [[name, server] as const],
  )
  const { diagnostics } = await read(specOf(servers, targets), targets)
  const faults = new Map<string, string>()
  for (const { severity, server, message } of diagnostics) {
    if (severity === 'error' && server !== undefined && !faults.has(server))
      faults.set(server, lowered(message))
  }
  for (const [name, server] of servers) {
    if (holdsSecret(server))
      faults.set(name, 'something in it looks like a secret, in a place where a spec has no field for one')
  }
  return faults
}

function read(spec: ImportedSpec, targetIds: readonly string[]) {
  return readSpec(JSON.stringify(spec), { file: 'import.json', folder: '/', targetIds })
}

function lowered(sentence: string): string {
  return `in the spec, ${sentence.replace(/\.$/, '')}`
}

function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return looksSecret(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => looksSecret(key) || holdsSecret(each))
}
