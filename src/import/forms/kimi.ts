import { readEntries, someEntryHas, untaken } from '../entry.ts'
import {
  bearerVariable,
  essential,
  type Fields,
  flag,
  ignored,
  oneOf,
  text,
  textMap,
  texts,
  timeout,
  toolNames,
  transports,
} from '../fields.ts'
import { finding } from '../findings.ts'
import type { Form } from '../form.ts'
import { noReferences } from '../references.ts'

/**
 * Kimi Code 2.1.0: `mcp.json`. It replaces nothing in any text, and a stdio server has the whole environment of Kimi, so
 * that a file says nothing of the variables that a server needs.
 */
export const kimi: Form = {
  id: 'kimi',
  program: 'Kimi Code',
  target: 'kimi',
  syntax: 'strict json',
  places: [
    { scope: 'local', path: '.kimi-code/mcp.json' },
    { scope: 'project', path: '.mcp.json' },
    { scope: 'user', path: 'mcp.json', folder: '.kimi-code', variable: 'KIMI_CODE_HOME' },
  ],
  fileNames: ['.kimi-code/mcp.json'],
  recognises: (root) => someEntryHas(root, 'mcpServers', ownKeys),
  references: noReferences,
  merge: 'whole',
  read: (root, context) => {
    const { servers, findings } = readEntries(root, 'mcpServers', fields, context)
    const first = servers.find(
      ({ command, environment = [] }) => command !== undefined && environment.length === 0,
    )
    const inherited =
      first === undefined
        ? []
        : [
            finding(
              'BRIDLE429',
              'a server of Kimi Code has the whole environment of Kimi, and the file does not say which variables it needs',
              { span: first.span },
              'Declare the ones that are secrets under `variables`, and name them in the servers that need them.',
            ),
          ]
    return {
      servers,
      policies: [],
      findings: [...findings, ...inherited, ...untaken(root, ['mcpServers', '$schema'], context)],
    }
  },
}

const fields: Fields = {
  transport: transports(['stdio'], ['http']),
  command: text('command'),
  args: texts,
  env: textMap('environment'),
  cwd: text('workingDirectory'),
  url: text('url'),
  headers: textMap('headers'),
  bearerTokenEnvVar: bearerVariable,
  auth: oneOf({ oauth: () => ({ oauth: 'login' }) }),
  enabled: flag((enabled) => (enabled ? {} : { enabled })),
  startupTimeoutMs: timeout('startupTimeoutMs'),
  toolTimeoutMs: timeout('toolTimeoutMs'),
  enabledTools: toolNames('include'),
  disabledTools: toolNames('exclude'),
  type: oneOf({
    stdio: () => ({}),
    http: () => ({}),
    sse: ignored('Kimi Code does not read it, and speaks Streamable HTTP to this server'),
    'streamable-http': () => ({}),
  }),
  deferred: ignored('it only says when the model is shown the tools'),
  executor: oneOf({
    local: () => ({}),
    kaos: essential('starts the server elsewhere, as only Kimi Code can'),
  }),
}

/** Keys that no other program with `mcpServers` has. */
const ownKeys = ['bearerTokenEnvVar', 'enabledTools', 'startupTimeoutMs', 'toolTimeoutMs']
