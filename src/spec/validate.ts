import * as z from 'zod/mini'
import { type ObjectSchema, reportMissing, unknownKey } from './keys.ts'
import { reportKind } from './kinds.ts'
import { add, label, quoted, type Report } from './report.ts'
import { keyTraits } from './schema.ts'
import type { Path } from './spec.ts'
import { mostLike } from './suggest.ts'
import { type Entry, entryAt, type Node, type Place, type ScalarNode } from './tree.ts'
import { type Fault, faults, nameLists } from './values.ts'

/** What is left of a value when everything malformed was reported and taken out. */
export type Draft<Value> = Value extends readonly (infer Item)[]
  ? readonly Item[]
  : Value extends object
    ? string extends keyof Value
      ? { readonly [Key in keyof Value]: Draft<Value[Key]> }
      : { readonly [Key in keyof Value]?: Draft<Value[Key]> }
    : Value

/**
 * Checks a node against a schema, value by value, and reports everything that is wrong with the place where it stands.
 * A faulty value is left out of the result and hides nothing beside it. Undefined: the node is of the wrong kind.
 */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  node: Node,
  path: Path,
  report: Report,
): Draft<z.output<Schema>> | undefined {
  return visit(schema, node, path, report) as Draft<z.output<Schema>> | undefined
}

function visit(schema: z.core.$ZodType, node: Node, path: Path, report: Report): unknown {
  const reader = report.readers.get(schema)
  if (reader !== undefined) return reader(node, path, report)
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
      return visit(def.innerType, node, path, report)
    case 'object':
      return validateFields(schema as ObjectSchema, node, path, report, unknownKey)
    case 'record':
      return visitRecord(schema, def, node, path, report)
    case 'array':
      return visitList(schema, def.element, node, path, report)
    case 'union':
      return visitUnion(def.options, schema, node, path, report)
    default:
      return visitScalar(schema, node, path, report)
  }
}

export type UnknownKey = (entry: Entry, schema: ObjectSchema, path: Path, report: Report) => void

/** A mapping with fixed keys; `unknown` reports a key that is none of them. */
export function validateFields<Schema extends ObjectSchema>(
  schema: Schema,
  node: Node,
  path: Path,
  report: Report,
  unknown: UnknownKey,
): Draft<z.output<Schema>> | undefined {
  if (node.kind !== 'mapping') return reportKind(schema, node, path, report)
  const { shape } = schema._zod.def
  const draft: Record<string, unknown> = {}
  let isSilent = true
  for (const entry of node.entries) {
    const field = Object.hasOwn(shape, entry.key) ? shape[entry.key] : undefined
    if (field !== undefined) {
      isSilent = false
      const value = visit(field, entry.value, [...path, entry.key], report)
      if (value !== undefined) draft[entry.key] = value
    } else if (!isFree(entry.key, path)) unknown(entry, schema, path, report)
  }
  for (const key of requiredKeys(schema)) {
    if (entryAt(node, key) === undefined) reportMissing(key, node, path, report)
  }
  if (isSilent && keyTraits.get(schema)?.atLeastOne) {
    add(report, 'BRIDLE206', `${label(path)} says nothing.`, report.source.at(node), path, {
      help: `Write ${Object.keys(shape).join(' or ')}, or remove the key.`,
    })
  }
  return draft as Draft<z.output<Schema>>
}

const requiredKeysOf = new WeakMap<ObjectSchema, readonly string[]>()

function requiredKeys(schema: ObjectSchema): readonly string[] {
  const known = requiredKeysOf.get(schema)
  if (known !== undefined) return known
  const fields = Object.entries(schema._zod.def.shape)
  const keys = fields.filter(([, field]) => field._zod.optin !== 'optional').map(([key]) => key)
  requiredKeysOf.set(schema, keys)
  return keys
}

/** Anchors need a home, and editors a `$schema`. */
function isFree(key: string, path: Path): boolean {
  return key.startsWith('x-') || (key === '$schema' && path.length === 0)
}

function visitRecord(
  schema: z.core.$ZodType,
  { keyType, valueType }: z.core.$ZodRecordDef,
  node: Node,
  path: Path,
  report: Report,
): unknown {
  if (node.kind !== 'mapping') return reportKind(schema, node, path, report)
  const entries: [string, unknown][] = []
  for (const entry of node.entries) {
    const inner = [...path, entry.key]
    const isNamed = accepts(keyType, entry.key, 'key', entry, inner, report)
    const value = visit(valueType, entry.value, inner, report)
    if (isNamed && value !== undefined) entries.push([entry.key, value])
  }
  return Object.fromEntries(entries)
}

function visitList(
  schema: z.core.$ZodType,
  element: z.core.$ZodType,
  node: Node,
  path: Path,
  report: Report,
): unknown {
  if (node.kind !== 'list') return reportKind(schema, node, path, report)
  if (nameLists.has(schema)) checkNameList(node.items, node, path, report)
  return node.items
    .map((item, index) => visit(element, item, [...path, index], report))
    .filter((value) => value !== undefined)
}

function checkNameList(items: readonly Node[], list: Place, path: Path, report: Report) {
  if (items.length === 0) {
    add(report, 'BRIDLE206', `${label(path)} is empty.`, report.source.at(list), path, {
      help: 'Name at least one, or remove the key.',
    })
  }
  const first = new Map<unknown, Node>()
  for (const item of items) {
    if (item.kind !== 'scalar') continue
    const place = first.get(item.value)
    if (place === undefined) first.set(item.value, item)
    else {
      add(
        report,
        'BRIDLE206',
        `${quoted(String(item.value))} stands twice in ${label(path)}.`,
        report.source.at(item),
        path,
        {
          help: 'Remove one of the two.',
          related: { message: 'first here', span: report.source.at(place) },
        },
      )
    }
  }
}

/** Options differ in the kind of node that they take, so that the faults within the right one can be told. */
function visitUnion(
  options: readonly z.core.$ZodType[],
  schema: z.core.$ZodType,
  node: Node,
  path: Path,
  report: Report,
): unknown {
  const option = options.find((candidate) => kindOf(candidate) === node.kind)
  if (option === undefined || (option._zod.def.type === 'boolean' && !isBoolean(node))) {
    return reportKind(schema, node, path, report)
  }
  return visit(option, node, path, report)
}

function isBoolean(node: Node): boolean {
  return node.kind === 'scalar' && typeof node.value === 'boolean'
}

function kindOf(schema: z.core.$ZodType): Node['kind'] {
  const { type } = schema._zod.def
  if (type === 'array') return 'list'
  return type === 'object' || type === 'record' ? 'mapping' : 'scalar'
}

function visitScalar(schema: z.core.$ZodType, node: Node, path: Path, report: Report): unknown {
  if (node.kind !== 'scalar') return reportKind(schema, node, path, report)
  return accepts(schema, node.value, 'value', node, path, report) ? node.value : undefined
}

/** Whether the schema of a single value (or key) takes it; what it says against it is reported. */
function accepts(
  schema: z.core.$ZodType,
  value: ScalarNode['value'],
  part: 'key' | 'value',
  place: Place,
  path: Path,
  report: Report,
): boolean {
  const { success, error } = z.safeParse(schema, value)
  if (success) return true
  const { issues } = error
  const subject = part === 'key' ? quoted(String(value)) : label(path)
  for (const issue of issues.every(({ code }) => code === 'custom') ? issues : issues.slice(0, 1)) {
    if (issue.code === 'invalid_type') reportKind(schema, { kind: 'scalar', value, ...place }, path, report)
    else {
      const { code, help } = faultOf(issue, schema, value)
      add(report, code, `${subject} ${issue.message}`, report.source.at(place), path, { help })
    }
  }
  return false
}

function faultOf(issue: z.core.$ZodIssue, schema: z.core.$ZodType, value: unknown): Fault {
  if (issue.code === 'custom' && issue.params !== undefined) return issue.params as unknown as Fault
  const fault = faults.get(schema) ?? { code: 'BRIDLE206' }
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return fault
  const known = issue.values.map(String)
  const like = mostLike(value, known)
  const help = like === undefined ? `Possible here: ${known.join(', ')}.` : `Did you mean \`${like}\`?`
  return { help, ...fault }
}
