import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesHolding, planted, searchFor, watchArguments } from '../../support/canary.ts'
import { buildPrograms } from './programs.ts'
import { type Finished, runProgram } from './run-program.ts'
import type { ServicesConfig, ServicesReport } from './services.ts'

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url))

/** The folders of one test: a project with the dumping server in it, a home, and a place for wrapped harnesses. */
export interface Workplace {
  readonly project: string
  readonly home: string
  readonly install: string
  remove(): void
}

export interface BridleRun extends Finished {
  /** Where one of the secrets was seen outside of the memory of the run, and how it was written there. */
  readonly leaks: readonly string[]
}

export interface RunOptions {
  readonly secrets?: Readonly<Record<string, string>>
  /** Without it, a run in which a secret is seen fails the test. */
  readonly leaks?: 'are expected'
  /** Options of `bridle run`. */
  readonly options?: readonly string[]
  /** The Node.js that runs Bridle and, being first on PATH, the servers. */
  readonly node?: string
}

/** Below /var/tmp, since the sandbox has a /tmp of its own. */
export async function makeWorkplace(): Promise<Workplace> {
  const folder = mkdtempSync('/var/tmp/bridle-run-')
  const [project, home, install] = ['project', 'home', 'install'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [
    project,
    home,
    path.join(project, 'sub'),
    path.join(install, 'bin'),
    path.join(install, 'lib'),
  ]) {
    mkdirSync(each, { recursive: true })
  }
  await buildPrograms(project, 'dump-stdio')
  return { project, home, install, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Runs the built command with the spec in the project. The secrets, and whatever else of the environment is planted,
 * are searched in the arguments of every process meanwhile, and afterwards in the output and in every file.
 */
export async function runBridle(
  place: Workplace,
  spec: object,
  args: readonly string[],
  options: RunOptions = {},
): Promise<BridleRun> {
  return withoutLeaks(await searchedRun(place, spec, args, options), options)
}

function withoutLeaks<Run extends BridleRun>(run: Run, options: RunOptions): Run {
  if (run.leaks.length > 0 && options.leaks === undefined) {
    throw new Error(['a secret was let out:', ...run.leaks].join('\n'))
  }
  return run
}

async function searchedRun(
  { project, home, install }: Workplace,
  spec: object,
  args: readonly string[],
  { secrets = {}, node = process.execPath }: RunOptions,
): Promise<BridleRun> {
  const values = Object.values(secrets)
  if (planted(values).length < values.length) throw new Error('a secret without a token to search for')
  writeFileSync(path.join(project, 'bridle.json'), JSON.stringify({ version: 1, ...spec }, null, 2))
  const [search, temporary] = [searchFor(values), path.join(home, '.tmp')]
  mkdirSync(temporary, { recursive: true })
  const watch = watchArguments(search)
  const finished = await runProgram([node, cli, ...args], {
    environment: {
      PATH: [path.dirname(node), process.env['PATH']].join(':'),
      HOME: home,
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      ...secrets,
    },
    workingDirectory: project,
    timeLimitMs: 120_000,
  })
  const inOutput = (['stdout', 'stderr'] as const).flatMap((name) => {
    const notation = search.notationIn(finished[name])
    return notation === undefined ? [] : [`${name} (${notation})`]
  })
  const inFiles = filesHolding(search, [project, home, install, rootCache], [wrapped(install)])
  return { ...finished, leaks: [...watch.stop(), ...inOutput, ...inFiles] }
}

/** Where Bridle keeps the cache of a project when root starts it. */
const rootCache = '/var/cache/bridle'

export interface HarnessRun extends BridleRun {
  /** Absent when the harness was not started. */
  readonly report?: ServicesReport
}

/**
 * `bridle run TARGET` in the sandbox without a network, with the model and the HTTP server inside. All that can be
 * written inside is searched too, at the end of the harness.
 */
export async function runHarness(
  place: Workplace,
  harness: RealHarness,
  spec: object,
  args: readonly string[],
  options: RunOptions = {},
): Promise<HarnessRun> {
  const { target, node, services } = harness
  const secretNames = Object.keys(options.secrets ?? {})
  const { program, report } = await wrapHarness(place, harness, { ...services, secretNames })
  const ownNode = node === undefined ? [] : ['--node', node]
  const own = [...ownNode, ...(options.options ?? [])]
  const command = ['run', target, '--harness', program, ...own, '--', ...args]
  const finished = await searchedRun(place, spec, command, options)
  const told = report()
  const leaks = [...finished.leaks, ...(told?.leaks ?? [])]
  return withoutLeaks({ ...finished, leaks, ...(told && { report: told }) }, options)
}

type Services = Omit<ServicesConfig, 'report' | 'secretNames'>

export interface RealHarness {
  readonly target: string
  /** The program; with `node`, a script that lies in the packages of that Node.js. */
  readonly binary: string
  /** The Node.js that a launch shall start it with. */
  readonly node?: string
  readonly services: Services
}

/**
 * A program to be given as `--harness`: it starts the model and the dumping HTTP server inside the sandbox and then
 * the harness. A binary is linked beside it, since a sandbox shows the folder of the program and no other.
 */
async function wrapHarness(
  { project, install }: Workplace,
  { binary, node }: RealHarness,
  services: Omit<ServicesConfig, 'report'>,
): Promise<{ readonly program: string; report(): ServicesReport | undefined }> {
  const [program, harness] = [path.join(install, 'bin/harness'), wrapped(install)]
  const [config, report] = [path.join(install, 'lib/services.json'), path.join(project, 'report.json')]
  rmSync(report, { force: true })
  rmSync(harness, { force: true })
  if (node === undefined) linkOrCopy(binary, harness)
  await buildPrograms(path.join(install, 'lib'), 'services')
  writeFileSync(config, JSON.stringify({ ...services, report } satisfies ServicesConfig))
  const beside = [path.join(install, 'lib/services.mjs'), config]
  writeFileSync(program, node === undefined ? shellScript(beside, harness) : nodeScript(beside, binary))
  chmodSync(program, 0o755)
  return {
    program,
    report: () => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined),
  }
}

function shellScript(beside: readonly string[], harness: string): string {
  const start = `exec node ${beside.map((each) => `'${each}'`).join(' ')} '${harness}' "$@"`
  return `#!/bin/sh\n[ "$1" = --version ] && exec '${harness}' "$@"\n${start}\n`
}

/** As the script itself it is started by the Node.js of the launch, which then runs all that belongs to it. */
function nodeScript(beside: readonly string[], script: string): string {
  return `#!/usr/bin/env node
const [args, script] = [process.argv.slice(2), ${JSON.stringify(script)}]
const before = args[0] === '--version' ? [] : [...${JSON.stringify(beside)}, process.execPath]
const all = [...before, script, ...args]
process.exitCode = require('node:child_process').spawnSync(process.execPath, all, { stdio: 'inherit' }).status ?? 1
`
}

/** The real program: of several hundred megabytes, and nobody's to write to. */
function wrapped(install: string): string {
  return path.join(install, 'lib/harness')
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
