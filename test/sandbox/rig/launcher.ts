import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bubblewrap } from '../../../src/sandbox/bubblewrap.ts'
import { closeInheritedDescriptors } from '../../../src/sandbox/descriptors.ts'
import { Holdings } from '../../../src/sandbox/holdings.ts'
import { noSandbox } from '../../../src/sandbox/none.ts'
import { plan } from '../../../src/sandbox/plan.ts'
import {
  type Confinement,
  type RunningCommand,
  type SandboxCommand,
  SandboxRefusal,
} from '../../../src/sandbox/sandbox.ts'
import { start } from '../../../src/sandbox/start.ts'
import { type Guard, type Weakening, weakeningFor } from './guards.ts'

/** What the launcher of the tests is asked for; the rest of a command and a confinement has defaults. */
export interface LauncherRequest {
  readonly sandbox?: 'bubblewrap' | 'none'
  readonly argv: readonly string[]
  readonly project: string
  readonly environment?: Readonly<Record<string, string>>
  readonly confinement?: Partial<Confinement>
  /** The guard to go without. */
  readonly without?: Guard | undefined
  /** A shell command for the time between planning and starting. */
  readonly inBetween?: string
  /** The launcher sends itself this signal before the sandbox can be up. */
  readonly signalAtOnce?: NodeJS.Signals
  /**
   * What to read below the state folder. The first text is answered with a file `go` in the project, and all that was
   * read, then and at the end, is printed as JSON.
   */
  readonly follow?: string
  /** Ends the command at the first text. */
  readonly end?: boolean
}

/** A launcher as `bridle run` is one, reduced to its sandbox: a process of its own, with its request in a file. */
async function main(request: LauncherRequest): Promise<number> {
  const weakening = request.without ? weakeningFor(request.without) : {}
  if (!weakening.keepsInheritedDescriptors) closeInheritedDescriptors()
  try {
    return await (request.without || request.inBetween ? runWeakened(request, weakening) : run(request))
  } catch (error) {
    if (!(error instanceof SandboxRefusal)) throw error
    process.stderr.write(`${error.diagnostic.code}: ${error.message}\n${error.diagnostic.help}\n`)
    return 125
  }
}

async function run(request: LauncherRequest): Promise<number> {
  const sandbox = request.sandbox === 'none' ? noSandbox : bubblewrap
  const unavailable = await sandbox.unavailable()
  if (unavailable) throw new SandboxRefusal(unavailable)
  const session = await sandbox.open(request.project)
  try {
    const follower = follow(request)
    const running = session.run(commandOf(request, session.home), confinementOf(request), follower?.onStart)
    if (request.signalAtOnce) process.kill(process.pid, request.signalAtOnce)
    const status = await running
    if (follower) process.stdout.write(JSON.stringify(follower.finish()))
    return status
  } finally {
    await session.dispose()
  }
}

function follow({ follow: place, end, project }: LauncherRequest) {
  if (place === undefined) return undefined
  const told: string[] = []
  let read = (_: boolean) => ''
  let timer: NodeJS.Timeout | undefined
  return {
    onStart(running: RunningCommand) {
      read = running.stateFolder.follow(place)
      timer = setInterval(() => {
        const text = read(false)
        if (text === '' || told.length > 0) return
        told.push(text)
        writeFileSync(join(project, 'go'), '')
        if (end) running.end()
      }, 20)
    },
    finish() {
      clearInterval(timer)
      return [...told, read(true)]
    },
  }
}

/** As the session of bubblewrap does it, with a hand in between. */
async function runWeakened(request: LauncherRequest, weakening: Weakening): Promise<number> {
  const holdings = new Holdings()
  try {
    const planned = plan(commandOf(request, '/home/agent'), confinementOf(request), holdings)
    if (request.inBetween) spawnSync('sh', ['-c', request.inBetween], { cwd: request.project })
    return await start(
      weakening.plan?.(planned) ?? planned,
      undefined,
      (weakening.spawn ?? spawn) as typeof spawn,
    )
  } finally {
    holdings.release()
  }
}

function commandOf({ argv, project, environment }: LauncherRequest, home: string): SandboxCommand {
  return {
    argv,
    workingDirectory: project,
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, ...environment },
  }
}

function confinementOf({ project, confinement }: LauncherRequest): Confinement {
  return {
    project,
    protectedPaths: [],
    protectedIfPresent: [],
    readable: [],
    writable: [],
    files: [],
    network: 'none',
    ...confinement,
  }
}

process.exitCode = await main(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
