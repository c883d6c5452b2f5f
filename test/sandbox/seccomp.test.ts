import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { architectures, seccompProgram, verdicts } from '../../src/sandbox/seccomp.ts'
import { calls } from '../../src/sandbox/syscalls.ts'
import { evaluate } from './bpf.ts'

const { allow, notPermitted, notImplemented, killProcess } = verdicts

const refused: Readonly<Record<string, readonly (keyof typeof calls)[]>> = {
  [notPermitted]: [
    ...(['keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd'] as const),
    ...([
      'mount',
      'umount2',
      'pivot_root',
      'open_tree',
      'move_mount',
      'fsopen',
      'fsconfig',
      'fsmount',
    ] as const),
    ...(['fspick', 'mount_setattr', 'open_tree_attr', 'setns', 'unshare', 'ptrace'] as const),
    ...(['process_vm_readv', 'process_vm_writev', 'pidfd_getfd'] as const),
    ...(['open_by_handle_at', 'name_to_handle_at'] as const),
  ],
  [notImplemented]: ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'],
}

/** Calls that are judged by an argument: its place, and the verdict for each value. */
const byArgument: readonly (readonly [keyof typeof calls, number, readonly (readonly [bigint, number])[]])[] =
  [
    [
      'clone',
      0,
      [
        [0x11n, allow], // fork
        [0x3d0f00n, allow], // a thread of glibc
        [0x0002_0000n, notPermitted], // CLONE_NEWNS
        [0x0200_0000n, notPermitted], // CLONE_NEWCGROUP
        [0x0400_0000n, notPermitted], // CLONE_NEWUTS
        [0x0800_0000n, notPermitted], // CLONE_NEWIPC
        [0x1000_0011n, notPermitted], // CLONE_NEWUSER
        [0x2000_0000n, notPermitted], // CLONE_NEWPID
        [0x4000_0000n, notPermitted], // CLONE_NEWNET
      ],
    ],
    [
      'ioctl',
      1,
      [
        [0x5401n, allow], // TCGETS
        [0x5413n, allow], // TIOCGWINSZ
        [0x5412n, notPermitted], // TIOCSTI
        [0x541cn, notPermitted], // TIOCLINUX
      ],
    ],
    ...(['socket', 'socketpair'] as const).map(
      (name) =>
        [
          name,
          0,
          [
            [1n, allow], // AF_UNIX
            [2n, allow], // AF_INET
            [10n, allow], // AF_INET6
            [16n, allow], // AF_NETLINK
            [17n, notPermitted], // AF_PACKET
            [38n, notPermitted], // AF_ALG
            [40n, notPermitted], // AF_VSOCK
            [44n, notPermitted], // AF_XDP
          ],
        ] as const,
    ),
  ]

describe.each(['x64', 'arm64'] as const)('on %s', (processor) => {
  const program = seccompProgram(processor)
  const architecture = architectures[processor]
  const judge = (number: number, values: readonly bigint[] = []) =>
    evaluate(program, { architecture, number, arguments: values })

  test.each(
    Object.entries(refused).flatMap(([verdict, names]) =>
      names.map((name) => [name, Number(verdict)] as const),
    ),
  )('%s is refused', (name, verdict) => {
    expect(judge(calls[name][processor])).toBe(verdict)
  })

  test.each(byArgument)('%s is judged by argument %i', (name, place, cases) => {
    for (const [value, verdict] of cases) {
      const values = Array.from({ length: 6 }, (_, index) => (index === place ? value : 0n))
      expect([value, judge(calls[name][processor], values)]).toEqual([value, verdict])
    }
  })

  test('the high half of an argument, which the kernel does not look at, changes no verdict', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...byArgument),
        fc.nat(),
        fc.bigInt({ min: 0n, max: 0xffff_ffffn }),
        ([name, place, cases], pick, high) => {
          const [value, verdict] = cases[pick % cases.length] ?? [0n, 0]
          const values = Array.from({ length: 6 }, (_, index) =>
            index === place ? value | (high << 32n) : high,
          )
          expect(judge(calls[name][processor], values)).toBe(verdict)
        },
      ),
    )
  })

  test('every call that the tables do not name is allowed, whatever its arguments', () => {
    const named = new Set<number>(Object.values(calls).map((numbers) => numbers[processor]))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 600 }).filter((number) => !named.has(number)),
        fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 6 }),
        (number, values) => {
          expect(judge(number, values)).toBe(allow)
        },
      ),
      { numRuns: 600 },
    )
  })

  test('a call of another architecture ends the process', () => {
    for (const foreign of [0x4000_0003, 0x4000_0028, processor === 'x64' ? 0xc000_00b7 : 0xc000_003e]) {
      expect(evaluate(program, { architecture: foreign, number: 0 })).toBe(killProcess)
    }
  })
})

test('calls of the x32 kind, which have the architecture of x86-64, are refused', () => {
  const program = seccompProgram('x64')
  const judge = (number: number) => evaluate(program, { architecture: architectures.x64, number })
  for (const number of [0x4000_0000, 0x4000_0000 + 321, 0x4000_0000 + 521, 0xffff_ffff]) {
    expect(judge(number)).toBe(notImplemented)
  }
  expect(judge(0x3fff_ffff)).toBe(allow)
})
