import { headersExcept } from '../../src/compile/headers.ts'
import { strictJson } from '../../src/compile/installed-file.ts'
import {
  inapplicable,
  type LaunchableTarget,
  native,
  type Refusal,
  type Support,
  unsupported,
} from '../../src/compile/target.ts'
import { refuseText } from '../../src/compile/verbatim.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'
import { documentName, emit } from './emission.ts'
import { evidence } from './evidence.ts'
import { launch } from './launch.ts'
import { encode } from './literals.ts'
import { foldServer, toolNames } from './names.ts'

/** Headers that Kimi Code writes itself on some requests, or with which every request fails. */
const ownHeaders = [
  ...['accept', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...[
    'last-event-id',
    'mcp-protocol-version',
    'mcp-session-id',
    'sec-fetch-mode',
    'transfer-encoding',
    'upgrade',
  ],
]

/** Variables of a server that Kimi Code sets, cuts blanks from or extends where a proxy is set anywhere. */
const proxyNames = [
  ...['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'],
  'NODE_USE_ENV_PROXY',
]

/** Its permission rules are read and ignored, and a hook that fails lets the call through. */
const confirmation = unsupported(
  'it ignores rules for single servers and tools, and headless it runs every tool unasked',
  'exclude the tools with `tools.exclude`, or leave the server out with `targets.kimi.servers.exclude`',
)

/** Kimi Code. Every fact here was measured with 2.1.0; docs/targets/kimi.md has them all. */
export const kimi: LaunchableTarget = {
  id: 'kimi',
  title: 'Kimi Code',
  provedWith: '2.1.0',
  // Servers, agents, skills and more folders; of another agent's `.agents` it reads agents and skills.
  projectFiles: ['.kimi-code', '.mcp.json', '.agents'],
  files: [
    {
      document: documentName,
      entries: [{ kind: 'keys', path: ['mcpServers'] }],
      project: {
        path: `.kimi-code/${documentName}`,
        syntax: strictJson,
        readWhen: 'Kimi Code reads it at its next start in this folder, when you trust the folder',
      },
      user: {
        variable: 'KIMI_CODE_HOME',
        folder: '.kimi-code',
        path: documentName,
        syntax: strictJson,
        readWhen: 'Kimi Code reads it at its next start',
      },
    },
  ],
  alsoReads: ['.mcp.json'],
  foundFromBelow: ['.mcp.json'],
  names: { refuse: () => undefined, fold: foldServer, tools: toolNames },
  supports: {
    stdio: native,
    environment: environmentSupport(),
    workingDirectory: native,
    variables: native,
    'variables.renamed': {
      standalone: unsupported(
        'a server inherits a variable under its own name',
        'declare the variable under the name that the server expects, or start Kimi Code with `bridle run kimi`',
      ),
      launch: native,
    },
    http: native,
    ...headersExcept('Kimi Code', ownHeaders),
    headerVariables: unsupported(
      'it takes a secret for a header only as a bearer token',
      'use `bearerTokenVariable`, or another target',
    ),
    bearerTokenVariable: native,
    'oauth.login': {
      standalone: native,
      launch: unsupported(
        'a launch does not yet carry a login into its private state folder',
        'use `bearerTokenVariable`, or build the configuration and log in with `/mcp-config login NAME` in Kimi Code',
      ),
    },
    'oauth.clientCredentials': unsupported(
      'it has no client credentials grant',
      'use `bearerTokenVariable` with a token that you fetched, or the built-in harness',
    ),
    'tools.include': native,
    'tools.exclude': native,
    'requiresConfirmation.all': confirmation,
    'requiresConfirmation.tools': confirmation,
    startupTimeoutMs: native,
    toolTimeoutMs: native,
    required: {
      standalone: inapplicable('a file starts nothing, so there is no start to refuse'),
      launch: native,
    },
  },
  literals: { refuse: refuseText, encode },
  secrets: { refuseName: refuseVariable, refuseValue: refuseText, encodeValue: encode },
  emit,
  launch,
  evidence,
}

function environmentSupport(): Support {
  return {
    kind: 'conditional',
    condition: 'not for the variables of a proxy',
    refuse: ({ server }) => {
      const names = server.transport === 'stdio' ? Object.keys(server.environment) : []
      const found = names.filter((name) => proxyNames.includes(name))
      return found.length === 0 ? undefined : ownVariables(found)
    },
  }
}

function ownVariables(names: readonly string[]): Refusal {
  return {
    reason: `Kimi Code rewrites the variables of a proxy for a server: ${names.map((name) => `\`${name}\``).join(', ')}`,
    help: 'remove it, or have a small script of yours as the command that sets it',
  }
}

function refuseVariable(name: string, field: SecretField): Refusal | undefined {
  return field === 'environment' && proxyNames.includes(name) ? ownVariables([name]) : undefined
}
