import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { entryAt, type Node } from '../../spec/tree.ts'
import { textIn } from '../fields.ts'
import { finding, type ImportCode } from '../findings.ts'
import type { ForeignServer, NamedText, Part, Reference, Text } from '../foreign.ts'
import type { FormContext } from '../form.ts'
import { isTrue, itemsOf, nodeAt } from './registry-nodes.ts'

interface Filled {
  readonly parts?: readonly Part[]
  /** Why there is nothing, or what was taken. */
  readonly told?: readonly [code: ImportCode, message: string]
}

/** What an input is filled with: its fixed value, its default, or a variable. */
function fill(node: Node, reference: Reference): Filled {
  const value = textIn(nodeAt(node, 'value'))
  if (value !== undefined) return { parts: filledIn(value, nodeAt(node, 'variables')) }
  if (isTrue(node, 'isSecret')) return { parts: [reference] }
  const fallback = textIn(nodeAt(node, 'default'))
  if (fallback !== undefined) return { parts: [fallback], told: ['BRIDLE429', 'has its default value'] }
  if (!isTrue(node, 'isRequired')) {
    return { told: ['BRIDLE421', 'is not carried over: it is optional, and has no default value'] }
  }
  const told = ['BRIDLE424', 'has no value there: the variable of this name must be set'] as const
  return { parts: [reference], ...(reference.kind === 'environment' && { told }) }
}

/** `{name}` in a value is replaced by the variable of this name; where there is none, it stays. */
export function filledIn(value: string, variables: Node | undefined): Part[] {
  return value.split(/(\{[A-Za-z_][\w-]*\})/).flatMap((piece): Part[] => {
    const name = /^\{(.*)\}$/.exec(piece)?.[1]
    const variable =
      name === undefined || variables === undefined ? undefined : entryAt(variables, name)?.value
    if (name === undefined || variable === undefined) return piece === '' ? [] : [piece]
    if (isTrue(variable, 'isSecret')) return [{ kind: 'input', name }]
    const text = textIn(nodeAt(variable, 'value')) ?? textIn(nodeAt(variable, 'default'))
    return [text ?? { kind: 'input', name }]
  })
}

export function readNamed(
  list: Node | undefined,
  kind: 'environment' | 'input',
  server: ForeignServer,
  context: FormContext,
) {
  const named: NamedText[] = []
  const findings: Diagnostic[] = []
  for (const node of itemsOf(list)) {
    const name = textIn(nodeAt(node, 'name')) ?? ''
    const span = context.at({ start: node.start, end: node.start + 1 })
    const { parts, told } = fill(node, { kind, name })
    if (parts !== undefined) named.push({ name, text: { parts, span } })
    if (told !== undefined)
      findings.push(finding(told[0], `\`${name}\` ${told[1]}`, { span, server: server.name }))
  }
  return { named, findings }
}

/** A flag with one of these takes a value; one with none is the whole argument. */
const valueKeys = [
  ...[
    'value',
    'default',
    'valueHint',
    'isRequired',
    'isSecret',
    'format',
    'choices',
    'placeholder',
    'variables',
  ],
]

export function readArguments(list: Node | undefined, server: ForeignServer, context: FormContext) {
  const texts: Text[] = []
  const findings: Diagnostic[] = []
  for (const node of itemsOf(list)) {
    const span = context.at({ start: node.start, end: node.start + 1 })
    const flag = textIn(nodeAt(node, 'type')) === 'named' ? textIn(nodeAt(node, 'name')) : undefined
    const label = flag ?? textIn(nodeAt(node, 'valueHint')) ?? 'an argument'
    const isSwitch = flag !== undefined && !valueKeys.some((key) => nodeAt(node, key) !== undefined)
    const { parts, told } = isSwitch ? { parts: [] } : fill(node, { kind: 'input', name: label })
    if (told !== undefined)
      findings.push(finding(told[0], `\`${label}\` ${told[1]}`, { span, server: server.name }))
    if (parts !== undefined) texts.push(...argumentTexts(flag, parts).map((each) => ({ parts: each, span })))
  }
  return { texts, findings }
}

/** `--flag=value`, and `-f value`, since not every program takes `-f=value`. */
function argumentTexts(flag: string | undefined, parts: readonly Part[]): (readonly Part[])[] {
  if (flag === undefined) return [parts]
  if (parts.length === 0) return [[flag]]
  return flag.startsWith('--') ? [[`${flag}=`, ...parts]] : [[flag], parts]
}
