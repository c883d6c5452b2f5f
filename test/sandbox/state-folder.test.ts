import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStateFolder, type StateFolder } from '../../src/sandbox/state-folder.ts'
import { processesWith } from '../fixtures/processes.ts'
import { Rig } from './rig/rig.ts'

describe('what is read of a state folder', () => {
  let outside: string
  let root: string
  let folder: StateFolder
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'bridle-state-'))
    root = join(outside, 'state')
    mkdirSync(root)
    writeFileSync(join(outside, 'private'), 'of the host\n')
    folder = openStateFolder(root)
  })
  afterEach(() => {
    folder.close()
    rmSync(outside, { recursive: true, force: true })
  })

  test('is the file from its start to its last whole line, and the rest at the end', () => {
    const follow = folder.follow('logs/debug.log')
    expect(follow(false)).toBe('')
    mkdirSync(join(root, 'logs'))
    writeFileSync(join(root, 'logs/debug.log'), 'one\ntw')
    expect(follow(false)).toBe('one\n')
    appendFileSync(join(root, 'logs/debug.log'), 'o\nthree')
    expect(follow(false)).toBe('one\ntwo\n')
    expect(follow(true)).toBe('one\ntwo\nthree')
  })

  test('is every file of a folder and of those in it, in the order of their names', () => {
    mkdirSync(join(root, 'sessions/2026/11'), { recursive: true })
    writeFileSync(join(root, 'sessions/b'), 'second\n')
    writeFileSync(join(root, 'sessions/2026/11/a'), 'first\n')
    expect(folder.follow('sessions')(false)).toBe('first\nsecond\n')
    expect(folder.follow('.')(false)).toBe('first\nsecond\n')
  })

  test('keeps a character whose bytes came one by one', () => {
    const follow = folder.follow('log')
    for (const byte of Buffer.from('é漢😀\n')) {
      appendFileSync(join(root, 'log'), Buffer.from([byte]))
      follow(false)
    }
    expect(follow(false)).toBe('é漢😀\n')
  })

  test.each([
    ['a link in place of the file', (link: string) => symlinkSync(link, join(root, 'log')), 'log'],
    [
      'a link on the way to it',
      (link: string) => symlinkSync(join(link, '..'), join(root, 'logs')),
      'logs/private',
    ],
    [
      'a link in the folder',
      (link: string) => {
        mkdirSync(join(root, 'logs'))
        symlinkSync(link, join(root, 'logs/a'))
      },
      'logs',
    ],
  ])('is not what lies outside: %s', (_, prepare, place) => {
    prepare(join(outside, 'private'))
    expect(folder.follow(place)(true)).toBe('')
  })

  test('does not wait for the writer of a named pipe', () => {
    spawnSync('mkfifo', [join(root, 'log')])
    expect(folder.follow('log')(true)).toBe('')
  })

  test('is bounded, also of a file without an end and of a folder without one', () => {
    writeFileSync(join(root, 'log'), 'begin\n')
    truncateSync(join(root, 'log'), 2 ** 40)
    const text = folder.follow('log')(true)
    expect(text.startsWith('begin\n')).toBe(true)
    expect(text.length).toBeLessThan(5 * 1024 * 1024)
    mkdirSync(join(root, 'logs'))
    for (let name = 0; name < 300; name += 1) writeFileSync(join(root, `logs/${name}`), 'x')
    expect(folder.follow('logs')(true)).toHaveLength(100)
    mkdirSync(join(root, 'deep/1/2/3/4/5/6/7/8'), { recursive: true })
    writeFileSync(join(root, 'deep/1/2/3/4/5/6/7/8/log'), 'x')
    expect(folder.follow('deep')(true)).toBe('')
  })

  test('is bounded, also of folders in folders, and of files that come and go', () => {
    for (let name = 0; name < 50; name += 1) {
      mkdirSync(join(root, `wide/${name}`), { recursive: true })
      for (let file = 0; file < 60; file += 1) writeFileSync(join(root, `wide/${name}/${file}`), 'x')
    }
    const follow = folder.follow('wide')
    const { length } = follow(true)
    expect(length).toBeGreaterThan(1_000)
    expect(length).toBeLessThan(2_000)
    for (let round = 0; round < 5; round += 1) {
      for (let name = 0; name < 50; name += 1) {
        renameSync(
          join(root, `wide/${name}${'-'.repeat(round)}`),
          join(root, `wide/${name}${'-'.repeat(round + 1)}`),
        )
      }
      expect(follow(true).length).toBeLessThanOrEqual(2_000)
    }
  })

  test('stays readable when the folder is gone, and is not read on when it is closed', () => {
    const follow = folder.follow('log')
    writeFileSync(join(root, 'log'), 'one\n')
    expect(follow(false)).toBe('one\n')
    folder.close()
    appendFileSync(join(root, 'log'), 'two\n')
    expect(follow(true)).toBe('one\n')
  })
})

describe.each(['bubblewrap', 'none'] as const)('with the sandbox %s', (sandbox) => {
  const rig = new Rig()
  afterAll(() => rig.remove())
  const root = process.getuid?.() === 0
  const other = { uid: 54321, gid: 54321 }
  const starters = [
    { name: 'its own user', identity: undefined, owner: undefined },
    ...(root
      ? [
          { name: 'root, for the owner of a project', identity: undefined, owner: other },
          { name: 'an ordinary user', identity: other, owner: other },
        ]
      : []),
  ]

  test.each(starters)('a launcher that is $name reads it meanwhile and after the end', async (starter) => {
    const { identity, owner } = starter
    const script =
      'cd ~/.bridle; printf "one\\ntw" > log; until [ -e "$OLDPWD/go" ]; do sleep 0.02; done; echo o >> log'
    const project = rig.makeProject(owner)
    const environment = { HOME: rig.makeFolder('home', owner) }
    const outcome = await rig.launch(
      { sandbox, argv: ['sh', '-c', script], project, follow: 'log' },
      { identity, environment },
    )
    expect(outcome.stderr).toBe('')
    expect(JSON.parse(outcome.stdout)).toEqual(['one\n', 'one\ntwo\n'])
  })

  test.each([
    ['that ends when it is asked to', 'trap "exit 3" TERM', 3],
    ['that does not', 'trap "" TERM', 137],
  ])('a command %s is ended with all that it started', async (_, trap, status) => {
    const mark = `mark-${sandbox}-${status}`
    const script = `${trap}; sh -c 'trap "" TERM; sleep 60; : ${mark}' & cd ~/.bridle; echo now > log; while :; do sleep 0.05; done`
    const project = rig.makeProject()
    const request = { sandbox, argv: ['sh', '-c', script], project, follow: 'log', end: true } as const
    const outcome = await rig.launch(request)
    expect(outcome).toMatchObject({ status, stdout: '["now\\n","now\\n"]' })
    expect(processesWith(mark)).toEqual([])
  })
})
