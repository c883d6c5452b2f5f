import type { LaunchDefinition, LaunchPlan, LoweredServer, PlanRequest } from '../../src/compile/target.ts'
import { refuseArguments } from './arguments.ts'
import { connections } from './connections.ts'
import { paths } from './emission.ts'
import { shownTool } from './names.ts'

/** How `copilot -p` is started: with its own servers and rules, a state folder of its own, and no trust in the project. */
export const launch: LaunchDefinition = {
  executable: 'copilot',
  // The only one that was tried.
  oldestVersion: '1.0.102',
  unpackVariable: 'COPILOT_CACHE_HOME',
  agentFiles: { folders: ['.github/agents', '.claude/agents'], keyOfServers: 'mcp-servers' },
  startsServers: 'through the wrapper',
  undoingNames: [
    // Code and servers that no spec describes, and a model that approves calls.
    ...['GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS', 'GITHUB_COPILOT_PROMPT_MODE_EXTENSIONS'],
    ...[
      'COPILOT_ENABLE_BUILTIN_GITHUB_MCP',
      'COPILOT_ASSISTED_APPROVAL',
      'COPILOT_CLI_ENABLED_FEATURE_FLAGS',
    ],
    // Another program than the one that was looked at.
    ...['COPILOT_CLI_DIST_DIR', 'COPILOT_CLI_PATH', 'COPILOT_CLI_VERSION', 'COPILOT_PKG_CACHE_HOME'],
  ],
  // A server inherits the whole environment, less the names that Copilot takes away itself.
  credentialNames: [
    ...['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_API_KEY'],
    ...['COPILOT_PROVIDER_API_KEY_COMMAND', 'COPILOT_PROVIDER_BEARER_TOKEN', 'COPILOT_PROVIDER_HEADERS'],
    'COPILOT_OTEL_FILE_EXPORTER_PATH',
  ],
  takesAnyAccountName: false,
  accountNames: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_BASE_URL'],
  refuseArguments,
  connections,
  plan,
}

/** The agent's own tools: in a launch the sandbox is their guard, so they need no question. */
const ownTools = ['--allow-tool=shell', '--allow-tool=write', '--allow-all-paths', '--allow-all-urls']

function plan({ servers, stateFolder, arguments: args }: PlanRequest): LaunchPlan {
  return {
    arguments: [
      // Unlike a file of the user, it is checked: a fault in it ends the run before the model is asked.
      `--additional-mcp-config=@${stateFolder}/${paths.launch}`,
      '--disable-builtin-mcps',
      '--no-auto-update',
      // Nothing of a session leaves for GitHub besides what the model is asked.
      '--no-remote-export',
      '--disable-client-telemetry',
      `--log-dir=${stateFolder}/${connections.path}`,
      '--log-level=info',
      ...ownTools,
      ...servers.flatMap(rulesFor),
      ...args,
    ],
    environment: {
      COPILOT_HOME: stateFolder,
      // Either would read the servers of the project, the first also its hooks and plugins.
      COPILOT_ALLOW_ALL: 'false',
      GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP: 'false',
      COPILOT_AUTO_UPDATE: 'false',
      // Where it tells which servers connected: in its log it names only those that failed.
      COPILOT_OTEL_FILE_EXPORTER_PATH: `${stateFolder}/${connections.path}/telemetry.jsonl`,
      COPILOT_OTEL_EXPORTER_TYPE: 'file',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false',
    },
  }
}

/**
 * A tool that its server calls read-only runs unasked even where no rule allows it, so what needs a confirmation is
 * denied: nobody is there to ask. To deny beats to allow.
 */
function rulesFor({ name, requiresConfirmation }: LoweredServer): string[] {
  if (requiresConfirmation === true) return [`--deny-tool=${name}`]
  const denied = requiresConfirmation === false ? [] : requiresConfirmation
  return [`--allow-tool=${name}`, ...denied.map((tool) => `--deny-tool=${name}(${shownTool(tool)})`)]
}
