import { headersExcept } from '../../src/compile/headers.ts'
import { strictJson } from '../../src/compile/installed-file.ts'
import { inapplicable, native, type Support, type Target, unsupported } from '../../src/compile/target.ts'
import { documentName, emit } from './emission.ts'
import { refuseLiteral } from './literals.ts'

/** Headers that belong to HTTP or to MCP: every harness that was measured writes most of them itself. */
const ownHeaders = [
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'expect', 'host'],
  ...['keep-alive', 'last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]

const readWhen = 'by what others report, Antigravity reads it at its next start; Bridle has not seen it do so'
const otherTarget = 'leave the server out with `targets.antigravity.servers.exclude`, or use another target'
const unknown = (what: string, help = otherTarget): Support => unsupported(`${what} is not known`, help)
const noReference = unknown('how its file refers to a variable, if it can')
const noTimeout = (omitted: string): Support =>
  unsupported('a timeout in its file is not known', `set \`omit: [${omitted}]\` for this target`)
const noConfirmation = unknown('whether its file can ask before a tool runs')

/**
 * Antigravity 2, the IDE and its command `agy`. Not proved on the program, which is not to be had for tests: what stands
 * here is what other projects write for it (docs/targets/antigravity.md), and what they do not write is refused.
 */
export const antigravity: Target = {
  id: 'antigravity',
  title: 'Antigravity',
  projectFiles: ['.agents'],
  files: [
    {
      document: documentName,
      entries: [{ kind: 'keys', path: ['mcpServers'] }],
      project: { path: `.agents/${documentName}`, syntax: strictJson, readWhen },
      user: { folder: '.gemini/config', path: documentName, syntax: strictJson, readWhen },
    },
  ],
  alsoReads: [],
  foundFromBelow: [],
  names: { refuse: () => undefined, fold: (name) => name },
  supports: {
    stdio: native,
    environment: native,
    workingDirectory: unsupported(
      'in which folder it starts a server is not known',
      'set `omit: [workingDirectory]` for this target',
    ),
    variables: noReference,
    'variables.renamed': noReference,
    http: native,
    ...headersExcept('Antigravity', ownHeaders),
    headerVariables: noReference,
    bearerTokenVariable: noReference,
    'oauth.login': unknown('how it logs in to a server'),
    'oauth.clientCredentials': unknown('how it logs in to a server'),
    'tools.include': unsupported(
      'its file can take tools away but cannot keep only some',
      'use `tools.exclude`',
    ),
    'tools.exclude': native,
    'requiresConfirmation.all': noConfirmation,
    'requiresConfirmation.tools': noConfirmation,
    startupTimeoutMs: noTimeout('startupTimeoutMs'),
    toolTimeoutMs: noTimeout('toolTimeoutMs'),
    required: inapplicable('a file starts nothing, so there is no start to refuse'),
  },
  literals: { refuse: refuseLiteral, encode: (text) => text },
  // It gets no secret: every feature that names one is refused.
  secrets: { refuseName: () => undefined, refuseValue: () => undefined, encodeValue: (value) => value },
  emit,
}
