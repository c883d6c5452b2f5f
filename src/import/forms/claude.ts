import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { entryAt, type Node } from '../../spec/tree.ts'
import { readEntries, untaken } from '../entry.ts'
import {
  essential,
  type Field,
  type Fields,
  ignored,
  isNull,
  tell,
  text,
  textMap,
  texts,
  timeout,
  title,
  transports,
  wrong,
} from '../fields.ts'
import { finding } from '../findings.ts'
import { type ForeignConfig, type ForeignServer, isLeftOut, type Scope } from '../foreign.ts'
import type { Form, FormContext } from '../form.ts'
import { bracedVariables } from '../references.ts'
import { readSettings } from './claude-settings.ts'

/**
 * Claude Code 2.1.332: `.mcp.json` of a project, the file of its own state (`.claude.json`, with the servers of the user
 * and those of single projects), and its settings, which hold the rules about tools and the start-up timeout.
 */
export const claude: Form = {
  id: 'claude',
  program: 'Claude Code',
  target: 'claude',
  syntax: 'strict json',
  places: [
    { scope: 'project', path: '.mcp.json' },
    { scope: 'local', path: '.claude/settings.local.json' },
    { scope: 'project', path: '.claude/settings.json' },
    { scope: 'user', path: '.claude.json', folder: '', variable: 'CLAUDE_CONFIG_DIR' },
    { scope: 'user', path: 'settings.json', folder: '.claude', variable: 'CLAUDE_CONFIG_DIR' },
  ],
  fileNames: ['.mcp.json', '.claude.json', '.claude/settings.json', '.claude/settings.local.json'],
  recognises: (root) => hasMapping(root, 'projects') && hasMapping(root, 'mcpServers'),
  references: { ...bracedVariables, headersTwice: true },
  merge: 'whole',
  read,
}

const fields: Fields = {
  type: transports(['stdio'], ['http', 'streamable-http']),
  command: text('command'),
  args: texts,
  env: textMap('environment'),
  url: text('url'),
  headers: textMap('headers'),
  headersHelper: essential('is a command that computes headers, for which a spec has no field'),
  oauth: readOauth,
  timeout: timeout('toolTimeoutMs', 1, 1000),
  alwaysLoad: ignored('it only says when the model is shown the tools'),
  displayName: title,
  toolPermissions: readToolPermissions,
  tools: ignored('Claude Code does not act on it in a file'),
}

/** A login in the browser; which client asks for it is the harness's own affair. */
function readOauth(node: Node, context: Parameters<Field>[1]): ReturnType<Field> {
  if (node.kind !== 'mapping') return wrong('a mapping', context)
  const findings = node.entries.map(({ key, ...place }) =>
    tell(
      { ...context, place },
      'BRIDLE421',
      `\`oauth.${key}\` is not carried over: a spec says \`oauth: login\`, and the harness registers itself`,
    ),
  )
  return { oauth: 'login', findings }
}

function readToolPermissions(node: Node, context: Parameters<Field>[1]): ReturnType<Field> {
  if (node.kind !== 'mapping') return wrong('a mapping', context)
  const toolsWith = (permission: string) =>
    node.entries
      .filter(({ value }) => value.kind === 'scalar' && value.value === permission)
      .map(({ key }) => key)
  const [blocked, asking] = [toolsWith('blocked'), toolsWith('ask')]
  const others = node.entries.filter(({ key }) => !blocked.includes(key) && !asking.includes(key))
  return {
    ...(blocked.length > 0 && { exclude: blocked }),
    asksFor: asking.map((tool) => ({ tool, asks: true })),
    findings: others.map(({ key, ...place }) =>
      tell(
        { ...context, place },
        'BRIDLE421',
        `\`toolPermissions.${key}\` is not carried over: it takes nothing away, and \`bridle run\` allows the servers of the spec itself`,
      ),
    ),
  }
}

function read(root: Node, context: FormContext): ForeignConfig {
  if (/settings(\.local)?\.json$/i.test(context.file)) return readSettings(root, context)
  const isState = entryAt(root, 'projects') !== undefined || /\.claude\.json$/i.test(context.file)
  return isState ? readState(root, context) : readProject(root, context)
}

function readProject(root: Node, context: FormContext): ForeignConfig {
  const { servers, findings } = readEntries(root, 'mcpServers', fields, context)
  const told = [...findings, ...untaken(root, ['mcpServers', '$schema'], context)]
  return { servers: servers.map(withKind), policies: [], findings: told }
}

/** The state file: of all that is in it, only the servers of the user and of this project are settings of MCP. */
function readState(root: Node, context: FormContext): ForeignConfig {
  const user = readScope(root, 'user', context)
  const projects = entryAt(root, 'projects')?.value
  const entries = projects?.kind === 'mapping' ? projects.entries : []
  const own = entries.find(({ key }) => key === context.project)
  const local = own === undefined ? undefined : readScope(own.value, 'local', context)
  const others = entries.filter((entry) => entry !== own && hasMapping(entry.value, 'mcpServers'))
  const [first] = others
  const untold =
    first === undefined
      ? []
      : [
          finding(
            'BRIDLE421',
            `the servers of ${others.length} other ${others.length === 1 ? 'project' : 'projects'} are not carried over`,
            { span: context.at(first) },
            'Run the import in the folder of that project.',
          ),
        ]
  return {
    servers: [...(local?.servers ?? []), ...user.servers],
    policies: own === undefined ? [] : readSettings(own.value, context).policies,
    findings: [...(local?.findings ?? []), ...user.findings, ...untold],
  }
}

function readScope(
  root: Node,
  scope: Scope,
  context: FormContext,
): { servers: ForeignServer[]; findings: Diagnostic[] } {
  const { servers, findings } = readEntries(root, 'mcpServers', fields, context, { scope })
  return { servers: servers.map(withKind), findings }
}

/** Without a type, an entry is of a program to start; with only an address, Claude Code skips it. */
function withKind(server: ForeignServer): ForeignServer {
  const { transport, command, url } = server
  if (transport !== undefined || command !== undefined || url === undefined || isLeftOut(server)) {
    return server
  }
  const { name, span, findings } = server
  const message =
    '`type` is missing, so Claude Code skips this entry; it became a server that is reached over HTTP'
  return { ...server, findings: [...findings, finding('BRIDLE427', message, { span, server: name })] }
}

function hasMapping(root: Node, key: string): boolean {
  const node = entryAt(root, key)?.value
  return node?.kind === 'mapping' && !isNull(node)
}
