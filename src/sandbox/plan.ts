import { constants, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { contains } from '../host/paths.ts'
import { bubblewrapRows, type Mount } from './arguments.ts'
import { protectGit } from './git.ts'
import type { Holdings } from './holdings.ts'
import { actAs, type Identity, identityFor } from './identity.ts'
import { openMasked } from './masks.ts'
import { findBubblewrap, findProcessor } from './program.ts'
import { type Confinement, type SandboxCommand, SandboxRefusal } from './sandbox.ts'
import { seccompProgram } from './seccomp.ts'
import type { Plan } from './start.ts'
import { systemRows } from './system.ts'

/** Fixed names: paths of the host's user would tell its name. Not below /tmp, where Codex refuses its state. */
export const home = '/home/agent'
export const stateFolder = `${home}/.bridle`

/** Opens what the inside is to see, and plans the start. Throws a SandboxRefusal. */
export function plan(command: SandboxCommand, confinement: Confinement, holdings: Holdings): Plan {
  const program = findBubblewrap()
  const processor = findProcessor()
  if (!program || !processor) throw new Error('whyUnavailable tells this before')
  const { project, network, files } = confinement
  const identity = identityFor(project)
  const rows = bubblewrapRows({
    home,
    stateFolder,
    workingDirectory: command.workingDirectory,
    network,
    system: systemRows(network),
    mounts: openMounts(confinement, holdings, identity),
    files,
    seccompProgram: seccompProgram(processor),
  })
  return { program, rows, command, ...(identity && { identity }) }
}

function openMounts(confinement: Confinement, holdings: Holdings, owner: Identity | undefined): Mount[] {
  const { project, readable, writable, protectedPaths, protectedIfPresent } = confinement
  const { repository, ...git } = actAs(owner, () => protectGit(project))
  const own = [
    ...protectedPaths.map((path) => ({ path, whenAbsent: 'held alone' as const })),
    ...protectedIfPresent.map((path) => ({ path, whenAbsent: 'open' as const })),
  ]
  return [
    ...readable.filter((path) => !isVisible(path, project)).map((path) => openReadable(path, holdings)),
    ...writable.map((folder) => openWritable(folder, holdings)),
    ...openMasked(project, [...own, ...git.protectedPaths], holdings, owner),
    ...(repository ? openMasked(repository.folder, repository.protectedPaths, holdings, owner) : []),
  ]
}

/** Bound already; and below the project a link of the agent's making must not be followed. */
function isVisible(path: string, project: string): boolean {
  return contains('/usr', path) || contains(project, path)
}

function openReadable(path: string, holdings: Holdings): Mount {
  return opening(path, () => {
    const real = realpathSync(path)
    if (contains(real, homedir())) throw new Error('your whole home folder lies in it')
    return { descriptor: holdings.open(real), destination: path, access: 'read-only' }
  })
}

function openWritable({ source, destination }: Confinement['writable'][number], holdings: Holdings): Mount {
  return opening(source, () => {
    const descriptor = holdings.open(source, constants.O_DIRECTORY | constants.O_NOFOLLOW)
    return { descriptor, destination, access: 'read-write' }
  })
}

function opening(path: string, open: () => Mount): Mount {
  try {
    return open()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SandboxRefusal(
      diagnostic('BRIDLE602', 'error', `${path} cannot be shown to the sandbox: ${reason}.`, {
        help: 'A launch needs it inside. Look whether it exists and is yours to read, or install it elsewhere.',
      }),
    )
  }
}
