/**
 * What bubblewrap is told, as data: rows of flags, each with its reason, in the order in which bubblewrap carries
 * them out. Measured against attacks: test/sandbox/probes.test.ts shows for each guard what happens without it.
 */
export interface Row {
  readonly flags: readonly Part[]
  readonly reason: string
}

/** A word of the command line, or a descriptor whose number is filled in when the rows are rendered. */
export type Part = string | Descriptor

/** A descriptor that bubblewrap inherits: one that is open already, or a pipe that brings this content. */
export type Descriptor = { readonly open: number } | { readonly content: string | Buffer }

/** A file or folder of the host, opened, and its place inside. */
export interface Mount {
  readonly descriptor: number
  readonly destination: string
  readonly access: 'read-only' | 'read-write'
}

/** Everything that differs between two runs. Paths are absolute. */
export interface BubblewrapRequest {
  readonly home: string
  readonly stateFolder: string
  readonly workingDirectory: string
  readonly network: 'none' | 'host'
  /** The host's system folders and files, from `systemRows`. */
  readonly system: readonly Row[]
  /** In order: a later one lies over an earlier one. */
  readonly mounts: readonly Mount[]
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly seccompProgram: Buffer
}

/** The search path of the init; the command gets its own. */
const systemPath = '/usr/local/bin:/usr/bin:/bin'

export function bubblewrapRows(request: BubblewrapRequest): Row[] {
  return [
    ...namespaces,
    ...(request.network === 'none' ? closedNetwork : []),
    ...identity,
    ...lifetime,
    ...environment,
    ...request.system,
    ...kernelFolders,
    ...privateFolders(request),
    ...request.mounts.map(mountRow),
    ...request.files.map(({ path, text }) => ({
      flags: ['--perms', '0444', '--ro-bind-data', { content: text }, path],
      reason: 'what the harness reads; over a descriptor, so that it stands in no file on the host',
    })),
    {
      flags: ['--remount-ro', '/'],
      reason: 'the root itself, on which bubblewrap made the mount points, comes last',
    },
    { flags: ['--chdir', request.workingDirectory], reason: 'where the command starts' },
    { flags: ['--seccomp', { content: request.seccompProgram }], reason: 'see seccomp.ts' },
  ]
}

const namespaces: readonly Row[] = [
  {
    flags: ['--unshare-user'],
    reason: 'a user namespace of its own: no rights outside, and the others can be made without root',
  },
  {
    flags: ['--disable-userns'],
    reason: 'none nested in it: one would give capabilities over its own mounts, and kernel code to attack',
  },
  { flags: ['--unshare-pid'], reason: 'no process of the host is seen; all die with process 1' },
  {
    flags: ['--unshare-ipc'],
    reason: 'System V shared memory and message queues belong to a user, not to a folder',
  },
  { flags: ['--unshare-uts', '--hostname', 'sandbox'], reason: 'the name of the host' },
  { flags: ['--unshare-cgroup-try'], reason: 'the cgroup tree of the host; absent in old kernels' },
]

const closedNetwork: readonly Row[] = [
  {
    flags: ['--unshare-net'],
    reason: 'no route, no service on loopback of the host, no abstract unix socket; its own loopback is up',
  },
]

const identity: readonly Row[] = [
  { flags: ['--uid', '1000', '--gid', '1000'], reason: 'one identity for all, also when root starts it' },
  { flags: ['--cap-drop', 'ALL'], reason: 'no capability in its own namespaces either' },
  {
    flags: [
      '--perms',
      '0444',
      '--ro-bind-data',
      { content: 'agent:x:1000:1000::/home/agent:/bin/sh\n' },
      '/etc/passwd',
    ],
    reason: 'programs want a name for the user, and the users of the host are nobody’s business',
  },
  {
    flags: ['--perms', '0444', '--ro-bind-data', { content: 'agent:x:1000:\n' }, '/etc/group'],
    reason: 'the same',
  },
]

const lifetime: readonly Row[] = [
  { flags: ['--die-with-parent'], reason: 'a killed launcher leaves no process behind' },
  {
    flags: ['--new-session'],
    reason:
      'a process group and session of its own: `kill 0` stays inside, and no terminal can be typed into',
  },
]

const environment: readonly Row[] = [
  {
    flags: ['--clearenv', '--setenv', 'PATH', systemPath],
    reason: 'nothing of the launcher; the init needs cat',
  },
]

const kernelFolders: readonly Row[] = [
  { flags: ['--proc', '/proc'], reason: 'shows the processes of the sandbox only' },
  {
    flags: ['--ro-bind', '/proc/sys', '/proc/sys'],
    reason: 'started by root, core_pattern could be opened for writing: it runs programs on the host',
  },
  {
    flags: ['--ro-bind-try', '/proc/pressure', '/proc/pressure'],
    reason: 'the last writable files of /proc',
  },
  {
    flags: ['--dev', '/dev'],
    reason: 'null, zero, full, random, urandom, tty, pts and shm, no device of the host',
  },
  temporary('/dev/shm', '1777', 512, 'shared memory; browsers want more than the 64 MiB of Docker'),
  { flags: ['--remount-ro', '/dev'], reason: 'nothing else is to be kept in it' },
]

/**
 * A folder in memory. Its bound, in MiB, is there because the kernel’s own is half of the machine’s memory, for each
 * of them: an agent that fills a few takes the host down.
 */
function temporary(path: string, mode: string, sizeMib: number, reason: string): Row {
  return { flags: ['--size', String(sizeMib * 1024 * 1024), '--perms', mode, '--tmpfs', path], reason }
}

/**
 * Each folder that holds a file of ours is a mount of its own: a mount point cannot be renamed, so the file cannot be
 * replaced by moving its folder away.
 */
function privateFolders({ home, stateFolder, files }: BubblewrapRequest): Row[] {
  const owned = [home, stateFolder, ...files.flatMap(({ path }) => foldersBetween(home, path))]
  return [
    temporary('/tmp', '1777', 2048, 'temporary files of the host hold secrets and sockets'),
    temporary('/run', '0755', 16, 'sockets of the host: agents, message buses, Docker'),
    ...[...new Set(owned)]
      .sort()
      .map((folder) => temporary(folder, '0700', 1024, 'a fresh home; its folders cannot be exchanged')),
  ]
}

/** The folders strictly below `top` in which `path` lies, outermost first. */
function foldersBetween(top: string, path: string): string[] {
  if (!path.startsWith(`${top}/`)) return []
  const names = path.slice(top.length + 1).split('/')
  return names.slice(0, -1).map((_, index) => `${top}/${names.slice(0, index + 1).join('/')}`)
}

function mountRow({ descriptor, destination, access }: Mount): Row {
  return {
    flags: [access === 'read-only' ? '--ro-bind-fd' : '--bind-fd', { open: descriptor }, destination],
    reason: 'by descriptor: a path that was exchanged for a link in the meantime leads nowhere else',
  }
}

/**
 * Gives the words for bubblewrap and the descriptors they speak of, numbered from `firstDescriptor` in this order.
 */
export function render(
  rows: readonly Row[],
  firstDescriptor: number,
): { readonly words: readonly string[]; readonly descriptors: readonly Descriptor[] } {
  const descriptors: Descriptor[] = []
  const words = rows.flatMap(({ flags }) =>
    flags.map((part) =>
      typeof part === 'string' ? part : String(firstDescriptor + descriptors.push(part) - 1),
    ),
  )
  return { words, descriptors }
}
