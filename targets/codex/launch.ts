import type { LaunchDefinition, PlanRequest } from '../../src/compile/target.ts'
import { refuseArguments } from './arguments.ts'

/** How `codex exec` is started; the settings of a launch stand in config.toml (settings.ts). */
export const launch: LaunchDefinition = {
  executable: 'codex',
  // The oldest with which the settings of a launch were tried; 0.130.0 has no `--strict-config`.
  oldestVersion: '0.140.0',
  startsServers: 'through the wrapper',
  // Codex starts a server with an empty environment and adds what the server's own entry names.
  credentialNames: [],
  needsAccount: true,
  refuseArguments,
  plan: ({ arguments: [command = 'exec', ...rest], stateFolder, network }) => ({
    arguments: ['--strict-config', command, ...outsideGit(rest), ...rest],
    environment: { CODEX_HOME: stateFolder, ...proxies(network) },
  }),
}

/** The folder of the spec is the user's choice of a project, whether it is under version control or not. */
function outsideGit(args: readonly string[]): readonly string[] {
  const flag = '--skip-git-repo-check'
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length)
  return options.includes(flag) ? [] : [flag]
}

/**
 * Codex's DNS client waits five seconds for a server that is not there; with a proxy that is not there everything but
 * loopback fails at once. It would ask a proxy for loopback addresses too.
 */
function proxies(network: PlanRequest['network']): Readonly<Record<string, string>> {
  const loopback = '127.0.0.1,localhost'
  const closed = 'http://127.0.0.1:9'
  return {
    NO_PROXY: loopback,
    no_proxy: loopback,
    ...(network === 'none' && {
      HTTP_PROXY: closed,
      HTTPS_PROXY: closed,
      http_proxy: closed,
      https_proxy: closed,
    }),
  }
}
