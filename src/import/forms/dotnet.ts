import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { type Entry, entryAt, type MappingNode, type Node } from '../../spec/tree.ts'
import { mergeParts, readEntry } from '../entry.ts'
import {
  type Field,
  type Fields,
  flag,
  isNull,
  leftOut,
  namesOf,
  type Parts,
  text,
  textIn,
  textMap,
  texts,
  wrong,
} from '../fields.ts'
import { finding } from '../findings.ts'
import type { ForeignConfig, ForeignServer } from '../foreign.ts'
import type { Form, FormContext } from '../form.ts'
import { noReferences } from '../references.ts'

/**
 * The section `AgentToolMcpServers` of an appsettings file: one static list of servers, connected once and shared by all
 * callers. The configuration of .NET takes comments and trailing commas, and compares keys without their case.
 */
export const agentTools: Form = {
  id: 'agent-tools',
  program: 'the .NET host',
  syntax: 'json',
  places: [],
  fileNames: [],
  recognises: (root) => entryIgnoringCase(root, 'AgentToolMcpServers') !== undefined,
  references: noReferences,
  merge: 'whole',
  read: readSection,
}

/** A JSON array of `MentorMcpServer` objects. */
export const mentor: Form = {
  id: 'mentor',
  program: 'the .NET host',
  syntax: 'json',
  places: [],
  fileNames: [],
  recognises: (root) => root.kind === 'list' && root.items.length > 0 && root.items.every(isMentorServer),
  references: noReferences,
  merge: 'whole',
  read: (root, context) => ({
    servers: readList(root, mentorFields, context),
    policies: [],
    findings: [],
  }),
}

function isMentorServer(node: Node): boolean {
  const has = (key: string) => entryIgnoringCase(node, key) !== undefined
  return has('Name') && (has('Command') || has('ServerUrl'))
}

const agentToolFields: Fields = {
  Name: () => ({}),
  Command: unlessEmpty(text('command')),
  Arguments: texts,
  Environment: textMap('environment'),
  Endpoint: unlessEmpty(text('url')),
  Headers: textMap('headers'),
}

const mentorFields: Fields = {
  Name: () => ({}),
  Command: unlessEmpty(text('command')),
  Arguments: texts,
  EnvironmentVariables: textMap('environment'),
  ServerUrl: unlessEmpty(text('url')),
  // Null or empty means every tool.
  AllowedTools: (node, context) => {
    const names = namesOf(node)
    if (names === undefined) return wrong('a list of names of tools', context)
    return names.length === 0 ? {} : { include: names }
  },
  RequiresConfirmation: flag((asks) => (asks ? { asksByDefault: true } : {})),
  Shared: flag((shared) => ({ shared })),
}

function unlessEmpty(field: Field): Field {
  return (node, context) => (textIn(node) === '' ? {} : field(node, context))
}

function readSection(root: Node, context: FormContext): ForeignConfig {
  const section = entryIgnoringCase(root, 'AgentToolMcpServers')
  if (section?.value.kind !== 'mapping') return { servers: [], policies: [], findings: [] }
  const list = entryIgnoringCase(section.value, 'Servers')
  const forAll = section.value.entries.map(forEveryServer)
  const servers = list === undefined ? [] : readList(list.value, agentToolFields, context)
  return {
    servers: servers.map((server) => mergeParts({ ...server, shared: true }, forAll)),
    policies: [],
    findings: section.value.entries.flatMap((entry) => notTaken(entry, context)),
  }
}

/** What a key of the section says of all its servers. */
function forEveryServer({ key, value }: Entry): Parts {
  const scalar = value.kind === 'scalar' ? String(value.value) : ''
  if (isKey(key, 'RequireEveryServer')) return /^true$/i.test(scalar) ? { required: true } : {}
  const ms = isKey(key, 'ConnectTimeout') ? timeSpanMs(scalar) : undefined
  return ms === undefined ? {} : { startupTimeoutMs: ms }
}

function isKey(key: string, wanted: string): boolean {
  return key.toLowerCase() === wanted.toLowerCase()
}

function notTaken(entry: Entry, context: FormContext): Diagnostic[] {
  const { key } = entry
  if (isKey(key, 'Servers') || isKey(key, 'RequireEveryServer')) return []
  if (isKey(key, 'ConnectTimeout') && forEveryServer(entry).startupTimeoutMs !== undefined) return []
  const reason = isKey(key, 'ConnectTimeout')
    ? 'it is no time that a spec can hold'
    : 'the section has no such key'
  return [finding('BRIDLE421', `\`${key}\` is not carried over: ${reason}`, { span: context.at(entry) })]
}

/** `[d.]hh:mm:ss[.fffffff]` in milliseconds; undefined where it is none, or none that a spec can hold. */
function timeSpanMs(text: string): number | undefined {
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^(?:(\d{1,4})\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:\.\d{1,7})?))?$/.exec(text) ?? []
  const ms = Math.round(
    (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000,
  )
  return ms >= 1 && ms < 2 ** 31 ? ms : undefined
}

/** A list, or what the configuration of .NET makes of one: a mapping with the indexes as keys. */
function readList(list: Node, fields: Fields, context: FormContext): ForeignServer[] {
  const items =
    list.kind === 'list' ? list.items : list.kind === 'mapping' ? list.entries.map(({ value }) => value) : []
  return items.map((item, index) => readServer(item, index, fields, context))
}

function readServer(item: Node, index: number, fields: Fields, context: FormContext): ForeignServer {
  const nameEntry = item.kind === 'mapping' ? entryIgnoringCase(item, 'Name') : undefined
  const name = textIn(nameEntry?.value) || `server ${index + 1}`
  const place = nameEntry?.value ?? { start: item.start, end: item.start + 1 }
  const server = readEntry(name, place, item, fields, context, { ignoresCase: true, nullIsAbsent: true })
  if (server.command === undefined || server.url === undefined) return server
  const reason = 'it has both a command and an address, and one of them must be meant'
  return { ...server, findings: [...server.findings, leftOut(reason, server)] }
}

function entryIgnoringCase(node: Node, key: string): MappingNode['entries'][number] | undefined {
  if (node.kind !== 'mapping') return undefined
  const exact = entryAt(node, key)
  const entry = exact ?? node.entries.find((each) => each.key.toLowerCase() === key.toLowerCase())
  return entry === undefined || isNull(entry.value) ? undefined : entry
}
