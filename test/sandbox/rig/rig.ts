import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import type { Identity } from '../../../src/sandbox/identity.ts'
import { shellStatus } from '../../../src/sandbox/processes.ts'
import type { LauncherRequest } from './launcher.ts'

export interface Outcome {
  /** As a shell gives it; 128 + n when a signal ended the launcher itself. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface LaunchOptions {
  /** As whom the launcher runs. */
  readonly identity?: Identity | undefined
  readonly environment?: Readonly<Record<string, string>>
  /** Starts the launcher by this command, with the launcher's own command line behind it. */
  readonly through?: readonly string[]
}

/** A folder on the host with the built launcher and everything that a test file needs; `remove` it at the end. */
export class Rig {
  readonly folder: string

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'bridle-rig-'))
    chmodSync(this.folder, 0o1777) // for launchers of other users, too
    buildSync({
      entryPoints: [join(import.meta.dirname, 'launcher.ts')],
      outfile: join(this.folder, 'launcher.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
    })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** An empty folder that belongs to the identity. */
  makeFolder(name: string, owner?: Identity): string {
    const folder = mkdtempSync(join(this.folder, `${name}-`))
    chmodSync(folder, 0o755)
    if (owner) chownSync(folder, owner.uid, owner.gid)
    return folder
  }

  /** A project with a repository (without git's help), settings of an agent, and nothing else. */
  makeProject(owner?: Identity): string {
    const project = this.makeFolder('project', owner)
    for (const folder of ['.git', '.git/hooks', '.git/objects', '.git/refs', '.claude'])
      mkdirSync(join(project, folder))
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(project, '.git/config'), '[core]\n\tbare = false\n')
    writeFileSync(join(project, '.mcp.json'), '{}\n')
    if (owner) spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, project])
    return project
  }

  /** Starts a launcher in a process group of its own. */
  start(request: LauncherRequest, { identity, environment, through = [] }: LaunchOptions = {}): Launcher {
    const file = join(this.makeFolder('request'), 'request.json')
    writeFileSync(file, JSON.stringify(request))
    const [program = '', ...args] = [...through, process.execPath, join(this.folder, 'launcher.mjs'), file]
    const child = spawn(program, args, {
      ...identity,
      cwd: request.project,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: this.folder, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 30_000,
    })
    return new Launcher(child)
  }

  launch(request: LauncherRequest, options?: LaunchOptions): Promise<Outcome> {
    return this.start(request, options).outcome
  }
}

/** A launcher that runs. */
export class Launcher {
  /** When all that holds its output has ended. */
  readonly outcome: Promise<Outcome>
  readonly #child: ChildProcess
  readonly #output = { stdout: '', stderr: '' }

  constructor(child: ChildProcess) {
    this.#child = child
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk) => {
        this.#output[name] += String(chunk)
      })
    }
    this.outcome = once(child, 'close').then(([code, signal]) => ({
      status: shellStatus(code, signal),
      ...this.#output,
    }))
  }

  /** Its process, which is that of the command line it was started through. */
  get id(): number {
    return this.#child.pid ?? 0
  }

  /** Waits until it has printed the text. */
  async printed(text: string): Promise<void> {
    while (!this.#output.stdout.includes(text)) {
      if (this.#child.exitCode !== null)
        throw new Error(`printed only: ${this.#output.stdout}${this.#output.stderr}`)
      await setTimeout(10)
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#child.kill(signal)
    if (signal === 'SIGKILL') await once(this.#child, 'exit')
  }
}
