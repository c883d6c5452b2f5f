import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { entryAt, type Node } from '../../spec/tree.ts'
import { readEntries, someEntryHas, untaken } from '../entry.ts'
import {
  type FieldContext,
  type Fields,
  flag,
  ignored,
  namesOf,
  oneOf,
  type Parts,
  tell,
  text,
  textIn,
  textMap,
  texts,
  timeout,
  title,
  toolNames,
  transports,
  wrong,
} from '../fields.ts'
import { finding } from '../findings.ts'
import type { ForeignConfig, ForeignServer, NamedText, Part, Text } from '../foreign.ts'
import type { Form, FormContext } from '../form.ts'
import { literalOf, shellVariables } from '../references.ts'

/** GitHub Copilot CLI 1.0.102: `.mcp.json` or `.github/mcp.json` of a project, `mcp-config.json` of the user. */
export const copilot: Form = {
  id: 'copilot',
  program: 'Copilot CLI',
  target: 'copilot',
  syntax: 'json',
  places: [
    { scope: 'project', path: '.mcp.json' },
    { scope: 'project', path: '.github/mcp.json', unless: '.mcp.json' },
    { scope: 'user', path: 'mcp-config.json', folder: '.copilot', variable: 'COPILOT_HOME' },
  ],
  fileNames: ['mcp-config.json', '.github/mcp.json'],
  recognises: (root) => someEntryHas(root, 'mcpServers', ['excludeTools', 'oauthClientId', 'oauthGrantType']),
  references: shellVariables,
  merge: 'whole',
  read,
}

const fields: Fields = {
  type: transports(['stdio', 'local'], ['http', 'streamable-http']),
  command: text('command'),
  args: texts,
  env: textMap('environment'),
  cwd: text('workingDirectory'),
  url: text('url'),
  headers: textMap('headers'),
  tools: (node, context) => {
    const names = namesOf(node)
    return names?.includes('*') ? {} : toolNames('include')(node, context)
  },
  excludeTools: toolNames('exclude'),
  timeout: timeout('toolTimeoutMs'),
  disabled: flag((disabled) => (disabled ? { enabled: false } : {})),
  enabled: ignored('Copilot CLI does not act on it; its key is `disabled`'),
  displayName: title,
  oauthClientId: clientId,
  oauthScopes: clientScopes,
  oauthGrantType: oneOf({ authorization_code: () => ({}), client_credentials: () => ({}) }),
  oauthPublicClient: () => ({}),
  deferTools: ignored('it only says when the model is shown the tools'),
  disableToolCache: ignored('it only says whether Copilot keeps a list of the tools'),
  slowConnectionThresholdMs: ignored('it only says when Copilot calls a start slow'),
}

function clientId(node: Node, context: FieldContext): Parts {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return wrong('a text', context)
  return { oauth: { clientId: node.value, scopes: [] } }
}

function clientScopes(node: Node, context: FieldContext): Parts {
  if (namesOf(node) !== undefined) return {}
  return node.kind === 'scalar' && typeof node.value === 'string' ? {} : wrong('a list of scopes', context)
}

function read(root: Node, context: FormContext): ForeignConfig {
  // Without the wrapper it is read too, under this one name.
  const isBare = /(^|\/)\.mcp\.json$/.test(context.file) && entryAt(root, 'mcpServers') === undefined
  const wrapped: Node = isBare
    ? {
        kind: 'mapping',
        entries: [{ key: 'mcpServers', value: root, start: root.start, end: root.start }],
        start: 0,
        end: 0,
      }
    : root
  const { servers, findings } = readEntries(wrapped, 'mcpServers', fields, context)
  const entries = entryAt(wrapped, 'mcpServers')?.value
  return {
    servers: servers.map((server) =>
      [withKind, withOauth(entries, context), withHostNames, withHome].reduce(
        (each, step) => step(each),
        server,
      ),
    ),
    policies: [],
    findings: [...findings, ...untaken(wrapped, ['mcpServers', '$schema'], context)],
  }
}

/** Without a type, an address makes it a remote server, whatever else there is. */
function withKind(server: ForeignServer): ForeignServer {
  return server.transport === undefined && server.url !== undefined
    ? { ...server, transport: 'http' }
    : server
}

/** A grant without a user is in the language; of a login in the browser only that there is one. */
function withOauth(
  entries: Node | undefined,
  context: FormContext,
): (server: ForeignServer) => ForeignServer {
  return (server) => {
    const entry = entries && entryAt(entries, server.name)?.value
    if (entry === undefined) return server
    const isClient = typeof server.oauth === 'object'
    if (isClient && textIn(entryAt(entry, 'oauthGrantType')?.value) === 'client_credentials') {
      return { ...server, oauth: { ...server.oauth, scopes: scopesIn(entryAt(entry, 'oauthScopes')?.value) } }
    }
    const findings = [...server.findings, ...untoldOauth(entry, server, context)]
    return { ...server, ...(isClient && { oauth: 'login' }), findings }
  }
}

function scopesIn(node: Node | undefined): string[] {
  const words = textIn(node)?.split(/\s+/) ?? (node && namesOf(node)) ?? []
  return words.filter((word) => word !== '')
}

const oauthKeys = ['oauthClientId', 'oauthScopes', 'oauthGrantType', 'oauthPublicClient']

/** The keys about a login of which nothing was told when they were read. */
function untoldOauth(entry: Node, server: ForeignServer, context: FormContext): Diagnostic[] {
  return oauthKeys.flatMap((key) => {
    const place = entryAt(entry, key)
    if (place === undefined) return []
    const { line, column } = context.at(place)
    if (server.findings.some(({ span }) => span?.line === line && span.column === column)) return []
    const message = `\`${key}\` is not carried over: of a login a spec says only \`oauth: login\`, and the harness registers itself`
    return [tell({ ...context, server: server.name, key, place }, 'BRIDLE421', message)]
  })
}

/**
 * A value of `env` that is the name of a variable of the host is replaced by its value: `"TOKEN": "TOKEN"` passes it on.
 * Whether another word is such a name, the file does not say.
 */
function withHostNames(server: ForeignServer): ForeignServer {
  const read = (server.environment ?? []).map((named) => withHostName(named, server))
  const findings = read.flatMap((each) => each.findings)
  const environment = read.map((each) => each.named)
  return {
    ...server,
    ...(environment.length > 0 && { environment }),
    findings: [...server.findings, ...findings],
  }
}

function withHostName({ name, text }: NamedText, server: ForeignServer) {
  const word = literalOf(text.parts)?.trim() ?? ''
  if (word === name) {
    const passed: Text = { ...text, parts: [{ kind: 'environment', name }] }
    return { named: { name, text: passed }, findings: [] }
  }
  const isConstant = /^[A-Z][A-Z0-9_]*_[A-Z0-9_]+$|^(?:PATH|HOME|USER|SHELL|LANG|PWD)$/.test(word)
  const message = `\`env.${name}\` looks like the name of a variable; Copilot CLI gives the value of the variable of this name, if there is one, and in the spec it is the text itself`
  const found = finding('BRIDLE429', message, { span: text.span, server: server.name })
  return { named: { name, text }, findings: isConstant ? [found] : [] }
}

/** `~/` at the beginning of a working directory is the home of the user. */
function withHome(server: ForeignServer): ForeignServer {
  const { workingDirectory } = server
  const [first, ...rest] = workingDirectory?.parts ?? []
  if (workingDirectory === undefined || typeof first !== 'string' || !/^~(?=\/|$)/.test(first)) return server
  const home: Part = { kind: 'other', name: '~' }
  return { ...server, workingDirectory: { ...workingDirectory, parts: [home, first.slice(1), ...rest] } }
}
