import { existsSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { bubblewrapRows } from './arguments.ts'
import { Holdings } from './holdings.ts'
import { home, stateFolder } from './plan.ts'
import { findBubblewrap, findProcessor } from './program.ts'
import { seccompProgram } from './seccomp.ts'
import { outcome, spawnBubblewrap } from './start.ts'
import type { Processor } from './syscalls.ts'
import { systemRows } from './system.ts'

/** Why bubblewrap does not work on this machine, found by building one sandbox with everything that a launch uses. */
export async function whyUnavailable(): Promise<Diagnostic | undefined> {
  if (process.platform !== 'linux')
    return missing('The bubblewrap sandbox exists on Linux only.', 'Start Bridle on Linux')
  const processor = findProcessor()
  if (!processor) {
    return missing(
      `The sandbox has no system call filter for the processor ${process.arch}.`,
      'Use x86-64 or arm64',
    )
  }
  const program = findBubblewrap()
  if (!program) {
    return missing(
      'bubblewrap is not installed.',
      'Install the package `bubblewrap` (apt, dnf, pacman, zypper, apk)',
    )
  }
  const complaint = await tryOut(program, processor)
  return complaint === undefined ? undefined : explain(complaint, machine())
}

function missing(message: string, help: string): Diagnostic {
  return diagnostic('BRIDLE601', 'error', message, { help: `${help}. ${withoutSandbox}` })
}

const withoutSandbox =
  'To go without a sandbox knowingly, add `--sandbox none`: the agent then sees the whole machine.'

const patienceMs = 10_000

/** Builds a sandbox over nothing. Gives what bubblewrap complained of; undefined when all went well. */
async function tryOut(program: string, processor: Processor): Promise<string | undefined> {
  const holdings = new Holdings()
  try {
    const rows = bubblewrapRows({
      home,
      stateFolder,
      workingDirectory: '/',
      network: 'none',
      system: systemRows('none'),
      mounts: [{ descriptor: holdings.open('/usr'), destination: '/usr', access: 'read-only' }],
      files: [],
      seccompProgram: seccompProgram(processor),
    })
    const command = { argv: ['/bin/true'], workingDirectory: '/', environment: {} }
    const child = spawnBubblewrap({ program, rows, command }, ['ignore', 'ignore', 'pipe'])
    const deadline = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const complaint = text(child.stderr as Readable)
    const status = await outcome(child, command).catch(() => -1)
    clearTimeout(deadline)
    return status === 0 ? undefined : await complaint
  } finally {
    holdings.release()
  }
}

/** What the kernel and its surroundings say of user namespaces. */
export interface Machine {
  readonly appArmorRestricts: boolean
  readonly userNamespaceLimit: number
  readonly unprivilegedForbidden: boolean
  readonly inContainer: boolean
  /** The kernel lists the children of a process (CONFIG_PROC_CHILDREN). */
  readonly listsChildren: boolean
}

function machine(): Machine {
  return {
    appArmorRestricts: setting('kernel/apparmor_restrict_unprivileged_userns') === 1,
    userNamespaceLimit: setting('user/max_user_namespaces') ?? 1,
    unprivilegedForbidden: setting('kernel/unprivileged_userns_clone') === 0,
    inContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv') || 'container' in process.env,
    listsChildren: existsSync('/proc/thread-self/children'),
  }
}

function setting(name: string): number | undefined {
  const path = `/proc/sys/${name}`
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined
}

/** Puts a cause and a way out to what bubblewrap said. */
export function explain(complaint: string, machine: Machine): Diagnostic {
  const cause = causes.find(({ applies }) => applies(complaint, machine)) ?? unknown
  const said = complaint.trim().split('\n').at(-1)
  return diagnostic('BRIDLE602', 'error', `${cause.reason}${said ? ` It says: ${said}` : ''}`, {
    help: `${cause.help} ${withoutSandbox}`,
  })
}

interface Cause {
  readonly applies: (complaint: string, machine: Machine) => boolean
  readonly reason: string
  readonly help: string
}

/** The most certain first. */
const causes: readonly Cause[] = [
  {
    applies: (complaint) => /unknown option/i.test(complaint),
    reason: 'This bubblewrap is too old.',
    help: 'Bridle needs `--disable-userns` and `--ro-bind-fd`: version 0.10, or the 0.8 and 0.9 of Debian 12 and Ubuntu 24.04.',
  },
  {
    applies: (_, { listsChildren }) => !listsChildren,
    reason: 'This kernel does not list the children of a process, which a launch needs.',
    help: 'Use a kernel with CONFIG_PROC_CHILDREN, as the distributions have it.',
  },
  {
    applies: (_, { userNamespaceLimit }) => userNamespaceLimit === 0,
    reason: 'User namespaces are switched off on this machine.',
    help: 'An administrator allows them with `sysctl user.max_user_namespaces=10000`.',
  },
  {
    applies: (_, { unprivilegedForbidden }) => unprivilegedForbidden,
    reason: 'User namespaces are reserved to root on this machine.',
    help: 'An administrator allows them with `sysctl kernel.unprivileged_userns_clone=1`.',
  },
  {
    applies: (_, { inContainer }) => inContainer,
    reason: 'The container in which Bridle runs does not let bubblewrap build a sandbox.',
    help:
      'Start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined ' +
      '--security-opt systempaths=unconfined` (Docker), or take the container itself as the sandbox.',
  },
  {
    applies: (_, { appArmorRestricts }) => appArmorRestricts,
    reason: 'AppArmor does not let bubblewrap use user namespaces (the default of Ubuntu since 23.10).',
    help:
      'Allow it to bubblewrap: write `abi <abi/4.0>, include <tunables/global> profile bwrap /usr/bin/bwrap ' +
      'flags=(unconfined) { userns, }` to /etc/apparmor.d/bwrap and run `systemctl reload apparmor`.',
  },
]

const unknown: Cause = {
  applies: () => true,
  reason: 'bubblewrap cannot build a sandbox on this machine.',
  help: 'User namespaces may be refused by a seccomp profile or a security module; `bwrap --unshare-user --ro-bind / / true` tries it.',
}
