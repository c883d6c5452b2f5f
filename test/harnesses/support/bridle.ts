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
import { filesHolding, watchArguments } from './canary.ts'
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
  /** Places outside of the run's memory in which one of the secrets was seen: files, arguments, output. */
  readonly leaks: readonly string[]
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

/** Runs the built command with the spec in the project, and searches for the secrets everywhere while it does. */
export async function runBridle(
  { project, home }: Workplace,
  spec: object,
  args: readonly string[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<BridleRun> {
  writeFileSync(path.join(project, 'bridle.json'), JSON.stringify({ version: 1, ...spec }, null, 2))
  const values = Object.values(secrets)
  const watch = watchArguments(values)
  const finished = await runProgram([process.execPath, cli, ...args], {
    environment: { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', ...secrets },
    workingDirectory: project,
    timeLimitMs: 120_000,
  })
  const inArguments = watch.stop().map((line) => `argument: ${line}`)
  const inOutput = (['stdout', 'stderr'] as const).filter((name) =>
    values.some((value) => finished[name].includes(value)),
  )
  return { ...finished, leaks: [...inArguments, ...inOutput, ...filesHolding(values, [project, home])] }
}

export interface HarnessRun extends BridleRun {
  /** Absent when the harness was not started. */
  readonly report?: ServicesReport
}

/** `bridle run TARGET` in the sandbox without a network, with the model and the HTTP server inside. */
export async function runHarness(
  place: Workplace,
  harness: { readonly target: string; readonly binary: string; readonly services: Services },
  spec: object,
  args: readonly string[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<HarnessRun> {
  const { program, report } = await wrapHarness(place, harness.binary, harness.services)
  const command = ['run', harness.target, '--harness', program, '--', ...args]
  const finished = await runBridle(place, spec, command, secrets)
  const told = report()
  return { ...finished, ...(told && { report: told }) }
}

type Services = Omit<ServicesConfig, 'report' | 'searched'>

/**
 * A program to be given as `--harness`: it starts the model and the dumping HTTP server inside the sandbox and then
 * the harness. The harness is linked beside it, since a sandbox shows the folder of the program and no other.
 */
async function wrapHarness(
  { project, install }: Workplace,
  binary: string,
  services: Services,
): Promise<{ readonly program: string; report(): ServicesReport | undefined }> {
  const [program, harness] = [path.join(install, 'bin/harness'), path.join(install, 'lib/harness')]
  const [config, report] = [path.join(install, 'lib/services.json'), path.join(project, 'report.json')]
  rmSync(report, { force: true })
  rmSync(harness, { force: true })
  linkOrCopy(binary, harness)
  await buildPrograms(path.join(install, 'lib'), 'services')
  const searched = [project, '/home', '/tmp']
  writeFileSync(config, JSON.stringify({ ...services, report, searched } satisfies ServicesConfig))
  const start = `exec node '${install}/lib/services.mjs' '${config}' '${harness}' "$@"`
  writeFileSync(program, `#!/bin/sh\n[ "$1" = --version ] && exec '${harness}' "$@"\n${start}\n`)
  chmodSync(program, 0o755)
  return {
    program,
    report: () => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined),
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
