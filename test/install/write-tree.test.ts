import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeTree } from '../../src/install/write-tree.ts'
import { filesBelow } from '../support/canary.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bridle-tree-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = [
  { path: 'claude/.mcp.json', text: '{}\n' },
  { path: 'claude/.claude/settings.json', text: 'é\r\n' },
  { path: 'codex/.codex/config.toml', text: '' },
]

describe('writing a tree', () => {
  it('follows the link that was named, and none below it, which a repository could have brought', async () => {
    const [mine, out, named] = ['mine', 'out', 'named'].map((name) => path.join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const [below, link] of [
      ['', 'codex'],
      ['codex', '.codex'],
    ] as const) {
      mkdirSync(mine)
      writeFileSync(path.join(mine, 'config.toml'), 'mine')
      mkdirSync(path.join(out, below), { recursive: true })
      symlinkSync(mine, path.join(out, below, link))
      const [failure] = await writeTree(out, files)
      expect(failure).toMatchObject({ code: 'BRIDLE401', message: expect.stringContaining('is a link') })
      expect(readdirSync(mine)).toEqual(['config.toml'])
      expect(readFileSync(path.join(mine, 'config.toml'), 'utf8')).toBe('mine')
      rmSync(mine, { recursive: true })
      rmSync(out, { recursive: true })
    }
    mkdirSync(out)
    symlinkSync(out, named)
    expect(await writeTree(named, [...files, { path: 'top', text: '' }])).toEqual([])
    expect(filesBelow(out)).toHaveLength(files.length + 1)
  })

  it('writes every file with its text, and nothing else', async () => {
    expect(await writeTree(path.join(folder, 'new/out'), files)).toEqual([])
    const out = path.join(folder, 'new/out')
    expect(filesBelow(folder).sort()).toEqual(files.map((file) => path.join(out, file.path)).sort())
    for (const file of files) expect(readFileSync(path.join(out, file.path), 'utf8')).toBe(file.text)
  })

  it('replaces what it wrote before, and leaves other files alone', async () => {
    writeFileSync(path.join(folder, 'mine'), 'mine')
    await writeTree(folder, files)
    await writeTree(folder, [{ path: 'claude/.mcp.json', text: 'new' }])
    expect(readFileSync(path.join(folder, 'claude/.mcp.json'), 'utf8')).toBe('new')
    expect(readFileSync(path.join(folder, 'mine'), 'utf8')).toBe('mine')
    expect(filesBelow(folder)).toHaveLength(files.length + 1)
  })

  const obstacles: { name: string; make: () => void; reason: string }[] = [
    {
      name: 'a file where a folder is needed',
      make: () => writeFileSync(path.join(folder, 'codex'), 'mine'),
      reason: 'a part of its path is a file',
    },
    {
      name: 'a folder where a file is needed',
      make: () => mkdirSync(path.join(folder, 'codex/.codex/config.toml'), { recursive: true }),
      reason: 'a folder is in its place',
    },
    {
      name: 'a file further up where a folder is needed',
      make: () => {
        mkdirSync(path.join(folder, 'codex'))
        writeFileSync(path.join(folder, 'codex/.codex'), 'mine')
      },
      reason: 'a part of its path is a file',
    },
  ]
  it.each(obstacles)('changes nothing when there is $name', async ({ make, reason }) => {
    mkdirSync(path.join(folder, 'claude'))
    writeFileSync(path.join(folder, 'claude/.mcp.json'), 'old')
    make()
    const before = readdirSync(folder, { recursive: true })
    const diagnostics = await writeTree(folder, files)
    expect(diagnostics).toMatchObject([{ code: 'BRIDLE401', message: expect.stringContaining(reason) }])
    expect(readdirSync(folder, { recursive: true })).toEqual(before)
    expect(readFileSync(path.join(folder, 'claude/.mcp.json'), 'utf8')).toBe('old')
  })

  // Root may write everywhere.
  it.skipIf(process.getuid?.() === 0)('says that the permission is missing', async () => {
    chmodSync(folder, 0o500)
    const diagnostics = await writeTree(folder, files)
    expect(diagnostics[0]?.message).toContain('permission denied')
    expect(existsSync(path.join(folder, 'claude'))).toBe(false)
    chmodSync(folder, 0o700)
  })
})
