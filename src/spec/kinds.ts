import type * as z from 'zod/mini'
import { add, label, type Report } from './report.ts'
import type { Path } from './spec.ts'
import { entryAt, type Node } from './tree.ts'

/** Reports a value of another kind than the schema takes. A text is not repeated: it could be a secret. */
export function reportKind(schema: z.core.$ZodType, node: Node, path: Path, report: Report): undefined {
  const wanted = kindsOf(schema)
  const raw = report.source.text.slice(node.start, node.end)
  const isEmpty = node.kind === 'scalar' && node.value === null
  const fault = isEmpty
    ? `is empty; it must be ${wanted.join(' or ')}.`
    : `must be ${wanted.join(' or ')}, not ${nameOf(node, raw)}.`
  add(report, 'BRIDLE201', `${label(path)} ${fault}`, report.source.at(node), path, {
    help:
      emptyText(wanted, node, path) ??
      mappingOf(wanted, node, path) ??
      wayOut(wanted, node, raw, notationsFor(report.source.file)),
  })
}

/** What to write for nothing where an empty text is something. */
function emptyText(wanted: readonly Kind[], node: Node, path: Path): string | undefined {
  const takesEmpty = ['environment', 'headers', 'arguments'].includes(String(path.at(-2)))
  if (wanted[0] !== 'text' || !takesEmpty || node.kind !== 'scalar' || node.value !== null) return undefined
  return 'Leave it out, or write "" for an empty text.'
}

/** A list of names in the place of a mapping, as the mapping that was most likely meant. */
function mappingOf(wanted: readonly Kind[], node: Node, path: Path): string | undefined {
  const [place = ''] = path
  if (wanted[0] !== 'a mapping' || node.kind !== 'list' || path.length !== 1) return undefined
  if (!Object.hasOwn(emptiest, place) || node.items.length === 0) return undefined
  const names = node.items.map((item) => entryAt(item, 'name')?.value ?? item).map(nameIn)
  if (names.some((name) => name === undefined))
    return `Write \`{ name: ${emptiest[place]} }\`: each by its name.`
  const shown = names.slice(0, mostShown).map((name) => `${name}: ${emptiest[place]}`)
  return `Write \`{ ${[...shown, ...(names.length > mostShown ? ['…'] : [])].join(', ')} }\`.`
}

/** The least that stands under a name. */
const emptiest: Readonly<Record<string, string>> = {
  variables: '{}',
  targets: '{}',
  servers: '{ command: … }',
}

const mostShown = 5

function nameIn(node: Node): string | undefined {
  const name = node.kind === 'scalar' ? node.value : undefined
  return typeof name === 'string' && /^[\w-]{1,60}$/.test(name) ? name : undefined
}

/** What a schema takes, in words. */
function kindsOf(schema: z.core.$ZodType): Kind[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional') return kindsOf(def.innerType)
  if (def.type === 'union') return [...new Set(def.options.flatMap(kindsOf))]
  return [kinds[def.type] ?? 'text']
}

const kinds: Readonly<Record<string, Kind>> = {
  number: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

type Kind = keyof typeof notationsOfYaml

type Notations = Readonly<Record<Kind, string>>

/** How a value of each kind is written in YAML, which JSON is too. */
const notationsOfYaml = {
  text: 'A text is written as it is, or in quotes.',
  'a whole number': 'Write a number without a fraction.',
  'true or false': 'Write `true` or `false`, without quotes.',
  'a list': 'A list is written [one, two]; a list of one, [one].',
  'a mapping': 'A mapping is written { key: value }.',
}

const notationsOfToml: Notations = {
  ...notationsOfYaml,
  text: 'A text is written in quotes.',
  'a list': 'A list is written ["one", "two"]; a list of one, ["one"].',
}

function notationsFor(file: string): Notations {
  return file.endsWith('.toml') ? notationsOfToml : notationsOfYaml
}

function nameOf(node: Node, raw: string): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`
  if (typeof node.value === 'string') return 'text'
  return typeof node.value === 'number' ? `the number ${raw}` : raw
}

/** What other languages, and older YAML, take for a truth value. */
const truths: ReadonlyMap<string, string> = new Map([
  ...['true', 'yes', 'on', 'y'].map((word) => [word, 'true'] as const),
  ...['false', 'no', 'off', 'n'].map((word) => [word, 'false'] as const),
])

function wayOut(
  [wanted = 'text', ...others]: readonly Kind[],
  node: Node,
  raw: string,
  notations: Notations,
): string {
  const value = node.kind === 'scalar' ? node.value : undefined
  const isText = typeof value === 'string'
  if (wanted === 'text' && value !== undefined && !isText) {
    return raw === '' ? 'Write "" for an empty text.' : `Write "${raw}", in quotes.`
  }
  if (wanted === 'a mapping' && value === null) return 'Write {} for an empty mapping, or remove the key.'
  if (value === null) return 'Write a value, or remove the key.'
  if (wanted === 'a whole number' && isText && /^\d+$/.test(value)) return `Write ${value}, without quotes.`
  const word = isText && wanted === 'true or false' ? truths.get(value.toLowerCase()) : undefined
  if (word !== undefined) return `Write \`${word}\`${/^["']/.test(raw) ? ', without quotes' : ''}.`
  return notations[others.includes('a list') && isText ? 'a list' : wanted]
}
