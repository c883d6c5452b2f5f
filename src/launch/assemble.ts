import path from 'node:path'
import type { Confinement, SandboxCommand, SandboxSession } from '../sandbox/sandbox.ts'
import { noSettings } from '../spec/spec.ts'
import { defaultEnvironment, fixedEnvironment, systemSearchPath } from './environment.ts'
import { ancestors, isBelow } from './paths.ts'
import type { PreparedLaunch } from './prepare.ts'
import type { LaunchRequest } from './request.ts'

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
  { request, secrets, programs, certificates }: PreparedLaunch,
  { home }: Session,
  planned: Readonly<Record<string, string>>,
): Record<string, string> {
  const { environment: launcher, network, sandbox, spec, target } = request
  const searchPath = launcher['PATH'] ?? ''
  const inside = [...programs.flatMap(({ searchFolders }) => searchFolders), ...systemSearchPath(searchPath)]
  const searchFolders = [...new Set(sandbox.name === 'none' ? searchPath.split(':') : inside)]
  return {
    ...defaultEnvironment({ launcher, certificates, network }),
    ...(spec.targets[target.id] ?? noSettings).environment,
    ...fixedEnvironment({ searchFolders, home, network }),
    ...planned,
    ...secrets,
  }
}

function confine(
  { request, emission, programs, certificates, npm, cache, ownPackage }: PreparedLaunch,
  { home, stateFolder }: Session,
  targetFiles: readonly string[],
): Confinement {
  const npmrc = { path: path.join(home, '.npmrc'), text: npm.text }
  return {
    project: request.project,
    protectedPaths: protectedPaths(request, [...targetFiles, ...installation(ownPackage, request.project)]),
    readable: outermost([
      ...programs.flatMap(({ folders }) => folders),
      ...Object.values(certificates),
      ...npm.readable,
    ]),
    writable: [{ source: cache.folder, destination: path.join(home, '.cache') }],
    files: [
      ...emission.files.map((file) => ({ path: path.join(stateFolder, file.path), text: file.text })),
      ...(npm.text === '' ? [] : [npmrc]),
    ],
    network: request.network,
  }
}

/** Without those that lie in another one. */
function outermost(files: readonly string[]): string[] {
  return [...new Set(files)].filter(
    (file) => !files.some((other) => other !== file && isBelow(file, [other])),
  )
}

/** The specs that a launch from a folder takes for its own. */
const specFiles = ['bridle.yaml', 'bridle.json', 'bridle.toml']

/** Bridle's other files, beside the spec. */
const ownFiles = [...specFiles, 'bridle.lock.json', '.bridle']

/** Files that editors and other agents act on when a person opens the project later. */
const editorFiles = ['.vscode', '.idea']

/**
 * What the next launch trusts, or a person who opens the project. A spec that an agent wrote into the folder where
 * Bridle is started next would be nearer than the right one, so none can be made from there up to the project.
 */
function protectedPaths(
  { project, workingDirectory, specFile }: LaunchRequest,
  others: readonly string[],
): string[] {
  const specFolder = path.dirname(specFile)
  const absolute = [
    ...inFolder(project, [...ownFiles, ...editorFiles, ...others]),
    ...ancestors(workingDirectory, project).flatMap((folder) => inFolder(folder, specFiles)),
    ...inFolder(specFolder, ownFiles),
    specFile,
  ]
  const inside = absolute.filter((file) => isBelow(file, [project]))
  return [...new Set(inside.map((file) => path.relative(project, file)))]
}

/** Where Bridle is installed in the project: what `npx bridle` would run and read the next time, outside of a sandbox. */
function installation(ownPackage: string, project: string): string[] {
  if (ownPackage === project || !isBelow(ownPackage, [project])) return []
  return [path.relative(project, ownPackage), 'node_modules/.bin', '.npmrc']
}

function inFolder(folder: string, names: readonly string[]): string[] {
  return names.map((name) => path.join(folder, name))
}
