import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BubblewrapRequest,
  bubblewrapRows,
  type Part,
  type Row,
  render,
} from '../../src/sandbox/arguments.ts'

const request: BubblewrapRequest = {
  home: '/home/agent',
  stateFolder: '/home/agent/.bridle',
  workingDirectory: '/srv/project/below',
  network: 'none',
  system: [{ flags: ['--ro-bind', '/usr', '/usr'], reason: 'the system' }],
  mounts: [
    { descriptor: 21, destination: '/opt/harness', access: 'read-only' },
    { descriptor: 22, destination: '/srv/project', access: 'read-write' },
    { descriptor: 23, destination: '/srv/project/.git', access: 'read-only' },
  ],
  files: [{ path: '/home/agent/.bridle/a/b/config.json', text: '{}' }],
  seccompProgram: Buffer.from('program'),
}

function rowsOf(changes: Partial<BubblewrapRequest> = {}): Row[] {
  return bubblewrapRows({ ...request, ...changes })
}

const lineOf = ({ flags }: Row) => flags.map((part) => (typeof part === 'string' ? part : '#')).join(' ')

/** Guards that a row must stand for, whatever is asked. Each one is attacked in probes.test.ts or run.test.ts. */
const guards = [
  '--unshare-user',
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts --hostname sandbox',
  '--unshare-cgroup-try',
  '--cap-drop ALL',
  '--die-with-parent',
  '--new-session',
  '--proc /proc',
  '--ro-bind /proc/sys /proc/sys',
  '--ro-bind-try /proc/pressure /proc/pressure',
  '--size 2147483648 --perms 1777 --tmpfs /tmp',
  '--size 16777216 --perms 0755 --tmpfs /run',
  '--size 1073741824 --perms 0700 --tmpfs /home/agent',
  '--remount-ro /',
  '--seccomp #',
]

describe('the rows for bubblewrap', () => {
  test.each(guards)('have %s, with the network closed and open', (guard) => {
    expect(rowsOf().map(lineOf)).toContain(guard)
    expect(rowsOf({ network: 'host' }).map(lineOf)).toContain(guard)
  })

  test('close the network unless the host’s is asked for', () => {
    expect(rowsOf().map(lineOf)).toContain('--unshare-net')
    expect(rowsOf({ network: 'host' }).map(lineOf)).not.toContain('--unshare-net')
  })

  test('give a reason each', () => {
    expect(rowsOf().filter(({ reason }) => reason === '')).toEqual([])
  })

  test('lay read-only /proc/sys over the fresh /proc', () => {
    const lines = rowsOf().map(lineOf)
    expect(lines.indexOf('--proc /proc')).toBeLessThan(lines.indexOf('--ro-bind /proc/sys /proc/sys'))
  })

  test('lay the mounts in their order over the private folders, and close the root after all of them', () => {
    const lines = rowsOf().map(lineOf)
    const order = [
      '--ro-bind /usr /usr',
      '--size 2147483648 --perms 1777 --tmpfs /tmp',
      '--ro-bind-fd # /opt/harness',
      '--bind-fd # /srv/project',
      '--ro-bind-fd # /srv/project/.git',
      '--perms 0444 --ro-bind-data # /home/agent/.bridle/a/b/config.json',
      '--remount-ro /',
    ].map((line) => lines.indexOf(line))
    expect(order).not.toContain(-1)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('make every folder that holds a file of ours a mount point, the outer before the inner', () => {
    const folders = rowsOf()
      .map(lineOf)
      .filter((line) => line.includes('--perms 0700 --tmpfs'))
    expect(folders.map((line) => line.split(' ').at(-1))).toEqual([
      '/home/agent',
      '/home/agent/.bridle',
      '/home/agent/.bridle/a',
      '/home/agent/.bridle/a/b',
    ])
  })
})

describe('rendering', () => {
  const part = fc.oneof(
    fc.string(),
    fc.record({ open: fc.nat() }),
    fc.record({ content: fc.string() }),
  ) satisfies fc.Arbitrary<Part>

  test('keeps every word in its place and numbers the descriptors in their order', () => {
    fc.assert(
      fc.property(fc.array(fc.array(part)), fc.integer({ min: 3, max: 99 }), (lines, first) => {
        const { words, descriptors } = render(
          lines.map((flags) => ({ flags, reason: 'any' })),
          first,
        )
        const parts = lines.flat()
        expect(words.length).toBe(parts.length)
        const shown = parts.map((one, index) =>
          typeof one === 'string' ? one : descriptors[Number(words[index]) - first],
        )
        expect(shown).toEqual(parts.map((one, index) => (typeof one === 'string' ? words[index] : one)))
        expect(descriptors).toEqual(parts.filter((one) => typeof one !== 'string'))
      }),
    )
  })
})
