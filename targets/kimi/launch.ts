import type { LaunchDefinition } from '../../src/compile/target.ts'
import { refuseArguments } from './arguments.ts'
import { connections } from './connections.ts'

/** How `kimi -p` is started: with a state folder of its own, in which no project is trusted. */
export const launch: LaunchDefinition = {
  executable: 'kimi',
  // The harness tests that start it by hand pass with it too; the release before it, 0.43.1, was not tried.
  oldestVersion: '2.0.2',
  // The engines of its package; Node.js 20 cannot even load it.
  oldestNode: '22.19.0',
  namesake: {
    answer: /^kimi, version /,
    refusal: {
      reason:
        'the `kimi` that was found is the older kimi-cli, which is written in Python, and not Kimi Code',
      help: 'install @moonshot-ai/kimi-code in front of it on PATH, or name its program with `--harness PATH`',
    },
  },
  startsServers: 'through the wrapper',
  undoingNames: [],
  // A server inherits the whole environment.
  credentialNames: [
    ...['KIMI_MODEL_API_KEY', 'KIMI_API_KEY', 'KIMI_CODE_CUSTOM_HEADERS', 'KIMI_CODE_PASSWORD'],
    ...['KIMI_REGISTRY_API_KEY', 'KIMI_WEB_SEARCH_API_KEY', 'KIMI_WEB_FETCH_API_KEY'],
  ],
  takesAnyAccountName: false,
  accountNames: ['KIMI_MODEL_API_KEY', 'KIMI_MODEL_NAME', 'KIMI_MODEL_BASE_URL', 'KIMI_MODEL_PROVIDER_TYPE'],
  neededNames: ['KIMI_MODEL_NAME', 'KIMI_MODEL_API_KEY'],
  refuseArguments,
  connections,
  plan: ({ arguments: args, stateFolder }) => ({
    arguments: args,
    environment: {
      KIMI_CODE_HOME: stateFolder,
      KIMI_DISABLE_TELEMETRY: '1',
      KIMI_CODE_NO_AUTO_UPDATE: '1',
      // With less, its log does not tell which servers failed.
      KIMI_LOG_LEVEL: 'info',
    },
  }),
}
