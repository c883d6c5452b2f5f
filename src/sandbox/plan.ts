import { constants, realpathSync } from 'node:fs'
import { bubblewrapRows, type Mount } from './arguments.ts'
import { protectGit } from './git.ts'
import type { Holdings } from './holdings.ts'
import { identityFor } from './identity.ts'
import { openMasked } from './masks.ts'
import { findBubblewrap, findProcessor } from './program.ts'
import { contains } from './project.ts'
import type { Confinement, SandboxCommand } from './sandbox.ts'
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
  const { project, network } = confinement
  const identity = identityFor(project)
  const git = protectGit(project)
  const mounts: Mount[] = [
    ...confinement.readable
      .filter((path) => !isVisible(path, project))
      .map((path) => openReadable(path, holdings)),
    ...confinement.writable.map((folder) => openWritable(folder, holdings)),
    ...openMasked(project, [...confinement.protectedPaths, ...git.protectedPaths], holdings, identity),
    ...(git.repository
      ? openMasked(git.repository.folder, git.repository.protectedPaths, holdings, identity)
      : []),
  ]
  const rows = bubblewrapRows({
    home,
    stateFolder,
    workingDirectory: command.workingDirectory,
    network,
    system: systemRows(network),
    mounts,
    files: confinement.files,
    seccompProgram: seccompProgram(processor),
  })
  return { program, rows, command, ...(identity && { identity }) }
}

/** Bound already; and below the project a link of the agent's making must not be followed. */
function isVisible(path: string, project: string): boolean {
  return contains('/usr', path) || contains(project, path)
}

function openReadable(path: string, holdings: Holdings): Mount {
  return { descriptor: holdings.open(realpathSync(path)), destination: path, access: 'read-only' }
}

function openWritable({ source, destination }: Confinement['writable'][number], holdings: Holdings): Mount {
  const descriptor = holdings.open(source, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  return { descriptor, destination, access: 'read-write' }
}
