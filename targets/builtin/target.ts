import { headersExcept } from '../../src/compile/headers.ts'
import { strictJson } from '../../src/compile/installed-file.ts'
import type { JsonObject } from '../../src/compile/serialize.ts'
import {
  type EmittedDocument,
  type LaunchableTarget,
  type LoweredServer,
  native,
  type Refusal,
  type Support,
  unsupported,
} from '../../src/compile/target.ts'
import { refuseText } from '../../src/compile/verbatim.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'
import { parseArguments } from './arguments.ts'
import { connectionLog, connections } from './connections.ts'
import { builtinConfig } from './emission.ts'
import { evidence } from './evidence.ts'

/**
 * Headers that the transport writes itself (MCP, Streamable HTTP), and those that `fetch` of Node 20 refuses or
 * replaces (measured with each one).
 */
const ownHeaders = [
  ...[
    'accept',
    'content-type',
    'last-event-id',
    'mcp-session-id',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
  ],
  ...[
    'connection',
    'content-length',
    'expect',
    'host',
    'keep-alive',
    'sec-fetch-mode',
    'transfer-encoding',
    'upgrade',
  ],
]

/** Never run unasked, and nobody can be asked yet. */
const refusedCalls: Support = {
  kind: 'conditional',
  condition: 'such a call is refused, since asking for one is not yet possible',
  refuse: () => undefined,
}

const configName = 'builtin.json'

/** Bridle's own harness: connects to the servers itself, so nothing is lost on the way. Both contexts are alike. */
export const builtin: LaunchableTarget = {
  id: 'builtin',
  title: "Bridle's built-in harness",
  projectFiles: ['.bridle/builtin.json'],
  files: [
    {
      document: configName,
      entries: [
        { kind: 'value', path: ['version'] },
        { kind: 'keys', path: ['servers'] },
      ],
      project: {
        path: `.bridle/${configName}`,
        syntax: strictJson,
        readWhen: 'read when its program is given this file',
      },
      user: {
        variable: 'XDG_CONFIG_HOME',
        folder: '.config',
        path: `bridle/${configName}`,
        syntax: strictJson,
        readWhen: 'read when its program is given this file',
      },
    },
  ],
  alsoReads: [],
  foundFromBelow: [],
  names: { refuse: () => undefined, fold: (name) => name },
  supports: {
    stdio: native,
    environment: native,
    workingDirectory: native,
    variables: native,
    'variables.renamed': native,
    http: native,
    ...headersExcept('the built-in harness', ownHeaders),
    bearerTokenVariable: native,
    'oauth.login': unsupported(
      'it has no browser and no place to keep a login',
      'run the server from Claude Code or Codex, which can log in, or use `bearerTokenVariable`',
    ),
    'oauth.clientCredentials': native,
    'tools.include': native,
    'tools.exclude': native,
    'requiresConfirmation.all': refusedCalls,
    'requiresConfirmation.tools': refusedCalls,
    startupTimeoutMs: native,
    toolTimeoutMs: native,
    required: native,
  },
  literals: { refuse: refuseText, encode: (text) => text },
  secrets: { refuseName: () => undefined, refuseValue, encodeValue: (value) => value },
  emit: (servers) => [configFor(servers)],
  evidence,
  launch: {
    startsServers: 'itself',
    undoingNames: [],
    credentialNames: [],
    takesAnyAccountName: false,
    accountNames: [],
    refuseArguments: (args) => {
      const parsed = parseArguments(args)
      return 'refusal' in parsed ? [parsed.refusal] : []
    },
    connections,
    plan: ({ stateFolder, arguments: args }) => ({
      arguments: [
        ...['--config', `${stateFolder}/${configName}`, '--log', `${stateFolder}/${connectionLog}`],
        ...args,
      ],
      environment: {},
    }),
  },
}

function configFor(servers: readonly LoweredServer[]): EmittedDocument {
  const entries = servers.map((server) => [server.name, entryFor(server)] as const)
  return {
    path: configName,
    format: 'json',
    document: { version: 1, servers: Object.fromEntries(entries) },
    schema: builtinConfig,
  }
}

/** The server as the language has it, without what a harness of one session has no use for. */
function entryFor(server: LoweredServer): JsonObject {
  const { name: _name, enabled: _enabled, shared: _shared, tools, ...entry } = server
  const filter = tools && { tools: { ...tools } }
  if (entry.transport === 'stdio') return { ...entry, ...filter }
  const { oauth, ...http } = entry
  return { ...http, ...filter, ...(oauth && { oauth: typeof oauth === 'string' ? oauth : { ...oauth } }) }
}

function refuseValue(value: string, field: SecretField): Refusal | undefined {
  const refusal = refuseText(value, field)
  if (refusal !== undefined) return refusal
  if (field === 'clientSecret' && !/^[ -~]+$/.test(value)) {
    return {
      reason:
        'a client secret is printable ASCII (RFC 6749 appendix A.2), and this one holds other characters',
      help: 'check that the whole secret was copied, and nothing else',
    }
  }
  return undefined
}
