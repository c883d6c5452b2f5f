import { headersExcept } from '../../src/compile/headers.ts'
import { toml } from '../../src/compile/installed-file.ts'
import type { JsonObject } from '../../src/compile/serialize.ts'
import {
  type LaunchableTarget,
  native,
  type Refusal,
  type Support,
  unsupported,
} from '../../src/compile/target.ts'
import { refuseText } from '../../src/compile/verbatim.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'
import { emit } from './emission.ts'
import { evidence } from './evidence.ts'
import { launch } from './launch.ts'

/** Headers that Codex writes itself on some requests, in place of the given value or in addition to it. */
const ownHeaders = [
  ...['accept', 'content-length', 'content-type', 'transfer-encoding'],
  ...['last-event-id', 'mcp-protocol-version', 'mcp-session-id'],
]

/** Codex CLI. Every fact here was measured with 0.171.0; docs/targets/codex.md has them all. */
export const codex: LaunchableTarget = {
  id: 'codex',
  title: 'Codex CLI',
  provedWith: '0.171.0',
  // Settings, hooks, rules; read when the folder is trusted, which an agent could arrange for the next start by hand.
  projectFiles: ['.codex'],
  files: [
    {
      document: 'config.toml',
      entries: [{ kind: 'keys', path: ['mcp_servers'] }],
      readBack: {
        executable: 'codex',
        folderVariable: 'CODEX_HOME',
        document: { path: 'config.toml', format: 'toml', table: 'mcp_servers' },
        questions: (entries) =>
          Object.keys(entries).map((name) => ({ arguments: ['mcp', 'get', '--json', '--', name] })),
        // It keeps to itself whether a server is required and which tools ask.
        tellsAll: false,
        entries: (answers) => Object.fromEntries(answers.map(entryOf)),
      },
      project: {
        path: '.codex/config.toml',
        syntax: toml,
        readWhen: 'Codex reads it at its next start, in a folder that you trust',
      },
      user: {
        variable: 'CODEX_HOME',
        folder: '.codex',
        path: 'config.toml',
        syntax: toml,
        readWhen: 'Codex reads it at its next start',
      },
    },
  ],
  alsoReads: [],
  foundFromBelow: [],
  names: { refuse: refuseName, fold },
  supports: {
    stdio: native,
    environment: native,
    workingDirectory: native,
    variables: native,
    'variables.renamed': {
      standalone: unsupported(
        'it passes a variable on only under its own name',
        'declare the variable under the name that the server expects, or start Codex with `bridle run codex`',
      ),
      launch: native,
    },
    http: native,
    ...headersExcept('Codex', ownHeaders),
    bearerTokenVariable: native,
    'oauth.login': {
      standalone: native,
      launch: unsupported(
        'a launch does not yet carry a login into its private state folder',
        'use `bearerTokenVariable`, or build the configuration and log in with `codex mcp login NAME`',
      ),
    },
    'oauth.clientCredentials': unsupported(
      'it has no client credentials grant',
      'use `bearerTokenVariable` with a token that you fetched, or the built-in harness',
    ),
    'tools.include': native,
    'tools.exclude': native,
    'requiresConfirmation.all': confirmation(),
    'requiresConfirmation.tools': confirmation(),
    startupTimeoutMs: native,
    toolTimeoutMs: native,
    required: native,
  },
  // Nothing is expanded, and TOML carries every text that a program can receive.
  literals: { refuse: refuseText, encode: (text) => text },
  secrets: { refuseName: refuseVariable, refuseValue, encodeValue: (value) => value },
  emit,
  launch,
  evidence,
}

/** Codex asks before such a tool; headless, with its own sandbox off, it would run the tool unasked. */
function confirmation(): { standalone: Support; launch: Support } {
  return {
    standalone: {
      kind: 'conditional',
      condition:
        'not when you start Codex with full access (`danger-full-access` in `exec`, or a bypass flag)',
      refuse: () => undefined,
    },
    launch: unsupported(
      'headless and inside a sandbox, it runs every tool unasked',
      'exclude the tools with `tools.exclude`, leave the server out with `targets.codex.servers.exclude`, or use `bridle build codex` and start Codex yourself',
    ),
  }
}

function refuseName(name: string): Refusal | undefined {
  return name === 'codex_apps'
    ? {
        reason: 'Codex keeps the name `codex_apps` for itself and drops such a server',
        help: 'rename the server',
      }
    : undefined
}

/** The namespace in which the model sees the tools of a server; two servers in one are both renamed with a hash. */
function fold(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]/g, '_')
  return plain.startsWith('mcp__') ? plain : `mcp__${plain}`
}

function refuseValue(value: string, field: SecretField): Refusal | undefined {
  if (field === 'header' && value === '') {
    return {
      reason: 'Codex sends the request without the header when its variable is empty',
      help: 'give a value',
    }
  }
  return refuseText(value, field)
}

function refuseVariable(name: string, field: SecretField): Refusal | undefined {
  return name === 'PATH' && field === 'environment'
    ? {
        reason: 'Codex puts folders of its own in front of `PATH` before a server receives it',
        help: 'write the folders into `environment`, or start Codex with `bridle run codex`',
      }
    : undefined
}

/** The answer of `codex mcp get --json`, under the keys of the file. */
function entryOf(answer: string): [name: string, entry: JsonObject] {
  const { name, transport, ...rest } = JSON.parse(answer)
  return [name, { ...transport, ...rest }]
}
