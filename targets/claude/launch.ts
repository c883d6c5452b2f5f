import type { LaunchDefinition, LaunchPlan, PlanRequest } from '../../src/compile/target.ts'
import { refuseArguments } from './arguments.ts'
import { connections, debugLog } from './connections.ts'
import { paths } from './emission.ts'

/** How Bridle starts `claude`: headless, with its own servers and rules and no others. */
export const launch: LaunchDefinition = {
  executable: 'claude',
  // It tells of its servers in the same words. 2.1.300 takes the settings of a launch for deleted: in the sandbox they are
  // a file without a name.
  oldestVersion: '2.1.316',
  startsServers: 'through the wrapper',
  // A plugin brings hooks.
  undoingNames: ['CLAUDE_CODE_PLUGIN_DIRS'],
  credentialNames: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_CUSTOM_HEADERS',
    'ANTHROPIC_AWS_API_KEY',
    'ANTHROPIC_FOUNDRY_API_KEY',
    'ANTHROPIC_FOUNDRY_AUTH_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_CODE_MESSAGING_SOCKET',
  ],
  takesAnyAccountName: false,
  accountNames: [
    ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
    ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_FOUNDRY', 'CLAUDE_CODE_USE_VERTEX'],
  ],
  refuseArguments,
  connections,
  plan,
}

/**
 * Every option of ours in one piece (`--name=value`), since several of them would swallow a prompt that follows.
 * No settings of the user or the project are read: they could undo the rules. `--add-dir` brings the project's
 * instructions (CLAUDE.md, `.claude/rules`) back, without its settings, agents, skills and commands. The mode is stated,
 * since it is not always the same by default: in 2.1.300 a model decides over calls that no rule allows.
 */
function plan({ stateFolder, arguments: args }: PlanRequest): LaunchPlan {
  return {
    arguments: [
      `--mcp-config=${stateFolder}/${paths.launch.mcp}`,
      `--settings=${stateFolder}/${paths.launch.settings}`,
      '--setting-sources=',
      '--add-dir=.',
      '--permission-mode=dontAsk',
      '--strict-mcp-config',
      `--debug-file=${stateFolder}/${debugLog}`,
      ...args,
    ],
    environment: {
      CLAUDE_CONFIG_DIR: stateFolder,
      CLAUDE_CODE_DEBUG_LOG_LEVEL: 'debug',
      CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }
}
