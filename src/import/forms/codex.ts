import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { type Entry, entryAt, type Node } from '../../spec/tree.ts'
import { readEntries } from '../entry.ts'
import {
  bearerVariable,
  essential,
  type Field,
  type FieldContext,
  type Fields,
  flag,
  fromVariable,
  ignored,
  leftOut,
  oneOf,
  type Parts,
  tell,
  text,
  textIn,
  textMap,
  texts,
  timeout,
  toolNames,
  wrong,
} from '../fields.ts'
import type { ForeignServer, NamedText, ToolConfirmation } from '../foreign.ts'
import type { Form } from '../form.ts'
import { noReferences } from '../references.ts'

/** Codex CLI 0.171.0: `config.toml`. It replaces nothing in any text, and merges the file of a project into the user's. */
export const codex: Form = {
  id: 'codex',
  program: 'Codex CLI',
  target: 'codex',
  syntax: 'toml',
  places: [
    { scope: 'project', path: '.codex/config.toml' },
    { scope: 'user', path: 'config.toml', folder: '.codex', variable: 'CODEX_HOME' },
  ],
  fileNames: ['config.toml'],
  recognises: (root) => root.kind === 'mapping' && root.entries.some(({ key }) => key === 'mcp_servers'),
  references: noReferences,
  merge: 'parts',
  read: (root, context) => {
    const { servers, findings } = readEntries(root, 'mcp_servers', fields, context)
    return { servers: servers.map(refuseBoth), policies: [], findings }
  },
}

const fields: Fields = {
  command: text('command'),
  args: texts,
  // Before `env`: what stands there in so many words wins.
  env_vars: passedOn,
  env: textMap('environment'),
  cwd: text('workingDirectory'),
  url: text('url'),
  http_headers: textMap('headers'),
  env_http_headers: headersFromVariables,
  // After the headers: it wins over one of the same name.
  bearer_token_env_var: bearerVariable,
  http_headers_helper: essential('is a command that computes headers, for which a spec has no field'),
  auth: oneOf({
    oauth: () => ({ oauth: 'login' }),
    chatgpt: essential('sends the login of the account of Codex, which no other program has'),
    ema_auth: essential('is a login that only Codex knows'),
  }),
  oauth: readOauth,
  scopes: loginDetail,
  oauth_resource: loginDetail,
  enabled: flag((enabled) => (enabled ? {} : { enabled })),
  required: flag((required) => (required ? { required } : {})),
  // Before the one in seconds, which wins.
  startup_timeout_ms: timeout('startupTimeoutMs'),
  startup_timeout_sec: timeout('startupTimeoutMs', 1000),
  tool_timeout_sec: timeout('toolTimeoutMs', 1000),
  enabled_tools: toolNames('include'),
  disabled_tools: toolNames('exclude'),
  default_tools_approval_mode: approval((asks) => ({ asksByDefault: asks })),
  tools: toolModes,
  startup_readiness: ignored('it only says when Codex takes a server for started'),
  supports_parallel_tool_calls: ignored('it only says whether Codex calls several tools at a time'),
  omit_tools_from: essential('keeps tools from the model in some modes of Codex'),
  environment_id: ignored('it names an environment of Codex'),
  name: ignored('Codex does not read it any more'),
  bearer_token: essential('is an error for Codex: a token has no place in its file'),
}

function passedOn(node: Node, context: FieldContext): Parts {
  if (node.kind !== 'list') return wrong('a list of names', context)
  const environment: NamedText[] = []
  const findings: Diagnostic[] = []
  for (const item of node.items) {
    const [name, source] =
      item.kind === 'mapping'
        ? [textIn(entryAt(item, 'name')?.value), textIn(entryAt(item, 'source')?.value)]
        : [textIn(item)]
    if (name === undefined) return wrong('a list of names', context)
    if (source === 'remote') findings.push(...(wrong('of variables of this machine', context).findings ?? []))
    environment.push({ name, text: fromVariable(name, item, context) })
  }
  return { environment, findings }
}

function headersFromVariables(node: Node, context: FieldContext): Parts {
  if (node.kind !== 'mapping') return wrong('a mapping from headers to names of variables', context)
  const headers: NamedText[] = []
  for (const { key, value } of node.entries) {
    const name = textIn(value)
    if (name === undefined) return wrong('a mapping from headers to names of variables', context)
    headers.push({ name: key, text: fromVariable(name, value, context) })
  }
  return { headers }
}

/** Details of a login in the browser: a spec leaves them to the harness. */
function loginDetail(_: Node, context: FieldContext): Parts {
  const message = `\`${context.key}\` is not carried over: a spec says \`oauth: login\`, and the harness does the rest`
  return { findings: [tell(context, 'BRIDLE421', message)] }
}

function readOauth(node: Node, context: FieldContext): Parts {
  if (node.kind !== 'mapping') return wrong('a mapping', context)
  const findings = node.entries.flatMap(({ key, ...place }) => {
    const detail = { ...context, place, key: `oauth.${key}` }
    return key === 'client_secret' ? [secretLost(detail)] : (loginDetail(node, detail).findings ?? [])
  })
  return { oauth: 'login', findings }
}

function secretLost(context: FieldContext): Diagnostic {
  return tell(
    context,
    'BRIDLE423',
    `the secret in \`${context.key}\` was not copied, nor is it carried over otherwise`,
    'Replace it where it was issued.',
  )
}

/** What the modes of approval mean for a tool that changes something. */
const modes: Readonly<Record<string, { readonly asks?: boolean; readonly told?: string }>> = {
  prompt: { asks: true },
  writes: {
    asks: true,
    told: 'asks before each tool that is not read-only; in the spec each tool asks: `requiresConfirmation`',
  },
  auto: {},
  approve: { asks: false },
}

function approval(part: (asks: boolean) => Parts): Field {
  return (node, context) => {
    const mode = modes[textIn(node) ?? '']
    if (mode === undefined) return wrong(`one of ${Object.keys(modes).join(', ')}`, context)
    const { asks, told } = mode
    const message = `\`${context.key}\` ${told}`
    return {
      ...(asks === undefined ? {} : part(asks)),
      findings: told === undefined ? [] : [tell(context, 'BRIDLE429', message)],
    }
  }
}

function toolModes(node: Node, context: FieldContext): Parts {
  if (node.kind !== 'mapping') return wrong('a table of tools', context)
  const read = node.entries.map((entry) => toolMode(entry, context))
  const asksFor = read.flatMap((each) => each.asksFor ?? [])
  return { ...(asksFor.length > 0 && { asksFor }), findings: read.flatMap(({ findings = [] }) => findings) }
}

function toolMode({ key: tool, value }: Entry, context: FieldContext): Parts {
  if (value.kind !== 'mapping') return wrong('a table of tools', context)
  const asksFor: ToolConfirmation[] = []
  const findings: Diagnostic[] = []
  for (const { key, value: mode, ...place } of value.entries) {
    const detail = { ...context, place, key: `tools.${tool}.${key}` }
    if (key !== 'approval_mode') {
      findings.push(tell(detail, 'BRIDLE421', `\`${detail.key}\` is not carried over: Codex has no such key`))
      continue
    }
    const read = approval((asks) => ({ asksFor: [{ tool, asks }] }))(mode, detail)
    asksFor.push(...(read.asksFor ?? []))
    findings.push(...(read.findings ?? []))
  }
  return { asksFor, findings }
}

/** A server of both kinds is an error for Codex. */
function refuseBoth(server: ForeignServer): ForeignServer {
  if (server.command === undefined || server.url === undefined) return server
  const reason = 'it has both a `command` and a `url`, and Codex does not start with it'
  return { ...server, findings: [...server.findings, leftOut(reason, server)] }
}
