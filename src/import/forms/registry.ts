import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { entryAt, type Node } from '../../spec/tree.ts'
import { leftOut, textIn } from '../fields.ts'
import { finding } from '../findings.ts'
import type { ForeignConfig, ForeignServer, Text } from '../foreign.ts'
import type { Form, FormContext } from '../form.ts'
import { noReferences } from '../references.ts'
import { filledIn, readArguments, readNamed } from './registry-inputs.ts'
import { camelCase, entryOf, itemsOf, nodeAt } from './registry-nodes.ts'

/**
 * `server.json` of the MCP registry, in its schema of 2025-12-11 and, by its keys, in the older ones (`registry_type`).
 * It describes one server and the ways to get it: packages to start, addresses to reach. They are alternatives.
 */
export const registry: Form = {
  id: 'registry',
  program: 'the MCP registry',
  syntax: 'json',
  places: [],
  fileNames: ['server.json'],
  recognises: (root) => {
    const detail = detailOf(root)
    return textIn(nodeAt(detail, 'name')) !== undefined && waysOf(detail).length > 0
  },
  references: noReferences,
  merge: 'whole',
  read,
}

/** What describes the server, and says nothing of how it is used. */
const descriptions = [
  ...[
    '$schema',
    'name',
    'title',
    'description',
    'version',
    'versionDetail',
    'status',
    'repository',
    'websiteUrl',
  ],
  ...['icons', '_meta', 'packages', 'remotes', 'server'],
]

interface Way {
  readonly kind: 'package' | 'remote'
  readonly node: Node
}

function read(root: Node, context: FormContext): ForeignConfig {
  const detail = detailOf(root)
  const fullName = textIn(nodeAt(detail, 'name')) ?? 'server'
  const title = textIn(nodeAt(detail, 'title')) ?? fullName
  const base = fullName.replace(/.*\//, '') || 'server'
  const servers = waysOf(detail).map(({ kind, node }, index): ForeignServer => {
    const suffix = kind === 'remote' ? 'remote' : (textIn(nodeAt(node, 'registryType')) ?? 'package')
    const start = { start: node.start, end: node.start + 1 }
    const server: ForeignServer = {
      name: index === 0 ? base : `${base}-${suffix}-${index + 1}`,
      span: context.at(start),
      program: context.form.program,
      scope: context.scope,
      title,
      findings: [],
      isOneWay: true,
    }
    return kind === 'package' ? readPackage(server, node, context) : readRemote(server, node, context)
  })
  return { servers, policies: [], findings: unknownKeys(detail, context) }
}

function detailOf(root: Node): Node {
  return entryAt(root, 'server')?.value ?? root
}

function waysOf(detail: Node): Way[] {
  const listed = (key: string, kind: Way['kind']) =>
    itemsOf(nodeAt(detail, key)).map((node) => ({ kind, node }))
  return [...listed('packages', 'package'), ...listed('remotes', 'remote')]
}

function unknownKeys(detail: Node, context: FormContext): Diagnostic[] {
  const entries = detail.kind === 'mapping' ? detail.entries : []
  return entries
    .filter(({ key }) => !descriptions.includes(camelCase(key)))
    .map((entry) => finding('BRIDLE421', `\`${entry.key}\` is not carried over`, { span: context.at(entry) }))
}

// Packages

interface Runtime {
  /** By the hint of the package; the first is the default. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  readonly registry: RegExp
  reference(identifier: string, version: string | undefined): string
}

const runtimes: Readonly<Record<string, Runtime>> = {
  npm: {
    commands: { npx: ['-y'], bunx: [] },
    registry: /^https:\/\/registry\.npmjs\.org\/?$/,
    reference: (identifier, version) => (version === undefined ? identifier : `${identifier}@${version}`),
  },
  pypi: {
    commands: { uvx: [], pipx: ['run'] },
    registry: /^https:\/\/pypi\.org(\/simple)?\/?$/,
    reference: (identifier, version) => (version === undefined ? identifier : `${identifier}==${version}`),
  },
  oci: {
    commands: { docker: ['run', '-i', '--rm'], podman: ['run', '-i', '--rm'] },
    registry: /^https:\/\/(?:[a-z]+\.)*docker\.io\/?$/,
    reference: (identifier, version) =>
      version === undefined || /[:@][^/]*$/.test(identifier) ? identifier : `${identifier}:${version}`,
  },
}

function readPackage(server: ForeignServer, node: Node, context: FormContext): ForeignServer {
  const type = textIn(nodeAt(node, 'registryType')) ?? ''
  const identifier = textIn(nodeAt(node, 'identifier'))
  const runtime = Object.hasOwn(runtimes, type) ? runtimes[type] : undefined
  const refusal = refusePackage(node, type, runtime, identifier)
  if (runtime === undefined || identifier === undefined || refusal !== undefined) {
    return refuse(server, refusal ?? 'its package has no `identifier`')
  }
  const [defaultCommand = ''] = Object.keys(runtime.commands)
  const command = textIn(nodeAt(node, 'runtimeHint')) ?? defaultCommand
  const environment = readNamed(nodeAt(node, 'environmentVariables'), 'environment', server, context)
  const before = readArguments(nodeAt(node, 'runtimeArguments'), server, context)
  const after = readArguments(nodeAt(node, 'packageArguments'), server, context)
  const literal = (text: string): Text => ({ parts: [text], span: server.span })
  const given = before.texts.map(({ parts }) => parts[0])
  const own = (runtime.commands[command] ?? []).filter((argument) => !given.includes(argument))
  // A container does not have the environment of the command that starts it.
  const passed = type === 'oci' ? environment.named.flatMap(({ name }) => ['-e', name]) : []
  const reference = runtime.reference(identifier, textIn(nodeAt(node, 'version')))
  return {
    ...server,
    transport: 'stdio',
    command: literal(command),
    arguments: [...own.map(literal), ...before.texts, ...[...passed, reference].map(literal), ...after.texts],
    ...(environment.named.length > 0 && { environment: environment.named }),
    findings: [
      ...server.findings,
      ...before.findings,
      ...environment.findings,
      ...after.findings,
      ...digest(node, server, context),
    ],
  }
}

/** Why a package cannot be started by a command of a spec. */
function refusePackage(
  node: Node,
  type: string,
  runtime: Runtime | undefined,
  identifier: string | undefined,
): string | undefined {
  const known = Object.keys(runtimes).join(', ')
  if (runtime === undefined) return `packages of the type \`${type}\` are not known, only ${known}`
  if (identifier?.startsWith('-')) return 'the name of its package would be read as an option'
  const hint = textIn(nodeAt(node, 'runtimeHint'))
  if (hint !== undefined && !Object.hasOwn(runtime.commands, hint)) {
    return `how \`${hint}\` starts a package of the type \`${type}\` is not known`
  }
  const transport = nodeAt(node, 'transport')
  const kind = transport && textIn(nodeAt(transport, 'type'))
  if (kind !== undefined && kind !== 'stdio') {
    return 'it is a program to start that is then reached over HTTP, and a spec has either a command or an address'
  }
  const source = textIn(nodeAt(node, 'registryBaseUrl'))
  return source === undefined || runtime.registry.test(source)
    ? undefined
    : 'its package comes from another registry than the one that the command would ask'
}

function digest(node: Node, server: ForeignServer, context: FormContext): Diagnostic[] {
  const entry = entryOf(node, 'fileSha256')
  if (entry === undefined) return []
  const message = '`fileSha256` is not carried over: the command that fetches the package does not compare it'
  return [finding('BRIDLE421', message, { span: context.at(entry), server: server.name })]
}

// Remotes

function readRemote(server: ForeignServer, node: Node, context: FormContext): ForeignServer {
  const type = textIn(nodeAt(node, 'type')) ?? textIn(nodeAt(node, 'transportType'))
  if (type !== 'streamable-http') {
    return refuse(server, 'it speaks the older HTTP+SSE transport, which Bridle does not')
  }
  const urlNode = nodeAt(node, 'url')
  const url = textIn(urlNode)
  if (url === undefined || urlNode === undefined) return refuse(server, 'it has no `url`')
  const headers = readNamed(nodeAt(node, 'headers'), 'input', server, context)
  return {
    ...server,
    transport: 'http',
    url: { parts: filledIn(url, nodeAt(node, 'variables')), span: context.at(urlNode) },
    ...(headers.named.length > 0 && { headers: headers.named }),
    findings: [...server.findings, ...headers.findings],
  }
}

function refuse(server: ForeignServer, reason: string): ForeignServer {
  return { ...server, findings: [...server.findings, leftOut(reason, server)] }
}
