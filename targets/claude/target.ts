import type { FeatureUse } from '../../src/compile/feature.ts'
import { headersExcept } from '../../src/compile/headers.ts'
import {
  inapplicable,
  type LaunchableTarget,
  native,
  type Refusal,
  type Support,
  unsupported,
} from '../../src/compile/target.ts'
import type { SecretField } from '../../src/spec/variable-uses.ts'
import { isReadAsEmpty } from './blanked-names.ts'
import { emit } from './emission.ts'
import { evidence } from './evidence.ts'
import { files } from './files.ts'
import { launch } from './launch.ts'
import { encodeLiteral, encodeValue, readLiteral, refuse } from './literals.ts'
import { refuseName, toolNames } from './names.ts'

/** Headers that Claude Code writes itself: the given value is replaced or doubled, and with Expect the server fails. */
const ownHeaders = [
  ...['accept', 'accept-encoding', 'content-length', 'content-type', 'expect', 'transfer-encoding'],
  ...['last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id', 'user-agent'],
]

/** Of 200 headers of one server each arrives; of more than about 250 some are left out in silence. */
const mostHeaders = 200

/** Claude Code. Facts proved with 2.1.332; docs/targets/claude.md has each one. */
export const claude: LaunchableTarget = {
  id: 'claude',
  title: 'Claude Code',
  provedWith: '2.1.332',
  projectFiles: ['.mcp.json', '.claude'],
  files,
  alsoReads: [],
  foundFromBelow: ['.mcp.json'],
  names: { refuse: refuseName, fold: (name) => name, tools: toolNames },
  supports: {
    stdio: native,
    environment: native,
    workingDirectory: {
      standalone: unsupported(
        'it starts every server in its own working folder',
        'start it with `bridle run`, or set `omit: [workingDirectory]` for this target',
      ),
      launch: native,
    },
    variables: native,
    'variables.renamed': native,
    http: native,
    ...headersExcept('Claude Code', ownHeaders, mostHeaders),
    bearerTokenVariable: native,
    'oauth.login': {
      standalone: native,
      launch: unsupported(
        'a login in a launch is not yet possible',
        'log in from Claude Code itself with the files of `bridle build`, or use `bearerTokenVariable`',
      ),
    },
    'oauth.clientCredentials': unsupported(
      'it has no client credentials grant',
      'use `bearerTokenVariable`, or the built-in harness',
    ),
    'tools.include': {
      standalone: unsupported(
        'its rules can take tools away but cannot keep only some',
        'use `tools.exclude`, start it with `bridle run`, or use the built-in harness',
      ),
      launch: {
        kind: 'conditional',
        condition: 'the model sees the other tools, and a call of one is refused',
        refuse: () => undefined,
      },
    },
    'tools.exclude': native,
    'requiresConfirmation.all': native,
    'requiresConfirmation.tools': native,
    startupTimeoutMs: {
      standalone: oneStartupTimeout('the same for all servers that set it, and at least 30000', 30_000),
      launch: oneStartupTimeout('the same for all servers that set it', 1),
    },
    toolTimeoutMs: {
      kind: 'conditional',
      condition: 'at least 1000',
      refuse: ({ server }) =>
        (server.toolTimeoutMs ?? 1000) >= 1000
          ? undefined
          : {
              reason: 'Claude Code does not keep a `toolTimeoutMs` below 1000',
              help: 'set at least 1000, or `omit: [toolTimeoutMs]` for this target',
            },
    },
    required: {
      standalone: inapplicable('a file starts nothing, so there is no start to refuse'),
      launch: native,
    },
  },
  literals: { refuse, encode: encodeLiteral, read: readLiteral },
  secrets: { refuseName: refuseVariableName, refuseValue: refuse, encodeValue },
  emit,
  launch,
  evidence,
}

/**
 * `MCP_TIMEOUT` is one limit for the whole process, so a server that sets none has it too, in place of the default of
 * 30000. In the settings of a project it can only lengthen.
 */
function oneStartupTimeout(condition: string, least: number): Support {
  return {
    kind: 'conditional',
    condition,
    refuse: ({ server }, all) => {
      const value = server.startupTimeoutMs ?? least
      const other = firstOther(value, all)
      if (other !== undefined) {
        return {
          reason: `Claude Code has one start-up timeout for all servers, and \`${other.name}\` sets ${other.startupTimeoutMs}`,
          help: 'give all servers the same `startupTimeoutMs`, or set `omit: [startupTimeoutMs]` for this target',
        }
      }
      if (value >= least) return undefined
      return {
        reason: `in files Claude Code can be given a start-up timeout only from ${least} on: the settings of a project do no more than lengthen it`,
        help: `set at least ${least}, start it with \`bridle run\`, or set \`omit: [startupTimeoutMs]\` for this target`,
      }
    },
  }
}

function firstOther(value: number, all: readonly FeatureUse[]): FeatureUse['server'] | undefined {
  const known = differing.get(all) ?? findDiffering(all)
  differing.set(all, known)
  return known.find(({ startupTimeoutMs }) => startupTimeoutMs !== value)
}

/** Two servers with different start-up timeouts, or one when all have the same: enough to find one that differs. */
function findDiffering(all: readonly FeatureUse[]): FeatureUse['server'][] {
  const servers = all.flatMap(({ feature, server }) => (feature === 'startupTimeoutMs' ? [server] : []))
  const [first] = servers
  const second = servers.find(({ startupTimeoutMs }) => startupTimeoutMs !== first?.startupTimeoutMs)
  return [first, second].filter((server) => server !== undefined)
}

/** Each server is judged with the same uses of all of them. */
const differing = new WeakMap<readonly FeatureUse[], readonly FeatureUse['server'][]>()

function refuseVariableName(name: string, field: SecretField): Refusal | undefined {
  if (!isReadAsEmpty(name, field === 'environment' ? 'stdio' : 'http')) return undefined
  return {
    reason: `Claude Code reads the environment variable \`${name}\` as empty here`,
    help: 'give the value another name with `{ env: OTHER_NAME }`, or start it with `bridle run`',
  }
}
