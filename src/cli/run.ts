import path from 'node:path'
import { targets } from '../../targets/index.ts'
import { narrow } from '../compile/select.ts'
import { isLaunchable, type LaunchableTarget, type Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { assemble } from '../launch/assemble.ts'
import { makeCache } from '../launch/cache.ts'
import { describeConnections, describeDryRun, describeLaunch } from '../launch/describe.ts'
import { judgeConnections } from '../launch/judge-connections.ts'
import { type PreparedLaunch, prepareLaunch } from '../launch/prepare.ts'
import type { LaunchRequest } from '../launch/request.ts'
import { runWatched, type WatchedEnd } from '../launch/run-watched.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { closeInheritedDescriptors } from '../sandbox/descriptors.ts'
import { noSandbox } from '../sandbox/none.ts'
import { SandboxRefusal } from '../sandbox/sandbox.ts'
import type { Source, Spec } from '../spec/spec.ts'
import { runFailure } from './failure.ts'
import { findPlace } from './place.ts'
import { printDiagnostics } from './report.ts'
import { checkServerNames } from './server-names.ts'
import { chooseTargets, load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface RunOptions extends SpecOptions {
  readonly network: 'none' | 'host'
  readonly sandbox: 'bubblewrap' | 'none'
  readonly harness?: string
  readonly node?: string
  readonly servers?: readonly string[]
  readonly strictVersions?: boolean
  readonly requireServers: boolean
  readonly dryRun?: boolean
}

/** As env(1) has them. */
const harnessStatuses: Partial<Record<Diagnostic['code'], number>> = {
  BRIDLE605: 127,
  BRIDLE612: 126,
  BRIDLE618: 126,
}

/**
 * `bridle run`: checks, resolves, and only then starts the harness. Gives its exit status. Bridle's own words go to
 * stderr; stdin, stdout and stderr are the harness's.
 */
export async function run(
  terminal: Terminal,
  targetName: string,
  args: readonly string[],
  options: RunOptions,
): Promise<number> {
  closeInheritedDescriptors()
  const { spec, source, diagnostics: read } = await load(terminal, options)
  const chosen = chooseTargets([targetName], spec)
  const target = chosen.targets.find(isLaunchable)
  const names = options.servers ?? []
  const misnamed = spec === undefined || target === undefined ? [] : checkServerNames(spec, target, names)
  const unlaunchable = chosen.targets.filter((each) => !isLaunchable(each)).map(cannotLaunch)
  const before = [...read, ...chosen.diagnostics, ...unlaunchable, ...misnamed]
  if (spec === undefined || target === undefined || hasErrors(before)) {
    printDiagnostics(terminal, 'err', before, source)
    return runFailure
  }
  const request = requestOf(terminal, spec, target, args, options)
  const { prepared, diagnostics } = await prepareLaunch(request)
  printDiagnostics(terminal, 'err', [...before, ...diagnostics], source)
  if (prepared === undefined) {
    return diagnostics.flatMap(({ code }) => harnessStatuses[code] ?? [])[0] ?? runFailure
  }
  return start(terminal, prepared, source, options.dryRun === true)
}

function cannotLaunch({ id, title }: Target): Diagnostic {
  return diagnostic('BRIDLE617', 'error', `${title} cannot be launched by Bridle`, {
    target: id,
    help: `write its files with \`bridle build ${id}\` and start it yourself`,
  })
}

function requestOf(
  terminal: Terminal,
  spec: Spec,
  target: LaunchableTarget,
  args: readonly string[],
  options: RunOptions,
): LaunchRequest {
  const place = findPlace(terminal, spec)
  return {
    ...place,
    spec: options.servers === undefined ? place.spec : narrow(place.spec, options.servers),
    specFile: path.join(place.spec.source.folder, path.basename(spec.source.file)),
    target,
    arguments: args,
    sandbox: options.sandbox === 'none' ? noSandbox : bubblewrap,
    network: options.network,
    harness: options.harness,
    node: options.node,
    strictVersions: options.strictVersions === true,
    requireServers: options.requireServers,
    environment: terminal.environment,
  }
}

async function start(
  terminal: Terminal,
  prepared: PreparedLaunch,
  source: Source | undefined,
  isDryRun: boolean,
): Promise<number> {
  const { sandbox, project } = prepared.request
  const targetFiles = targets.flatMap(({ projectFiles }) => projectFiles)
  try {
    const session = await sandbox.open(project)
    try {
      const launch = assemble(prepared, session, targetFiles)
      if (isDryRun) {
        terminal.out(describeDryRun(prepared, launch))
        return 0
      }
      makeCache(prepared.cache.folder, prepared.cache.owner)
      for (const line of describeLaunch(prepared, launch)) terminal.err(`bridle: ${line}\n`)
      return reportEnd(terminal, prepared, source, await runWatched(prepared, session, launch))
    } finally {
      await session.dispose()
    }
  } catch (error) {
    if (!(error instanceof SandboxRefusal)) throw error
    printDiagnostics(terminal, 'err', [error.diagnostic])
    return runFailure
  }
}

/** Tells what became of the servers, and gives the status of the run: the harness's own unless a needed one is missing. */
function reportEnd(
  terminal: Terminal,
  { request, emission }: PreparedLaunch,
  source: Source | undefined,
  ended: WatchedEnd,
): number {
  const { spec, target, requireServers } = request
  const { verdicts, diagnostics } = judgeConnections({
    ...ended,
    spec,
    target,
    log: target.launch.connections,
    servers: emission.servers,
    requireServers,
  })
  for (const line of describeConnections(verdicts)) terminal.err(`bridle: ${line}\n`)
  printDiagnostics(terminal, 'err', diagnostics, source)
  return hasErrors(diagnostics) ? runFailure : ended.status
}
