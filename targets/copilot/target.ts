import { headersExcept } from '../../src/compile/headers.ts'
import {
  inapplicable,
  type LaunchableTarget,
  native,
  type Refusal,
  type Support,
  unsupported,
} from '../../src/compile/target.ts'
import { refuseText } from '../../src/compile/verbatim.ts'
import { emit } from './emission.ts'
import { evidence } from './evidence.ts'
import { files } from './files.ts'
import { launch } from './launch.ts'
import { encodeLiteral, readLiteral, refuseLiteral } from './literals.ts'
import { longestRule, refuseName, shownTool, toolNames, toolPrefix } from './names.ts'
import { isReserved } from './reserved-names.ts'

/** Headers that Copilot writes itself on some requests, or that MCP itself needs; with Expect the server fails. */
const ownHeaders = [
  ...['accept', 'content-length', 'content-type', 'expect', 'transfer-encoding'],
  ...['last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
]

/** GitHub Copilot CLI. Every fact here was measured with 1.0.102; docs/targets/copilot.md has them all. */
export const copilot: LaunchableTarget = {
  id: 'copilot',
  title: 'Copilot CLI',
  provedWith: '1.0.102',
  // Servers, hooks, settings, agents, skills and more code that it takes from a project.
  projectFiles: [
    ...['.mcp.json', '.github/mcp.json', '.github/copilot', '.github/hooks', '.github/agents'],
    ...['.github/skills', '.github/extensions', '.github/plugin', '.github/lsp.json', '.claude', '.agents'],
  ],
  files,
  // Only where the project has no `.mcp.json`.
  alsoReads: ['.github/mcp.json'],
  // All that Bridle writes for it in a project stands in one file.
  foundFromBelow: [],
  names: { refuse: refuseName, fold: (name) => name, toolPrefix, tools: toolNames },
  supports: {
    stdio: native,
    environment: native,
    workingDirectory: native,
    variables: native,
    'variables.renamed': native,
    http: native,
    ...headersExcept('Copilot', ownHeaders),
    bearerTokenVariable: native,
    'oauth.login': {
      standalone: native,
      launch: unsupported(
        'a launch does not yet carry a login into its private state folder',
        'use `bearerTokenVariable`, or build the configuration and log in with `/mcp auth NAME` in Copilot',
      ),
    },
    'oauth.clientCredentials': unsupported(
      'it takes the client secret only from the keychain or a file of its own',
      'use `bearerTokenVariable` with a token that you fetched, or the built-in harness',
    ),
    'tools.include': {
      kind: 'conditional',
      condition: 'not for a tool that is called `*`',
      refuse: ({ server }) =>
        server.tools?.include?.includes('*')
          ? { reason: 'Copilot takes `*` as every tool of the server', help: 'exclude the others by name' }
          : undefined,
    },
    'tools.exclude': native,
    'requiresConfirmation.all': confirmation(() => undefined),
    'requiresConfirmation.tools': confirmation(({ server }) => {
      const tools = typeof server.requiresConfirmation === 'boolean' ? [] : server.requiresConfirmation
      const tool = tools.find((each) => !hasRule(server.name, each))
      return tool === undefined
        ? undefined
        : {
            reason: `Copilot has no rule for the tool \`${tool}\`: its name is not of ASCII, or longer than ${longestRule} characters with the name of the server`,
            help: 'exclude it with `tools.exclude`, or confirm every tool: `requiresConfirmation: true`',
          }
    }),
    startupTimeoutMs: unsupported(
      'it gives every server 60 seconds, or `toolTimeoutMs` where that is more',
      'set `omit: [startupTimeoutMs]` for this target',
    ),
    toolTimeoutMs: {
      kind: 'conditional',
      condition: 'it limits the listing of the tools too, and above 60000 the start',
      refuse: () => undefined,
    },
    required: {
      standalone: inapplicable('a file starts nothing, so there is no start to refuse'),
      launch: native,
    },
  },
  literals: { refuse: refuseLiteral, encode: encodeLiteral, read: readLiteral },
  secrets: { refuseName: refuseVariable, refuseValue: refuseText, encodeValue: (value) => value },
  emit,
  launch,
  evidence,
}

type Refuse = Extract<Support, { kind: 'conditional' }>['refuse']

/** It asks by default, but not for a tool that the server itself calls read-only, and no file can say otherwise. */
function confirmation(refuse: Refuse): { standalone: Support; launch: Support } {
  return {
    standalone: unsupported(
      'it runs a tool unasked when the server calls it read-only, and no file can change that',
      'exclude the tools with `tools.exclude`, or start it with `bridle run copilot`',
    ),
    launch: {
      kind: 'conditional',
      condition: 'such a call is refused, since nobody is there to ask',
      refuse,
    },
  }
}

function hasRule(server: string, tool: string): boolean {
  return /^[ -~]+$/.test(tool) && toolPrefix(server).length + shownTool(tool).length <= longestRule
}

function refuseVariable(name: string): Refusal | undefined {
  if (!isReserved(name)) return undefined
  return {
    reason: `Copilot keeps the environment variable \`${name}\` to itself and does not hand it on`,
    help: 'give the value another name with `{ env: OTHER_NAME }`, or start it with `bridle run copilot`',
  }
}
