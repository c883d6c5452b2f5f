import path from 'node:path'
import { contains } from '../host/paths.ts'
import type { Confinement, SandboxCommand, SandboxSession } from '../sandbox/sandbox.ts'
import { noSettings } from '../spec/spec.ts'
import { defaultEnvironment, fixedEnvironment, systemSearchPath } from './environment.ts'
import type { PreparedLaunch } from './prepare.ts'
import { protectedIfPresent, protectedPaths } from './protected-paths.ts'

/** What will run and what it may see. Holds the secrets in `command.environment`, and nowhere else. */
export interface AssembledLaunch {
  readonly command: SandboxCommand
  readonly confinement: Confinement
}

type Session = Pick<SandboxSession, 'home' | 'stateFolder'>

/**
 * Puts a prepared launch into the folders of an open session. Pure.
 *
 * @param targetFiles the project files of every target, relative to the project
 */
export function assemble(
  prepared: PreparedLaunch,
  session: Session,
  targetFiles: readonly string[],
): AssembledLaunch {
  const { request, harness } = prepared
  const plan = request.target.launch.plan({
    servers: prepared.emission.servers,
    arguments: request.arguments,
    stateFolder: session.stateFolder,
  })
  return {
    command: {
      argv: [harness.file, ...harness.leadingArguments, ...plan.arguments],
      workingDirectory: request.workingDirectory,
      environment: environmentOf(prepared, session, plan.environment),
    },
    confinement: confine(prepared, session, targetFiles),
  }
}

function environmentOf(
  { request, secrets, programs, certificates, unpacked }: PreparedLaunch,
  { home, stateFolder }: Session,
  planned: Readonly<Record<string, string>>,
): Record<string, string> {
  const { environment: launcher, network, sandbox, spec, target } = request
  const { unpackVariable } = target.launch
  const searchPath = launcher['PATH'] ?? ''
  const inside = [...programs.flatMap(({ searchFolders }) => searchFolders), ...systemSearchPath(searchPath)]
  const searchFolders = [...new Set(sandbox.name === 'none' ? searchPath.split(':') : inside)]
  return {
    ...defaultEnvironment({ launcher, certificates, network }),
    ...(spec.targets[target.id] ?? noSettings).environment,
    ...fixedEnvironment({ searchFolders, home, network }),
    ...planned,
    ...(unpackVariable !== undefined && {
      [unpackVariable]: unpacked ?? path.join(stateFolder, 'unpacked'),
    }),
    ...secrets,
  }
}

function confine(
  { request, emission, programs, certificates, npm, cache, unpacked, installations }: PreparedLaunch,
  { home, stateFolder }: Session,
  targetFiles: readonly string[],
): Confinement {
  const npmrc = { path: path.join(home, '.npmrc'), text: npm.text }
  return {
    project: request.project,
    protectedPaths: protectedPaths(request, targetFiles, installations),
    protectedIfPresent,
    readable: outermost(request.project, [
      ...programs.flatMap(({ folders }) => folders),
      ...Object.values(certificates),
      ...npm.readable,
      ...(unpacked === undefined ? [] : [unpacked]),
    ]),
    writable: [{ source: cache.folder, destination: path.join(home, '.cache') }],
    files: [
      ...emission.files.map((file) => ({ path: path.join(stateFolder, file.path), text: file.text })),
      ...(npm.text === '' ? [] : [npmrc]),
    ],
    network: request.network,
  }
}

/** Without those that lie in another one, or in the project. */
function outermost(project: string, files: readonly string[]): string[] {
  const isInside = (file: string) => files.some((other) => other !== file && contains(other, file))
  return [...new Set(files)].filter((file) => !contains(project, file) && !isInside(file))
}
