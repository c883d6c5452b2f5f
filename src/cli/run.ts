import { realpathSync } from 'node:fs'
import path from 'node:path'
import { targets } from '../../targets/index.ts'
import { narrow } from '../compile/select.ts'
import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { assemble } from '../launch/assemble.ts'
import { projectCache } from '../launch/cache.ts'
import { describeDryRun, describeLaunch } from '../launch/describe.ts'
import { type LaunchRequest, type PreparedLaunch, prepareLaunch } from '../launch/prepare.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { closeInheritedDescriptors } from '../sandbox/descriptors.ts'
import { identityFor } from '../sandbox/identity.ts'
import { noSandbox } from '../sandbox/none.ts'
import { SandboxRefusal } from '../sandbox/sandbox.ts'
import { findProject } from '../spec/find.ts'
import type { Spec } from '../spec/spec.ts'
import { mostLike } from '../spec/suggest.ts'
import { printDiagnostics } from './report.ts'
import { chooseTargets, load, type SpecOptions } from './spec.ts'
import type { Terminal } from './terminal.ts'

export interface RunOptions extends SpecOptions {
  readonly network: 'none' | 'host'
  readonly sandbox: 'bubblewrap' | 'none'
  readonly harness?: string
  readonly servers?: readonly string[]
  readonly strictVersions?: boolean
  readonly dryRun?: boolean
}

/** Bridle refused or failed; every other status of `bridle run` is the harness's own (as env(1) has it). */
const refused = 125
const notFound = 127

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
  const loaded = await load(terminal, options)
  const {
    targets: [target],
    diagnostics: unknown,
  } = chooseTargets([targetName], loaded.spec)
  const unknownServers = loaded.spec === undefined ? [] : checkServerNames(loaded.spec, options.servers ?? [])
  const before = [...loaded.diagnostics, ...unknown, ...unknownServers]
  if (loaded.spec === undefined || target === undefined || hasErrors(before)) {
    printDiagnostics(terminal, 'err', before, loaded.source)
    return refused
  }
  const { spec } = loaded
  const request: LaunchRequest = {
    spec: options.servers === undefined ? spec : narrow(spec, options.servers),
    specFile: path.join(realpathSync(spec.source.folder), path.basename(spec.source.file)),
    target,
    arguments: args,
    project: realpathSync(findProject(terminal.workingDirectory, spec.source.folder, terminal.home)),
    workingDirectory: realpathSync(terminal.workingDirectory),
    sandbox: options.sandbox === 'none' ? noSandbox : bubblewrap,
    network: options.network,
    harness: options.harness,
    strictVersions: options.strictVersions === true,
    environment: terminal.environment,
    home: terminal.home,
  }
  const { prepared, diagnostics } = await prepareLaunch(request)
  printDiagnostics(terminal, 'err', [...before, ...diagnostics], loaded.source)
  if (prepared === undefined) return diagnostics.some(({ code }) => code === 'BRIDLE605') ? notFound : refused
  return start(terminal, prepared, options.dryRun === true)
}

async function start(terminal: Terminal, prepared: PreparedLaunch, isDryRun: boolean): Promise<number> {
  const { project, sandbox, home, environment } = prepared.request
  try {
    const session = await sandbox.open(project)
    try {
      const cache = await projectCache({ project, home, environment, owner: identityFor(project) })
      const launch = assemble(
        prepared,
        session,
        cache,
        targets.flatMap(({ projectFiles }) => projectFiles),
      )
      if (isDryRun) {
        terminal.out(describeDryRun(prepared, launch))
        return 0
      }
      for (const line of describeLaunch(prepared)) terminal.err(`bridle: ${line}\n`)
      return await session.run(launch.command, launch.confinement)
    } finally {
      await session.dispose()
    }
  } catch (error) {
    if (!(error instanceof SandboxRefusal)) throw error
    printDiagnostics(terminal, 'err', [error.diagnostic])
    return refused
  }
}

function checkServerNames(spec: Spec, names: readonly string[]): Diagnostic[] {
  const known = spec.servers.map(({ name }) => name)
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const suggestion = mostLike(name, known)
      return diagnostic(
        'BRIDLE214',
        'error',
        `\`--servers\` names \`${name}\`, which the spec does not have`,
        {
          help: suggestion === undefined ? `it has ${known.join(', ')}` : `did you mean \`${suggestion}\`?`,
        },
      )
    })
}
