import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { contains } from '../host/paths.ts'
import { failureReason } from '../text/failure.ts'
import { endGracefully, forwardSignals, processExists, send, shellStatus } from './processes.ts'
import { realProject } from './project.ts'
import {
  type Confinement,
  type RunningCommand,
  type Sandbox,
  type SandboxCommand,
  SandboxRefusal,
  type SandboxSession,
} from './sandbox.ts'
import { openStateFolder, type StateFolder } from './state-folder.ts'

/**
 * No sandbox, for whoever asks for it: the harness runs as the user, with a home and a state folder of its own, and
 * sees the whole machine. Protected paths, read-only folders and the network policy mean nothing here.
 */
export const noSandbox: Sandbox = {
  name: 'none',
  unavailable: async () => undefined,
  open: async (project) => {
    realProject(project)
    try {
      return openSession(makeRunFolder())
    } catch (error) {
      throw new SandboxRefusal(refuseRunFolder(error))
    }
  },
}

function refuseRunFolder(error: unknown) {
  return diagnostic(
    'BRIDLE602',
    'error',
    `the private folder of the run cannot be made: ${failureReason(error)}`,
    {
      help: 'set XDG_CACHE_HOME to a folder that you may write to',
    },
  )
}

function openSession(runFolder: string): SandboxSession {
  const home = join(runFolder, 'home')
  const stateFolder = join(home, '.bridle')
  makePrivate(stateFolder)
  let opened: StateFolder | undefined
  return {
    home,
    stateFolder,
    async run(command, confinement, onStart) {
      placeFiles(confinement, runFolder)
      return await runInGroup(command, (end) => {
        opened ??= openStateFolder(stateFolder)
        onStart?.({ stateFolder: opened, end })
      })
    },
    async dispose() {
      opened?.close()
      rmSync(runFolder, { recursive: true, force: true })
    },
  }
}

/** Not in a temporary folder: Codex refuses its state there. What killed launchers left is removed on the way. */
function makeRunFolder(): string {
  const runs = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'bridle', 'runs')
  makePrivate(runs)
  for (const name of readdirSync(runs)) {
    if (!processExists(Number.parseInt(name, 10))) rmSync(join(runs, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(runs, `${process.pid}-`))
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function placeFiles({ files, writable }: Confinement, runFolder: string): void {
  for (const { path, text } of files) {
    makePlaceFor(path, runFolder)
    writeFileSync(path, text, { mode: 0o400, flag: 'wx' })
  }
  for (const { source, destination } of writable) {
    makePlaceFor(destination, runFolder)
    symlinkSync(source, destination)
  }
}

function makePlaceFor(path: string, runFolder: string): void {
  if (!contains(runFolder, path)) throw new SandboxRefusal(refuseOutside(path))
  makePrivate(dirname(path))
}

function refuseOutside(path: string) {
  return diagnostic('BRIDLE602', 'error', `${path} can only be provided in a sandbox.`, {
    help: 'Run without `--sandbox none`.',
  })
}

/** A group of its own, so that what the harness leaves running can be ended with it. */
async function runInGroup(
  { argv, environment, workingDirectory }: SandboxCommand,
  onStart: (end: RunningCommand['end']) => void,
): Promise<number> {
  let group: number | undefined
  const stopForwarding = forwardSignals(() => group)
  const ending = endGracefully(() => ({ asked: group, ended: group }))
  try {
    onStart(ending.end)
    return await new Promise((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', 'ulimit -c 0; exec "$@"', 'sh', ...argv], {
        cwd: workingDirectory,
        env: environment,
        detached: true,
        stdio: 'inherit',
      })
      group = child.pid && -child.pid
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(shellStatus(code, signal)))
    })
  } finally {
    stopForwarding()
    ending.cancel()
    if (group) send(group, 'SIGKILL')
  }
}
