import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { isLivingMark, isMark, newMark } from '../../src/sandbox/marks.ts'

/** The parts of a mark: process, start time, namespace, random. */
const parts = () =>
  /(\d+)-(\d+)-(\d+)-([0-9a-f]+)$/.exec(newMark())?.slice(1) as [string, string, string, string]
const markOf = (id: string, start: string, namespace: string) =>
  `.bridle-run-${id}-${start}-${namespace}-0011aabb`

/** proc_pid_stat(5), from the state on. */
const stateOf = (id: string) => readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /s, '')

test('a new mark is one of a living run, and no two are the same', () => {
  const mark = newMark()
  expect([isMark(mark), isLivingMark(mark)]).toEqual([true, true])
  expect(newMark()).not.toBe(mark)
})

test('the mark of a process that has ended is not living, though nobody waited for it', async () => {
  const [, , namespace] = parts()
  const parent = spawn('/usr/bin/perl', [
    '-e',
    '$| = 1; $child = fork // die; exit if !$child; print $child; sleep 20',
  ])
  const id = String((await once(parent.stdout, 'data'))[0])
  while (!stateOf(id).startsWith('Z ')) await setTimeout(5)
  const start = stateOf(id).split(' ')[19] ?? ''
  expect(isLivingMark(markOf(id, start, namespace))).toBe(false)
  parent.kill('SIGKILL')
})

test('a later process with the same number does not keep a mark alive', () => {
  const [id, start, namespace] = parts()
  expect(isLivingMark(markOf(id, start, namespace))).toBe(true)
  expect(isLivingMark(markOf(id, `${start}1`, namespace))).toBe(false)
})

test('a number above the largest of a process is not living', () => {
  expect(isLivingMark(markOf('4194305', '1', parts()[2]))).toBe(false)
})

test('the mark of another container counts as living, since its processes are not seen', () => {
  expect(isLivingMark(markOf('4194305', '1', '1'))).toBe(true)
})

test.each(['settings.json', '.bridle-run', '.bridle-run-1-2-3', '.bridle-run-1-2-3-0011aabb.txt'])(
  '%s is no mark',
  (name) => {
    expect(isMark(name)).toBe(false)
  },
)
