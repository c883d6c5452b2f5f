import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diagnostic } from '../../src/diagnostics/diagnostic.ts'
import type { Scope } from '../../src/install/places.ts'
import { takeSnapshot } from '../../src/install/snapshot.ts'
import { type FileWrite, writeFiles } from '../../src/install/write-files.ts'
import { filesBelow } from '../support/canary.ts'

let folder: string
let scope: Scope
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle-write-')))
  scope = { kind: 'project', folder, workingDirectory: folder }
  writeFileSync(path.join(folder, 'a'), 'old a')
  writeFileSync(path.join(folder, 'b'), 'old b')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string | undefined, isFirst = false): FileWrite {
  const file = path.join(folder, name)
  const snapshot = takeSnapshot(file, scope)
  if ('code' in snapshot) throw new Error(snapshot.reason)
  return { file, shown: name, snapshot, text, isFirst }
}

function files(): Record<string, string> {
  const names = filesBelow(folder).map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')])
  return Object.fromEntries(names)
}

const old = { a: 'old a', b: 'old b' }
const nothing = async () => []

describe('Writing files', () => {
  it('exchanges, makes and removes them, and leaves nothing beside them', async () => {
    const writes = [write('a', 'new a'), write('b', undefined), write('x/y/c', 'new c')]
    expect(await writeFiles(writes, scope, nothing)).toEqual([])
    expect(files()).toEqual({ a: 'new a', 'x/y/c': 'new c' })
  })

  it('exchanges the first ones before what is done between, and takes them back when that fails', async () => {
    const writes = [write('b', 'new b'), write('a', 'new a', true), write('x/c', 'new c', true)]
    const seen: object[] = []
    const fail = async () => {
      const { a, b, 'x/c': c } = files()
      seen.push({ a, b, c })
      return [diagnostic('BRIDLE409', 'error', 'no')]
    }
    expect(await writeFiles(writes, scope, fail)).toHaveLength(1)
    expect(seen).toEqual([{ a: 'new a', b: 'old b', c: 'new c' }])
    expect(files()).toEqual(old)
  })

  it('takes nothing back that another program has written since', async () => {
    const fail = async () => {
      writeFileSync(path.join(folder, 'a'), 'theirs')
      return [diagnostic('BRIDLE409', 'error', 'no')]
    }
    const found = await writeFiles([write('a', 'new a', true), write('b', 'new b')], scope, fail)
    expect(found.map(({ code }) => code)).toEqual(['BRIDLE409', 'BRIDLE410'])
    expect(files()).toEqual({ a: 'theirs', b: 'old b' })
  })

  const meanwhile: Readonly<Record<string, { change: () => void; left: object }>> = {
    'another program has written one': {
      change: () => writeFileSync(path.join(folder, 'b'), 'theirs'),
      left: { a: 'old a', b: 'theirs' },
    },
    'another program has removed one': {
      change: () => rmSync(path.join(folder, 'b')),
      left: { a: 'old a' },
    },
    'another program has made the one that was missing': {
      change: () => {
        mkdirSync(path.join(folder, 'x'), { recursive: true })
        writeFileSync(path.join(folder, 'x/c'), 'theirs')
      },
      left: { ...old, 'x/c': 'theirs' },
    },
    'a folder has become a link': {
      change: () => {
        rmSync(path.join(folder, 'x'), { recursive: true, force: true })
        execFileSync('ln', ['-s', tmpdir(), path.join(folder, 'x')])
      },
      left: old,
    },
  }
  it.each(Object.entries(meanwhile))('writes none when meanwhile %s', async (_, { change, left }) => {
    const writes = [write('a', 'new a'), write('b', 'new b'), write('x/c', 'new c')]
    const found = await writeFiles(writes, scope, async () => {
      change()
      return []
    })
    expect(found).toMatchObject([
      { code: 'BRIDLE410', message: expect.stringContaining('nothing was written') },
    ])
    expect(files()).toEqual(left)
  })

  it('writes none when what stands between says no, and leaves no folder', async () => {
    const no = diagnostic('BRIDLE409', 'error', 'no')
    expect(await writeFiles([write('a', 'new a'), write('x/y/c', 'c')], scope, async () => [no])).toEqual([
      no,
    ])
    expect(files()).toEqual(old)
    expect(existsSync(path.join(folder, 'x'))).toBe(false)
  })

  it('gives those before it their old texts again when one cannot be exchanged', async () => {
    const writes = [write('a', 'new a'), write('new', 'n'), write('b', undefined), write('x/c', 'c')]
    const found = await writeFiles(writes, scope, async () => {
      // Its new text is taken away: seen by the exchange alone.
      rmSync(path.join(folder, 'x/c.bridle-new'))
      return []
    })
    expect(found).toMatchObject([
      { code: 'BRIDLE405', message: expect.stringContaining('`x/c` cannot be written') },
    ])
    expect(files()).toEqual(old)
  })
})
