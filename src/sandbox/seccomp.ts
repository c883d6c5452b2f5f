import { calls, type Processor } from './syscalls.ts'

/**
 * The system call filter of the sandbox, as the classic BPF program that `bwrap --seccomp` loads: an array of
 * `struct sock_filter` (linux/filter.h) over `struct seccomp_data` (linux/seccomp.h).
 */
export function seccompProgram(processor: Processor): Buffer {
  return Buffer.concat([
    ...refuseForeignArchitecture(processor),
    ...(processor === 'x64' ? refuseX32() : []),
    load(offsets.number),
    ...refused.flatMap(({ names, verdict }) =>
      names.flatMap((name) => answerWhen(jumpIfEqual, calls[name][processor], verdict)),
    ),
    ...refuseNamespacesInClone(processor),
    ...refuseTerminalInjection(processor),
    ...refuseSocketFamilies(processor),
    answer(verdicts.allow),
  ])
}

/** SECCOMP_RET_*, linux/seccomp.h; the low half is the errno. */
const errno = (number: number) => 0x0005_0000 | number
export const verdicts = {
  allow: 0x7fff_0000,
  killProcess: 0x8000_0000,
  notPermitted: errno(1),
  /** As from an old kernel: programs then take their older way. */
  notImplemented: errno(38),
}

const refused: readonly { names: readonly (keyof typeof calls)[]; verdict: number; reason: string }[] = [
  {
    names: ['keyctl', 'add_key', 'request_key'],
    verdict: verdicts.notPermitted,
    reason: 'key rings are shared with the host, they belong to the user and not to a namespace',
  },
  {
    names: [
      'mount',
      'umount2',
      'pivot_root',
      'open_tree',
      'move_mount',
      'fsopen',
      'fsconfig',
      'fsmount',
      'fspick',
    ],
    verdict: verdicts.notPermitted,
    reason: 'the mounts are the masks',
  },
  { names: ['mount_setattr', 'open_tree_attr'], verdict: verdicts.notPermitted, reason: 'the same' },
  {
    names: ['unshare', 'setns'],
    verdict: verdicts.notPermitted,
    reason: 'a nested user namespace gives capabilities over its own mounts, and kernel code to attack',
  },
  {
    names: ['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd'],
    verdict: verdicts.notPermitted,
    reason: 'one process of the sandbox takes over or reads another',
  },
  {
    names: ['open_by_handle_at', 'name_to_handle_at'],
    verdict: verdicts.notPermitted,
    reason: 'handles reach files behind a mask',
  },
  {
    names: ['bpf', 'perf_event_open', 'userfaultfd'],
    verdict: verdicts.notPermitted,
    reason: 'kernel code that agents do not need and exploits do',
  },
  {
    names: ['io_uring_setup', 'io_uring_enter', 'io_uring_register'],
    verdict: verdicts.notImplemented,
    reason: 'its operations pass by this filter (a socket can be made in it)',
  },
  {
    names: ['clone3'],
    verdict: verdicts.notImplemented,
    reason: 'its flags lie in memory that a filter cannot read; libraries fall back to clone',
  },
]

/** AUDIT_ARCH_*, linux/audit.h. */
export const architectures: Readonly<Record<Processor, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

function refuseForeignArchitecture(processor: Processor): Buffer[] {
  return [
    load(offsets.architecture),
    jumpIfEqual(architectures[processor], 1, 0),
    answer(verdicts.killProcess), // a 32-bit call has other numbers: the tables below would not hold
  ]
}

/** x32 calls have the architecture of x86-64 and a bit in their number (__X32_SYSCALL_BIT). */
function refuseX32(): Buffer[] {
  return [load(offsets.number), ...answerWhen(jumpIfAtLeast, 0x4000_0000, verdicts.notImplemented)]
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET (linux/sched.h). */
const namespaceFlags = 0x7e02_0000

function refuseNamespacesInClone(processor: Processor): Buffer[] {
  return onCall(calls.clone[processor], [
    load(offsets.firstArgument),
    ...answerWhen(jumpIfAnyBit, namespaceFlags, verdicts.notPermitted),
  ])
}

/** TIOCSTI types into the user's terminal, TIOCLINUX pastes into a console (asm-generic/ioctls.h). */
const terminalInjections = [0x5412, 0x541c]

function refuseTerminalInjection(processor: Processor): Buffer[] {
  return onCall(calls.ioctl[processor], [
    load(offsets.secondArgument), // the low half only: the kernel looks at no more
    ...terminalInjections.flatMap((request) => answerWhen(jumpIfEqual, request, verdicts.notPermitted)),
  ])
}

/**
 * AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Of the others, AF_VSOCK speaks to the hypervisor (no network
 * namespace closes it), AF_PACKET sees raw traffic, AF_ALG and the rare protocols are kernel code to attack.
 */
const socketFamilies = [0, 1, 2, 10, 16]

function refuseSocketFamilies(processor: Processor): Buffer[] {
  const check = [
    load(offsets.firstArgument),
    ...socketFamilies.flatMap((family) => answerWhen(jumpIfEqual, family, verdicts.allow)),
    answer(verdicts.notPermitted),
  ]
  return [...onCall(calls.socket[processor], check), ...onCall(calls.socketpair[processor], check)]
}

/** Runs the body for one call. The body may leave the accumulator changed, so the number is loaded again after it. */
function onCall(number: number, body: readonly Buffer[]): Buffer[] {
  return [jumpIfEqual(number, 0, body.length), ...body, load(offsets.number)]
}

function answerWhen(
  jump: (value: number, whenTrue: number, whenFalse: number) => Buffer,
  value: number,
  verdict: number,
): Buffer[] {
  return [jump(value, 0, 1), answer(verdict)]
}

/** Byte offsets in `struct seccomp_data`; of an argument, its low half (both processors are little-endian). */
const offsets = { number: 0, architecture: 4, firstArgument: 16, secondArgument: 24 }

function load(offset: number): Buffer {
  return instruction(0x20, 0, 0, offset) // BPF_LD | BPF_W | BPF_ABS
}

function jumpIfEqual(value: number, whenTrue: number, whenFalse: number): Buffer {
  return instruction(0x15, whenTrue, whenFalse, value) // BPF_JMP | BPF_JEQ | BPF_K
}

function jumpIfAtLeast(value: number, whenTrue: number, whenFalse: number): Buffer {
  return instruction(0x35, whenTrue, whenFalse, value) // BPF_JMP | BPF_JGE | BPF_K
}

function jumpIfAnyBit(bits: number, whenTrue: number, whenFalse: number): Buffer {
  return instruction(0x45, whenTrue, whenFalse, bits) // BPF_JMP | BPF_JSET | BPF_K
}

function answer(verdict: number): Buffer {
  return instruction(0x06, 0, 0, verdict) // BPF_RET | BPF_K
}

function instruction(code: number, whenTrue: number, whenFalse: number, operand: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(whenTrue, 2)
  bytes.writeUInt8(whenFalse, 3)
  bytes.writeUInt32LE(operand, 4)
  return bytes
}
