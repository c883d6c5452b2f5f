import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Entry, Node, Place } from '../spec/tree.ts'
import { finding, type ImportCode } from './findings.ts'
import type { ForeignServer, NamedText, Text } from './foreign.ts'
import type { FormContext } from './form.ts'
import { partsOf, type ReferenceField } from './references.ts'

/** Some parts of a server. */
export type Parts = Partial<Omit<ForeignServer, 'name' | 'span' | 'program' | 'scope'>>

/** What a key of an entry means. */
export type Field = (node: Node, context: FieldContext) => Parts

/** By key, in the order in which they count: of lists and maps a later one adds, of single values it wins. */
export type Fields = Readonly<Record<string, Field>>

export interface FieldContext extends FormContext {
  readonly server: string
  /** The key, as it is written. */
  readonly key: string
  /** Of the key. */
  readonly place: Place
}

type Writable = 'command' | 'workingDirectory' | 'url'

export function text(part: Writable): Field {
  return (node, context) => {
    const read = textOf(node, context, 'plain')
    return read === undefined ? wrong('a text', context) : { [part]: read }
  }
}

export const texts: Field = (node, context) => {
  if (node.kind !== 'list') return wrong('a list of texts', context)
  const read = node.items.map((item) => textOf(item, context, 'plain'))
  const whole = read.filter((each) => each !== undefined)
  return whole.length === read.length ? { arguments: whole } : wrong('a list of texts', context)
}

export function textMap(part: 'environment' | 'headers'): Field {
  return (node, context) => {
    if (node.kind !== 'mapping') return wrong('a mapping of texts', context)
    return mergeMaps(node.entries.map((entry) => namedText(part, entry, context)))
  }
}

function mergeMaps(parts: readonly Parts[]): Parts {
  const collect = <Key extends 'environment' | 'headers'>(key: Key): NamedText[] =>
    parts.flatMap((part) => part[key] ?? [])
  const [environment, headers] = [collect('environment'), collect('headers')]
  return {
    ...(environment.length > 0 && { environment }),
    ...(headers.length > 0 && { headers }),
    findings: parts.flatMap(({ findings = [] }) => findings),
  }
}

function namedText(
  part: 'environment' | 'headers',
  { key, value, ...place }: Entry,
  context: FieldContext,
): Parts {
  const field = part === 'headers' ? 'header' : 'plain'
  const named = (read: Text): Parts => ({ [part]: [{ name: key, text: read }] })
  const read = textOf(value, context, field)
  if (read !== undefined) return named(read)
  const where = { ...context, key: `${context.key}.${key}`, place }
  if (isNull(value))
    return { findings: [tell(where, 'BRIDLE421', `\`${where.key}\` is not carried over: it has no value`)] }
  if (value.kind !== 'scalar') return wrong('a text', where)
  const raw = context.raw(value)
  return {
    ...named({ parts: [raw], span: context.at(value) }),
    findings: [
      tell(
        where,
        'BRIDLE427',
        `\`${where.key}\` is no text, and became the text of the same look`,
        'Write it in quotes.',
      ),
    ],
  }
}

/** A text with its references; undefined for what is no text. */
function textOf(node: Node, context: FormContext, field: ReferenceField): Text | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  return { parts: partsOf(node.value, context.form.references, field), span: context.at(node) }
}

/** A name for people. */
export const title: Field = (node, context) => {
  const title = textIn(node)
  return title === undefined ? wrong('a text', context) : { title }
}

/** The name of a variable that is sent as a bearer token. */
export const bearerVariable: Field = (node, context) => {
  const name = textIn(node)
  if (name === undefined) return wrong('the name of a variable', context)
  return { headers: [{ name: 'Authorization', text: fromVariable(name, node, context, 'Bearer ') }] }
}

/** The value of a variable of the environment, and what stands before it. */
export function fromVariable(name: string, node: Node, context: FormContext, before = ''): Text {
  const reference = { kind: 'environment', name } as const
  return { parts: before === '' ? [reference] : [before, reference], span: context.at(node) }
}

/** The text of a scalar; undefined for anything else. */
export function textIn(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
}

/** A list of names of tools, as `include` or `exclude`. */
export function toolNames(part: 'include' | 'exclude'): Field {
  return (node, context) => {
    const names = namesOf(node)
    if (names === undefined) return wrong('a list of names of tools', context)
    return part === 'exclude' && names.length === 0 ? {} : { [part]: names }
  }
}

/** The texts of a list, each once; undefined for anything else. */
export function namesOf(node: Node): string[] | undefined {
  if (node.kind !== 'list') return undefined
  const names = node.items.map((item) => (item.kind === 'scalar' ? item.value : undefined))
  const found = names.filter((name) => typeof name === 'string')
  return found.length === names.length ? [...new Set(found)] : undefined
}

export function flag(part: (value: boolean) => Parts): Field {
  return (node, context) =>
    node.kind === 'scalar' && typeof node.value === 'boolean'
      ? part(node.value)
      : wrong('true or false', context)
}

const longestMs = 2 ** 31 - 1

/** A number of milliseconds, or of another unit of so many milliseconds. */
export function timeout(part: 'startupTimeoutMs' | 'toolTimeoutMs', unitMs = 1, leastMs = 1): Field {
  return (node, context) => {
    if (node.kind !== 'scalar' || typeof node.value !== 'number') return wrong('a number', context)
    const ms = Math.round(node.value * unitMs)
    if (ms >= leastMs && ms <= longestMs) return { [part]: ms }
    const reason = `\`${context.key}\` is not carried over: a \`${part}\` is from ${leastMs} to ${longestMs} milliseconds`
    return { findings: [tell(context, 'BRIDLE421', reason)] }
  }
}

/** A key that says nothing about the server itself: losing it changes nothing that the server does. */
export function ignored(reason: string): Field {
  return (_, context) => ({
    findings: [tell(context, 'BRIDLE421', `\`${context.key}\` is not carried over: ${reason}`)],
  })
}

/** A key without which the server would do more than was meant, or not what was meant. */
export function essential(reason: string, help?: string): Field {
  return (_, context) => ({ findings: [leftOutFor(context, `\`${context.key}\` ${reason}`, help)] })
}

/** By the value of a key of which there are a few. */
export function oneOf(values: Readonly<Record<string, Field>>): Field {
  return (node, context) => {
    const value = node.kind === 'scalar' ? String(node.value) : ''
    const field = Object.hasOwn(values, value) ? values[value] : undefined
    return field?.(node, context) ?? wrong(`one of ${Object.keys(values).join(', ')}`, context)
  }
}

/** What kind of server it is, by the names that the form has for the kinds. */
export function transports(stdio: readonly string[], http: readonly string[]): Field {
  const said =
    (transport: 'stdio' | 'http'): Field =>
    () => ({ transport })
  return oneOf({
    ...Object.fromEntries(stdio.map((name) => [name, said('stdio')])),
    ...Object.fromEntries(http.map((name) => [name, said('http')])),
    sse: noSse,
  })
}

const noSse: Field = essential(
  'says that the server speaks the older HTTP+SSE transport, which Bridle does not',
  'Many such servers answer Streamable HTTP too, mostly at another path (`/mcp`): write that address into the spec.',
)

// Findings

/** The entry cannot be used as it is: its program would not take it either. */
export function wrong(wanted: string, context: FieldContext): Parts {
  return { findings: [leftOutFor(context, `\`${context.key}\` must be ${wanted}`)] }
}

function leftOutFor(context: FieldContext, reason: string, help?: string): Diagnostic {
  return leftOut(reason, { span: context.at(context.place), server: context.server }, help)
}

/** The finding that leaves a server out. */
export function leftOut(
  reason: string,
  where: { readonly span: ForeignServer['span']; readonly server?: string; readonly name?: string },
  help = 'Mend it in the file and import again, or write the server into the spec by hand.',
): Diagnostic {
  const server = where.server ?? where.name
  return finding('BRIDLE422', `the server is left out: ${reason}`, { span: where.span, server }, help)
}

/** Something to tell about a key. */
export function tell(context: FieldContext, code: ImportCode, message: string, help?: string): Diagnostic {
  return finding(code, message, { span: context.at(context.place), server: context.server }, help)
}

export function isNull(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null
}
