import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Identity } from '../../src/sandbox/identity.ts'
import { findProcessor } from '../../src/sandbox/program.ts'
import type { Confinement } from '../../src/sandbox/sandbox.ts'
import { calls } from '../../src/sandbox/syscalls.ts'
import type { Guard } from './rig/guards.ts'
import { Rig } from './rig/rig.ts'
import { type Host, secret, setUpHost } from './rig/surroundings.ts'

/**
 * Attacks from inside, as an agent's shell could carry them out. Each one runs twice: in the sandbox as it is, where
 * it must fail, and in a sandbox without the one guard that is meant against it, where it must work. Otherwise the
 * probe, or the guard, would be worth nothing.
 */
interface Probe {
  readonly attack: string
  readonly guard: Guard
  /** A shell script. It worked when LEAKED stands in its output, or by `damage`; it says DONE at its end in any case. */
  readonly script: (scene: Scene) => string
  /** Whether the attack left its mark on the host. */
  readonly damage?: (scene: Scene) => boolean
  readonly confinement?: (scene: Scene) => Partial<Confinement>
  /** A shell script of the host, for the time between planning and starting. */
  readonly inBetween?: (scene: Scene) => string
  /** Works only when root starts the sandbox. */
  readonly onlyForRoot?: true
  /** Needs a kernel that allows it at all: tried outside of the sandbox first. */
  readonly dependsOnKernel?: true
}

type Scene = Host & {
  readonly project: string
  /** A folder of the user's, beside the project. */
  readonly tool: string
}

const call = Object.fromEntries(
  Object.entries(calls).map(([name, numbers]) => [name, numbers[findProcessor() ?? 'x64']]),
) as Record<keyof typeof calls, number>
const perl = (program: string) => `perl -MSocket -e '${program}'`

const probes: readonly Probe[] = [
  {
    attack: '10, 14: the environment of the launcher, in any process that is seen',
    guard: 'empty environment of bubblewrap',
    script: () => 'cat /proc/*/environ | tr "\\0" "\\n" | grep -a LAUNCHER_SECRET=',
  },
  {
    attack: '11: the plan of the mounts, in the command line of process 1',
    guard: 'arguments over a descriptor',
    script: () => 'tr "\\0" "\\n" < /proc/1/cmdline | grep -q "^--unshare-[u]ser$" && echo LEAKED',
  },
  {
    attack: '12: a process of the host, and its command line',
    guard: 'own process ids',
    script: ({ processId }) => `cat /proc/${processId}/cmdline`,
  },
  {
    attack: '16: a descriptor that the launcher inherited',
    guard: 'inherited descriptors closed',
    script: () => perl('open(F, "<&=", 40) and print <F>'),
  },
  {
    attack: '21: a service on loopback of the host',
    guard: 'own network',
    script: ({ port }) =>
      perl(
        `socket(S, AF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(${port}, INADDR_LOOPBACK)) and print <S>`,
      ),
  },
  {
    attack: '22: an abstract unix socket of the host',
    guard: 'own network',
    script: ({ socketName }) =>
      // Node 20 pads the name to the length of the field, Node 24 does not.
      ['a*', 'a108']
        .map(
          (form) =>
            `socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack("S${form}", AF_UNIX, "\\0${socketName}")) and print <S>`,
        )
        .map(perl)
        .join('; '),
  },
  {
    attack: '26: System V shared memory of the host',
    guard: 'own System V memory',
    script: ({ sharedMemoryKey }) =>
      perl(
        `$id = shmget(${sharedMemoryKey}, 64, 0); defined $id and shmread($id, $text, 0, 64) and print $text`,
      ),
  },
  {
    attack: '29: a key for the user’s key ring',
    guard: 'system call filter',
    script: () => perl(`print "LEAKED" if syscall(${call.add_key}, "user", "bridle-probe", "x", 1, -2) > 0`),
    dependsOnKernel: true,
  },
  {
    attack: '31: a program of the system, opened for writing',
    guard: 'read-only system',
    script: () => perl('open(F, "+<", "/usr/lib/os-release") and print "LEAKED"'),
    onlyForRoot: true,
  },
  {
    attack: '33: a file that is to be read only',
    guard: 'read-only files',
    script: ({ outside }) => `echo LEAKED >> ${outside}/secret && cat ${outside}/secret | grep '^LEAKED$'`,
    confinement: ({ outside }) => ({ readable: [outside] }),
  },
  {
    attack: '34: a hook of git',
    guard: 'mask .git/hooks',
    script: () => 'echo "#!/bin/sh" > .git/hooks/pre-commit',
    damage: ({ project }) => existsSync(join(project, '.git/hooks/pre-commit')),
  },
  {
    attack: '35: a program in the configuration of git',
    guard: 'mask .git/config',
    script: () => 'printf "\\tfsmonitor = evil\\n" >> .git/config',
    damage: ({ project }) => readFileSync(join(project, '.git/config'), 'utf8').includes('evil'),
  },
  {
    attack: '36: another repository in the place of .git',
    guard: 'mask .git',
    script: () => 'mv .git aside && mkdir -p .git/hooks && echo "#!/bin/sh" > .git/hooks/pre-commit',
    damage: ({ project }) => existsSync(join(project, '.git/hooks/pre-commit')),
  },
  {
    attack: '37: a protected file of the project',
    guard: 'mask .mcp.json',
    script: () => 'echo evil > .mcp.json',
    damage: ({ project }) => readFileSync(join(project, '.mcp.json'), 'utf8').includes('evil'),
    confinement: () => ({ protectedPaths: ['.mcp.json'] }),
  },
  {
    attack: '37: a protected file that does not exist, by its creation',
    guard: 'mask bridle.yaml',
    script: () => 'rm -rf bridle.yaml 2> /dev/null; echo evil > bridle.yaml',
    damage: ({ project }) => existsSync(join(project, 'bridle.yaml')),
    confinement: () => ({ protectedPaths: ['bridle.yaml'] }),
  },
  {
    attack: '38: a protected file that does not exist in a folder that does',
    guard: 'mask .claude/settings.json',
    script: () => 'rm -rf .claude/settings.json 2> /dev/null; echo evil > .claude/settings.json',
    damage: ({ project }) => existsSync(join(project, '.claude/settings.json')),
    confinement: () => ({ protectedPaths: ['.claude/settings.json'] }),
  },
  {
    attack: '38: the folder of a protected file, exchanged',
    guard: 'mask .claude',
    script: () => 'mv .claude aside; mkdir -p .claude && echo evil > .claude/settings.json',
    damage: ({ project }) => existsSync(join(project, '.claude/settings.json')),
    confinement: () => ({ protectedPaths: ['.claude/settings.json'] }),
  },
  {
    attack: '46: a user namespace',
    guard: 'no nested user namespaces, system call filter',
    script: () => 'unshare --user echo LEAKED',
    dependsOnKernel: true,
  },
  {
    attack: '59: the program that the kernel runs for a crash, opened for writing',
    guard: 'read-only /proc/sys',
    script: () => perl('open(F, "+<", "/proc/sys/kernel/core_pattern") and print "LEAKED"'),
    onlyForRoot: true,
  },
  {
    attack: '66: a socket to the hypervisor',
    guard: 'system call filter',
    script: () => perl('socket(S, 40, SOCK_STREAM, 0) and print "LEAKED"'),
    dependsOnKernel: true,
  },
  {
    attack: '69: an io_uring',
    guard: 'system call filter',
    script: () =>
      perl(
        `$parameters = "\\0" x 120; print "LEAKED" if syscall(${call.io_uring_setup}, 1, $parameters) >= 0`,
      ),
    dependsOnKernel: true,
  },
  {
    attack: '81: a process beside it, taken over',
    guard: 'system call filter',
    script: () =>
      perl(
        `$child = fork // die; if (!$child) { sleep 5; exit } print "LEAKED" if syscall(${call.ptrace}, 16, $child, 0, 0) == 0; kill 9, $child`,
      ),
    dependsOnKernel: true,
  },
  {
    attack: 'a readable folder exchanged for a link after the look at it',
    guard: 'mounts by descriptor',
    script: ({ tool }) => `cat ${tool}/secret`,
    confinement: ({ tool }) => ({ readable: [tool] }),
    inBetween: ({ tool, outside }) => `mv ${tool} ${tool}-aside && ln -s ${outside} ${tool}`,
  },
]

const ordinary: Identity = { uid: 54321, gid: 54321 }

const starters: readonly (readonly [string, Identity | undefined])[] =
  process.getuid?.() === 0
    ? [
        ['root', undefined],
        ['an ordinary user', ordinary],
      ]
    : [['an ordinary user', undefined]]

describe.each(starters)('started by %s', (starter, identity) => {
  const rig = new Rig()
  let host: Awaited<ReturnType<typeof setUpHost>>
  beforeAll(async () => {
    host = await setUpHost(rig, identity)
  })
  afterAll(async () => {
    await host.stop()
    rig.remove()
  })

  async function attack(probe: Probe, without?: Guard) {
    const scene = { ...host, project: rig.makeProject(identity), tool: rig.makeFolder('tool', identity) }
    const { stdout, stderr } = await rig.launch(
      {
        argv: ['sh', '-c', `(${probe.script(scene)}) 2> /dev/null; echo DONE`],
        project: scene.project,
        confinement: probe.confinement?.(scene) ?? {},
        without,
        ...(probe.inBetween && { inBetween: probe.inBetween(scene) }),
      },
      { identity, environment: { LAUNCHER_SECRET: secret }, through: leakDescriptor(scene.outside) },
    )
    const works = probe.damage ? probe.damage(scene) : stdout.includes('LEAKED')
    return { works, done: stdout.includes('DONE'), stderr }
  }

  function worksOutside(probe: Probe): boolean {
    const script = probe.script({ ...host, project: '/', tool: '/' })
    return spawnSync('sh', ['-c', script], { ...identity, encoding: 'utf8' }).stdout.includes('LEAKED')
  }

  const feasible = probes.filter(({ onlyForRoot }) => !onlyForRoot || starter === 'root')
  test.each(feasible)('$attack: refused by $guard', async (probe) => {
    expect(await attack(probe)).toEqual({ works: false, done: true, stderr: '' })
  })

  test.for(feasible)('$attack: works without $guard', async (probe, { skip }) => {
    skip(
      probe.dependsOnKernel === true && !worksOutside(probe),
      'this kernel refuses it outside of a sandbox, too',
    )
    expect(await attack(probe, probe.guard)).toEqual({ works: true, done: true, stderr: '' })
  })
})

/** Descriptor 40, after a gap: Node closes those below in what it starts, but not that one. */
function leakDescriptor(folder: string): string[] {
  return [
    'perl',
    '-MPOSIX',
    '-e',
    'open(F, "<", shift); POSIX::dup2(fileno(F), 40); exec @ARGV',
    join(folder, 'secret'),
  ]
}
