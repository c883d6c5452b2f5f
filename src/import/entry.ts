import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { type Entry, entryAt, type Node, type Place } from '../spec/tree.ts'
import { type FieldContext, type Fields, isNull, leftOut, type Parts, tell } from './fields.ts'
import { finding } from './findings.ts'
import type { ForeignServer, Scope } from './foreign.ts'
import type { FormContext } from './form.ts'

interface EntryOptions {
  readonly scope?: Scope
  /** Keys are compared without their case. */
  readonly ignoresCase?: boolean
  /** A key with null is a key that is not there. */
  readonly nullIsAbsent?: boolean
}

/** A server from the entry of its form. Unknown keys are told, and so is what the fields find. */
export function readEntry(
  name: string,
  place: Place,
  node: Node,
  fields: Fields,
  context: FormContext,
  options: EntryOptions = {},
): ForeignServer {
  const { form, scope } = context
  const base = { name, span: context.at(place), program: form.program, scope: options.scope ?? scope }
  if (node.kind !== 'mapping') {
    return { ...base, findings: [leftOut(`it is not a mapping, and ${form.program} skips it`, base)] }
  }
  const entries = node.entries.map((entry) => ({ ...entry, known: knownKey(entry.key, fields, options) }))
  const contextOf = (entry: Entry): FieldContext => ({
    ...context,
    server: name,
    key: entry.key,
    place: entry,
  })
  const parts = Object.keys(fields).flatMap((key) => {
    const entry = entries.find(({ known }) => known === key)
    if (entry === undefined || isNull(entry.value)) return []
    return [fields[key]?.(entry.value, contextOf(entry)) ?? {}]
  })
  const told = entries.flatMap((entry): Diagnostic[] => {
    if (entry.known === undefined) return [unknownKey(contextOf(entry))]
    return isNull(entry.value) && !options.nullIsAbsent ? [empty(contextOf(entry))] : []
  })
  return mergeParts({ ...base, findings: told }, parts)
}

function knownKey(key: string, fields: Fields, { ignoresCase }: EntryOptions): string | undefined {
  if (Object.hasOwn(fields, key)) return key
  return ignoresCase
    ? Object.keys(fields).find((each) => each.toLowerCase() === key.toLowerCase())
    : undefined
}

function unknownKey(context: FieldContext): Diagnostic {
  return tell(
    context,
    'BRIDLE421',
    `\`${context.key}\` is not carried over: Bridle knows no such key of ${context.form.program}`,
    'Look up what it is meant to do; if the server needs it, there may be another way to say it in the spec.',
  )
}

function empty(context: FieldContext): Diagnostic {
  return tell(context, 'BRIDLE427', `\`${context.key}\` is null, and was taken as if it were not there`)
}

/** The server with these parts: lists add up, single values replace one another. */
export function mergeParts(server: ForeignServer, parts: readonly Parts[]): ForeignServer {
  let merged = server
  for (const part of parts) merged = withPart(merged, part)
  return merged
}

function withPart(server: ForeignServer, part: Parts): ForeignServer {
  const { environment, headers, asksFor, findings } = server
  return {
    ...server,
    ...part,
    ...(part.environment && environment && { environment: [...environment, ...part.environment] }),
    ...(part.headers && headers && { headers: [...headers, ...part.headers] }),
    ...(part.asksFor && asksFor && { asksFor: [...asksFor, ...part.asksFor] }),
    findings: [...findings, ...(part.findings ?? [])],
  }
}

/** The servers of a mapping of entries; what else it is, is told. */
export function readEntries(
  root: Node,
  key: string,
  fields: Fields,
  context: FormContext,
  options: EntryOptions = {},
): { servers: ForeignServer[]; findings: Diagnostic[] } {
  const entry = entryAt(root, key)
  if (entry === undefined) return { servers: [], findings: [] }
  if (entry.value.kind !== 'mapping') {
    const message = `\`${key}\` must be a mapping of servers, and none is read from it`
    return { servers: [], findings: [finding('BRIDLE427', message, { span: context.at(entry) })] }
  }
  const servers = entry.value.entries.map(({ key: name, value, ...place }) =>
    readEntry(name, place, value, fields, context, options),
  )
  return { servers, findings: [] }
}

/** Keys of a file beside its servers that say something about them, and that are not carried over. */
export function untaken(root: Node, taken: readonly string[], context: FormContext): Diagnostic[] {
  if (root.kind !== 'mapping') return []
  return root.entries
    .filter(({ key }) => !taken.includes(key))
    .map((entry) => {
      const message = `\`${entry.key}\` is not carried over: it is no server`
      return finding('BRIDLE421', message, { span: context.at(entry) })
    })
}

/** Whether one of the entries under a key of the file has one of these keys. */
export function someEntryHas(root: Node, key: string, keys: readonly string[]): boolean {
  const servers = entryAt(root, key)?.value
  const entries = servers?.kind === 'mapping' ? servers.entries : []
  return entries.some(({ value }) => keys.some((each) => entryAt(value, each) !== undefined))
}
