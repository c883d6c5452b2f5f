import type { LaunchDefinition } from '../../src/compile/target.ts'
import { refuseArguments } from './arguments.ts'
import { connections } from './connections.ts'

/** How `codex exec` is started; the settings of a launch stand in config.toml (settings.ts). */
export const launch: LaunchDefinition = {
  executable: 'codex',
  // The oldest with which the settings of a launch were tried; 0.130.0 has no `--strict-config`.
  oldestVersion: '0.140.0',
  startsServers: 'through the wrapper',
  undoingNames: [],
  // Codex starts a server with an empty environment and adds what the server's own entry names.
  credentialNames: [],
  takesAnyAccountName: true,
  accountNames: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  refuseArguments,
  connections,
  plan: ({ arguments: [command = 'exec', ...rest], stateFolder }) => ({
    arguments: ['--strict-config', command, ...outsideGit(rest), ...rest],
    environment: { CODEX_HOME: stateFolder },
  }),
}

/** The folder of the spec is the user's choice of a project, whether it is under version control or not. */
function outsideGit(args: readonly string[]): readonly string[] {
  const flag = '--skip-git-repo-check'
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  return options.includes(flag) ? [] : [flag]
}
