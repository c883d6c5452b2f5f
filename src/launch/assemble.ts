import path from 'node:path'
import { networkEnvironment } from '../sandbox/network.ts'
import type { Confinement, SandboxCommand, SandboxSession } from '../sandbox/sandbox.ts'
import { noSettings } from '../spec/spec.ts'
import { systemSearchPath } from './commands.ts'
import { baseEnvironment } from './environment.ts'
import { builtinProgram } from './package.ts'
import type { PreparedLaunch } from './prepare.ts'

/** What will run and what it may see. Holds the secrets in `command.environment`, and nowhere else. */
export interface AssembledLaunch {
  readonly command: SandboxCommand
  readonly confinement: Confinement
}

/** Bridle's own files: what the next launch trusts. */
const ownFiles = ['bridle.yaml', 'bridle.json', 'bridle.toml', 'bridle.lock.json', '.bridle']

/** Files that editors and other agents act on when a person opens the project later. */
const editorFiles = ['.vscode', '.idea']

/** Puts a prepared launch into the folders of an open session. */
export function assemble(
  prepared: PreparedLaunch,
  session: Pick<SandboxSession, 'home' | 'stateFolder'>,
  cacheFolder: string,
  protectedByTargets: readonly string[],
): AssembledLaunch {
  const { request, emission, secrets, harness, commands } = prepared
  const { spec, target, project, network, sandbox } = request
  const searchFolders =
    sandbox.name === 'none'
      ? (request.environment['PATH'] ?? '').split(':')
      : [
          ...commands.flatMap((command) => command.searchFolders),
          ...systemSearchPath(request.environment['PATH'] ?? ''),
        ]
  const base = baseEnvironment({
    launcher: request.environment,
    searchFolders: [...new Set(searchFolders)],
    home: session.home,
    network,
  })
  const program = target.launch.executable === undefined ? builtinProgram() : undefined
  const plan = target.launch.plan({
    arguments: request.arguments,
    stateFolder: session.stateFolder,
    servers: emission.servers,
    network,
  })
  const specFile = path.relative(project, request.specFile)
  return {
    command: {
      argv: [harness.file, ...(program ? [program] : []), ...plan.arguments],
      workingDirectory: request.workingDirectory,
      environment: {
        ...base.variables,
        ...networkEnvironment(network),
        ...(spec.targets[target.id] ?? noSettings).environment,
        ...plan.environment,
        ...secrets,
      },
    },
    confinement: {
      project,
      protectedPaths: [...new Set([...ownFiles, ...editorFiles, specFile, ...protectedByTargets])].filter(
        (file) => !file.startsWith('..') && !path.isAbsolute(file),
      ),
      readable: [
        ...new Set([
          ...commands.flatMap((command) => command.folders),
          ...base.readable,
          ...(program ? [path.dirname(program)] : []),
        ]),
      ],
      writable: [{ source: cacheFolder, destination: path.join(session.home, '.cache') }],
      files: emission.files.map((file) => ({
        path: path.join(session.stateFolder, file.path),
        text: file.text,
      })),
      network,
    },
  }
}
