import { existsSync } from 'node:fs'
import path from 'node:path'
import { compile, type Emission } from '../compile/compile.ts'
import { selectServers } from '../compile/select.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { resolveSecrets } from '../secrets/resolve.ts'
import { type McpServer, noSettings, type Spec } from '../spec/spec.ts'
import { type CommandLookup, type ResolvedCommand, resolveCommand } from './commands.ts'
import { harnessVersion, judgeVersion } from './harness.ts'

export interface LaunchRequest {
  readonly spec: Spec
  /** Absolute, its folder without symlinks. */
  readonly specFile: string
  readonly target: Target
  /** What the user gave after `--`. */
  readonly arguments: readonly string[]
  /** Absolute, without symlinks. */
  readonly project: string
  readonly workingDirectory: string
  readonly sandbox: Sandbox
  readonly network: 'none' | 'host'
  /** The program of the harness, when it is not the one on PATH. */
  readonly harness?: string | undefined
  readonly strictVersions: boolean
  /** The launcher's own environment: sources of secrets, PATH, HOME. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** Everything that a start needs, found and judged; nothing has been started or written. */
export interface PreparedLaunch {
  readonly request: LaunchRequest
  readonly emission: Emission
  /** By name in the environment of the harness. */
  readonly secrets: Readonly<Record<string, string>>
  readonly harness: ResolvedCommand
  readonly version: string | undefined
  /** Of the harness and of every server. */
  readonly commands: readonly ResolvedCommand[]
}

/**
 * Judges a launch as a whole: what the target cannot honor, what the arguments would undo, programs and secrets that
 * are missing. All of it is found before anything starts.
 */
export async function prepareLaunch(
  request: LaunchRequest,
): Promise<{ readonly prepared?: PreparedLaunch; readonly diagnostics: readonly Diagnostic[] }> {
  const { target, sandbox, environment, strictVersions } = request
  const located = locateServers(request)
  const harness = locateHarness(request)
  const { emission, diagnostics: compiled } = compile(located.spec, target, 'launch')
  const secrets = emission && resolveSecrets(located.spec, target, emission.injections, environment)
  const version =
    harness.command && target.launch.executable !== undefined
      ? await harnessVersion(harness.command.file, environment['PATH'] ?? '')
      : undefined
  const unavailable = await sandbox.unavailable()
  const diagnostics = [
    ...compiled,
    ...located.diagnostics,
    ...(secrets?.diagnostics ?? []),
    ...checkAccount(request),
    ...checkArguments(request),
    ...checkNetwork(request),
    ...harness.diagnostics,
    ...(harness.command ? judgeVersion(target, version, strictVersions) : []),
    ...(unavailable ? [unavailable] : []),
  ]
  if (diagnostics.some(({ severity }) => severity === 'error') || !emission || !secrets || !harness.command) {
    return { diagnostics }
  }
  const commands = [harness.command, ...located.commands]
  return {
    prepared: { request, emission, secrets: secrets.values, harness: harness.command, version, commands },
    diagnostics,
  }
}

/** The spec with each command of a server that takes part replaced by the program that will run. */
function locateServers(request: LaunchRequest): {
  spec: Spec
  commands: ResolvedCommand[]
  diagnostics: Diagnostic[]
} {
  const { spec, target } = request
  const taking = new Set(selectServers(spec, target, 'launch').map(({ name }) => name))
  const located = spec.servers.map((server) => {
    if (!taking.has(server.name) || server.transport !== 'stdio') return { server }
    const command = resolveCommand(server.command, lookupFor(request, server))
    return command === undefined
      ? { server, missing: commandNotFound(request, server) }
      : { server: { ...server, command: command.file }, command }
  })
  return {
    spec: { ...spec, servers: located.map(({ server }) => server) },
    commands: located.flatMap(({ command }) => (command === undefined ? [] : [command])),
    diagnostics: located.flatMap(({ missing }) => (missing === undefined ? [] : [missing])),
  }
}

function lookupFor(request: LaunchRequest, server: McpServer): CommandLookup {
  const isStdio = server.transport === 'stdio'
  return {
    searchPath: (isStdio && server.environment['PATH']) || (request.environment['PATH'] ?? ''),
    workingDirectory: path.resolve(
      ...(isStdio && server.workingDirectory !== undefined
        ? [request.spec.source.folder, server.workingDirectory]
        : [request.workingDirectory]),
    ),
    project: request.project,
    home: request.home,
  }
}

function commandNotFound({ spec }: LaunchRequest, server: McpServer & { command: string }): Diagnostic {
  return diagnostic('BRIDLE604', 'error', `\`${server.command}\` was not found, or is not executable`, {
    span: spec.source.span(['servers', server.name, 'command']),
    server: server.name,
    help: server.command.includes('/')
      ? 'a path is taken from `workingDirectory`, or from the folder in which Bridle was started'
      : 'it is looked for on PATH and in the `node_modules/.bin` folders of the project: install it, or write its path',
  })
}

function locateHarness(request: LaunchRequest): { command?: ResolvedCommand; diagnostics: Diagnostic[] } {
  const { target, harness, workingDirectory, project, home, environment } = request
  const name = harness === undefined ? target.launch.executable : path.resolve(workingDirectory, harness)
  const searchPath = environment['PATH'] ?? ''
  const command = resolveCommand(name ?? process.execPath, { searchPath, workingDirectory, project, home })
  if (command !== undefined) return { command, diagnostics: [] }
  const notExecutable = harness !== undefined && existsSync(path.resolve(workingDirectory, harness))
  return {
    diagnostics: [
      diagnostic(
        'BRIDLE605',
        'error',
        notExecutable ? `\`${harness}\` is not an executable file` : `\`${harness ?? name}\` was not found`,
        {
          target: target.id,
          help: `install ${target.title} ${target.provedWith ?? ''} so that it is on PATH, or name it with \`--harness PATH\``,
        },
      ),
    ],
  }
}

function checkAccount({ spec, target }: LaunchRequest): Diagnostic[] {
  const settings = spec.targets[target.id] ?? noSettings
  const isGiven = settings.accountVariables.length > 0 || Object.keys(settings.environment).length > 0
  if (!target.launch.needsAccount || isGiven) return []
  return [
    diagnostic('BRIDLE609', 'error', `${target.title} is given no account`, {
      target: target.id,
      span: spec.source.span(['targets', target.id], 'key'),
      help: `declare its key and give it: \`targets: { ${target.id}: { account: { variables: [NAME] } } }\`; a base URL goes into \`targets.${target.id}.environment\``,
    }),
  ]
}

function checkArguments({ target, arguments: args }: LaunchRequest): Diagnostic[] {
  return target.launch
    .refuseArguments(args)
    .map(({ reason, help }) => diagnostic('BRIDLE608', 'error', reason, { target: target.id, help }))
}

/** A guard that the backend lacks is never dropped in silence. */
function checkNetwork({ sandbox, network }: LaunchRequest): Diagnostic[] {
  if (sandbox.name !== 'none' || network === 'host') return []
  return [
    diagnostic('BRIDLE602', 'error', 'without a sandbox the network cannot be closed', {
      help: 'say so explicitly: `--sandbox none --network host`',
    }),
  ]
}
