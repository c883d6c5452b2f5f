import * as z from 'zod/mini'
import { add, label, quoted, type Report } from './report.ts'
import { keyTraits } from './schema.ts'
import type { Path } from './spec.ts'
import { mostLike } from './suggest.ts'
import { type Entry, entryAt, type MappingNode, type Node, type Place, type ScalarNode } from './tree.ts'
import { nameLists, type RuleParams } from './values.ts'

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
      return visitRecord(def, node, path, report)
    case 'array':
      return visitList(schema, def.element, node, path, report)
    case 'union':
      return visitUnion(def.options, schema, node, path, report)
    default:
      return visitScalar(schema, node, path, report)
  }
}

export type ObjectSchema = z.core.$ZodObject
export type UnknownKey = (entry: Entry, schema: ObjectSchema, path: Path, report: Report) => void

/** A mapping with fixed keys; `unknown` reports a key that is none of them. */
export function validateFields<Schema extends ObjectSchema>(
  schema: Schema,
  node: Node,
  path: Path,
  report: Report,
  unknown: UnknownKey,
): Draft<z.output<Schema>> | undefined {
  if (node.kind !== 'mapping') return wrongType('a mapping', node, path, report)
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

export function unknownKey(entry: Entry, schema: ObjectSchema, path: Path, report: Report) {
  const { later = [], foreign = {} } = keyTraits.get(schema) ?? {}
  const { key } = entry
  if (later.includes(key)) {
    add(report, 'BRIDLE212', `\`${key}\` is not yet part of the language.`, report.source.at(entry), path, {
      help: 'It is reserved for a later version of Bridle. Remove it for now.',
    })
    return
  }
  const known = Object.keys(schema._zod.def.shape)
  const like = Object.hasOwn(foreign, key) ? foreign[key] : mostLike(key, known)
  const help =
    like === undefined
      ? `Known here: ${known.join(', ')}. A key that begins with \`x-\` is left alone.`
      : Object.hasOwn(foreign, key)
        ? `Write ${like}.`
        : `Did you mean \`${like}\`?`
  add(report, 'BRIDLE202', `Unknown key ${quoted(key)}.`, report.source.at(entry), path, { help })
}

function reportMissing(key: string, node: MappingNode, path: Path, report: Report) {
  const place = path.length === 0 ? { start: node.start, end: node.start } : headOf(node)
  const where = path.length === 0 ? 'the spec' : label(path)
  const code = key === 'version' ? 'BRIDLE203' : 'BRIDLE217'
  add(report, code, `\`${key}\` is missing in ${where}.`, report.source.at(place), path, {
    help: required[key] ?? `Add \`${key}\`.`,
  })
}

const required: Readonly<Record<string, string>> = {
  version: 'Write `version: 1` at the top.',
  servers: 'Write `servers: {}` if there are none yet.',
}

/** The first key of a mapping, since the whole would be a wall of text. */
function headOf(node: MappingNode): Place {
  return node.entries[0] ?? node
}

function visitRecord(
  { keyType, valueType }: z.core.$ZodRecordDef,
  node: Node,
  path: Path,
  report: Report,
): unknown {
  if (node.kind !== 'mapping') return wrongType('a mapping', node, path, report)
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
  if (node.kind !== 'list') return wrongType('a list', node, path, report)
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
    return wrongType(expected(schema), node, path, report)
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
  if (node.kind !== 'scalar') return wrongType(expected(schema), node, path, report)
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
    if (issue.code === 'invalid_type')
      wrongType(expected(schema), { kind: 'scalar', value, ...place }, path, report)
    else {
      const { code, help } = paramsOf(issue, schema, value)
      add(report, code, `${subject} ${issue.message}`, report.source.at(place), path, { help })
    }
  }
  return false
}

function paramsOf(issue: z.core.$ZodIssue, schema: z.core.$ZodType, value: unknown): RuleParams {
  if (issue.code === 'custom' && issue.params !== undefined) return issue.params as unknown as RuleParams
  if (issue.code !== 'invalid_value') return { code: 'BRIDLE206', help: 'Remove the key to use the default.' }
  if (issue.values.includes(1)) return { code: 'BRIDLE203', help: required['version'] ?? '' }
  const code = schema._zod.def.type === 'enum' ? 'BRIDLE215' : 'BRIDLE206'
  const known = issue.values.map(String)
  const like = typeof value === 'string' ? mostLike(value, known) : undefined
  return {
    code,
    help: like === undefined ? `Possible here: ${known.join(', ')}.` : `Did you mean \`${like}\`?`,
  }
}

function wrongType(wanted: string, node: Node, path: Path, report: Report): undefined {
  const raw = report.source.text.slice(node.start, node.end)
  const message =
    node.kind === 'scalar' && node.value === null
      ? `${label(path)} is empty; it must be ${wanted}.`
      : `${label(path)} must be ${wanted}, not ${found(node, raw)}.`
  add(report, 'BRIDLE201', message, report.source.at(node), path, { help: wayOut(wanted, node, raw) })
}

/** What a schema takes, in words. */
function expected(schema: z.core.$ZodType): string {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional') return expected(def.innerType)
  if (def.type === 'union') return [...new Set(def.options.map(expected))].join(' or ')
  return wanted[def.type] ?? 'something else'
}

const wanted: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a whole number',
  boolean: 'true or false',
  literal: 'text',
  enum: 'text',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

function found(node: Node, raw: string): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  return typeof node.value === 'string' ? 'text' : typeof node.value === 'number' ? `the number ${raw}` : raw
}

function wayOut(wanted: string, node: Node, raw: string): string | undefined {
  if (node.kind === 'scalar' && node.value === null) {
    if (wanted.startsWith('text'))
      return raw === '' ? 'Write "" for an empty text.' : `Write "${raw}", in quotes.`
    return wanted === 'a mapping'
      ? 'Write {} for an empty mapping, or remove the key.'
      : 'Write a value, or remove the key.'
  }
  if (node.kind === 'scalar' && typeof node.value !== 'string' && wanted.startsWith('text')) {
    return `Write "${raw}", in quotes.`
  }
  if (node.kind === 'scalar' && wanted === 'a whole number' && /^\d+$/.test(String(node.value))) {
    return `Write ${node.value}, without quotes.`
  }
  if (node.kind === 'scalar' && wanted.includes('a list'))
    return `A list of one is written [${JSON.stringify(node.value)}].`
  return notations[wanted]
}

const notations: Readonly<Record<string, string>> = {
  text: 'A text is written as it is, or in quotes.',
  'a whole number': 'Write a number without a fraction.',
  'true or false': 'Write `true` or `false`, without quotes.',
  'a list': 'A list is written [one, two].',
  'a mapping': 'A mapping is written { key: value }.',
  'a list or a mapping': 'A list is written [one, two].',
  'text or a mapping': 'A text is written as it is, or in quotes.',
}
