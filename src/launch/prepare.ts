import path from 'node:path'
import { compile, type Emission } from '../compile/compile.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { type Identity, identityFor } from '../sandbox/identity.ts'
import { resolveSecrets } from '../secrets/resolve.ts'
import { cacheFolder, checkCache } from './cache.ts'
import { checkReach, checkRequest } from './checks.ts'
import { findCertificates } from './environment.ts'
import type { ExposedProgram } from './expose-program.ts'
import { type HarnessAnswer, harnessAnswer } from './harness-version.ts'
import { checkHiddenPaths } from './hidden-paths.ts'
import { judgeVersion } from './judge-version.ts'
import { type LocatedHarness, locateHarness } from './locate-harness.ts'
import { locateServers } from './locate-server.ts'
import { findNpmSettings, type NpmSettings } from './npm.ts'
import { ownInstallations } from './own-installations.ts'
import { ownPackage } from './package.ts'
import { checkPackageCache } from './package-cache.ts'
import { checkProjectAgents } from './project-agents.ts'
import type { LaunchRequest } from './request.ts'
import { prepareUnpacking } from './unpack.ts'

/** Everything that a start needs, found and judged; nothing was written, but for what a harness unpacked of itself. */
export interface PreparedLaunch {
  readonly request: LaunchRequest
  readonly emission: Emission
  /** By name in the environment of the harness. */
  readonly secrets: Readonly<Record<string, string>>
  readonly harness: LocatedHarness
  readonly version: string | undefined
  /** Of the harness and of every server. */
  readonly programs: readonly ExposedProgram[]
  /** Name of a variable → file of the host. */
  readonly certificates: Readonly<Record<string, string>>
  readonly npm: NpmSettings
  /** The lasting cache; it may not exist yet. */
  readonly cache: { readonly folder: string; readonly owner: Identity | undefined }
  /** Where the harness has unpacked itself, outside of the sandbox; absent: it has not. */
  readonly unpacked?: string
  /** Of Bridle in the project: what the next launch would run. Absolute. */
  readonly installations: readonly string[]
}

/**
 * Judges a launch as a whole: what the target cannot honor, what the arguments would undo, programs and secrets that
 * are missing. All of it is found before anything starts.
 */
export async function prepareLaunch(
  request: LaunchRequest,
): Promise<{ readonly prepared?: PreparedLaunch; readonly diagnostics: readonly Diagnostic[] }> {
  const { target, sandbox, environment, strictVersions, project, workingDirectory, specFile, home } = request
  const owner = sandbox.name === 'none' ? undefined : identityFor(project)
  const cache = { folder: cacheFolder(project, home, environment, owner), owner }
  const { spec, located } = locateServers(request, target)
  const { harness, diagnostics: missing } = await locateHarness(request)
  const { emission, diagnostics: compiled } = compile(spec, target, 'launch', request)
  const secrets = emission && resolveSecrets(spec, target, emission.injections, environment)
  const unpacking = prepareUnpacking(request, harness)
  const answer = harness && (await askHarness(request, harness, unpacking.folder))
  const unavailable = await sandbox.unavailable()
  const diagnostics = [
    ...compiled,
    ...located.flatMap((each) => [
      ...each.diagnostics,
      ...checkHiddenPaths(request, each),
      ...checkPackageCache(request, each.server, cache.folder),
    ]),
    ...(secrets?.diagnostics ?? []),
    ...checkRequest(request),
    ...missing,
    ...unpacking.diagnostics,
    ...checkProjectAgents(request),
    ...(answer ? judgeVersion(target, answer, strictVersions) : []),
    ...(unavailable ? [unavailable] : []),
    ...checkCache(project, home, cache.folder),
    ...checkReach(request),
  ]
  if (hasErrors(diagnostics) || !emission || !secrets || !harness) return { diagnostics }
  const prepared: PreparedLaunch = {
    request,
    emission,
    secrets: secrets.values,
    harness,
    version: answer?.version,
    programs: [harness, ...located.flatMap(({ program }) => program ?? [])],
    certificates: findCertificates(environment, project),
    npm: findNpmSettings(environment, home, project),
    cache,
    ...(unpacking.folder !== undefined && answer?.text && { unpacked: unpacking.folder }),
    installations: ownInstallations(project, [workingDirectory, path.dirname(specFile)], ownPackage()),
  }
  return { prepared, diagnostics }
}

async function askHarness(
  { target, environment, project }: LaunchRequest,
  { file, leadingArguments }: LocatedHarness,
  unpackFolder: string | undefined,
): Promise<HarnessAnswer | undefined> {
  const { executable, unpackVariable } = target.launch
  if (executable === undefined) return undefined
  const unpacking =
    unpackFolder === undefined || unpackVariable === undefined ? {} : { [unpackVariable]: unpackFolder }
  return harnessAnswer([file, ...leadingArguments], environment['PATH'] ?? '', project, unpacking)
}
