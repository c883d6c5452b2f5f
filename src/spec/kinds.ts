import type * as z from 'zod/mini'
import { add, label, type Report } from './report.ts'
import type { Path } from './spec.ts'
import type { Node } from './tree.ts'

/** Reports a value of another kind than the schema takes. A text is not repeated: it could be a secret. */
export function reportKind(schema: z.core.$ZodType, node: Node, path: Path, report: Report): undefined {
  const wanted = kindsOf(schema)
  const raw = report.source.text.slice(node.start, node.end)
  const isEmpty = node.kind === 'scalar' && node.value === null
  const fault = isEmpty
    ? `is empty; it must be ${wanted.join(' or ')}.`
    : `must be ${wanted.join(' or ')}, not ${nameOf(node, raw)}.`
  add(report, 'BRIDLE201', `${label(path)} ${fault}`, report.source.at(node), path, {
    help: wayOut(wanted, node, raw, notationsFor(report.source.file)),
  })
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
  return notations[others.includes('a list') && isText ? 'a list' : wanted]
}
