import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProject, findSpec } from '../../src/spec/find.ts'

/** home/repo (a git repository) /sub/deep */
let home: string
let repo: string
let deep: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'bridle-find-'))
  repo = path.join(home, 'repo')
  deep = path.join(repo, 'sub/deep')
  mkdirSync(deep, { recursive: true })
  mkdirSync(path.join(repo, '.git'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(...steps: string[]): string {
  const file = path.join(...steps)
  writeFileSync(file, '')
  return file
}

describe('The spec is found', () => {
  it('in the working directory before the folders above it', () => {
    put(repo, 'bridle.yaml')
    const file = put(deep, 'bridle.json')
    expect(findSpec(deep, home)).toEqual({ file })
  })

  it('up to the root of the repository', () => {
    const file = put(repo, 'bridle.yaml')
    expect(findSpec(deep, home)).toEqual({ file })
  })

  it('not above the root of the repository', () => {
    put(home, 'bridle.yaml')
    expect(findSpec(deep, home)).toMatchObject({ diagnostic: { code: 'BRIDLE101' } })
  })

  it('not above the root of a worktree, whose .git is a file', () => {
    put(repo, 'bridle.yaml')
    put(path.dirname(deep), '.git')
    expect(findSpec(deep, home)).toMatchObject({ diagnostic: { code: 'BRIDLE101' } })
  })

  it('up to the home folder and not above it', () => {
    rmSync(path.join(repo, '.git'), { recursive: true })
    const file = put(home, 'bridle.yaml')
    expect(findSpec(deep, home)).toEqual({ file })
    expect(findSpec(deep, repo)).toMatchObject({ diagnostic: { code: 'BRIDLE101' } })
  })

  it.runIf(process.getuid?.() === 0)('not where another user has put one in the way, as in /tmp', () => {
    const mine = put(deep, 'bridle.yaml')
    for (const [name, folder] of [
      ['.git', path.dirname(deep)],
      ['bridle.yaml', path.dirname(deep)],
    ] as const) {
      const file = put(folder, name)
      chownSync(file, 12_345, 12_345)
    }
    expect(findProject(deep, deep, home)).toBe(repo)
    expect(findSpec(deep, home)).toEqual({ file: mine })
    rmSync(mine)
    expect(findSpec(deep, home)).toMatchObject({
      diagnostic: { code: 'BRIDLE101', message: expect.stringContaining('belongs to another user') },
    })
    // Root at work for the owner of a project.
    chownSync(deep, 12_345, 12_345)
    expect(findSpec(deep, home)).toEqual({ file: path.join(path.dirname(deep), 'bridle.yaml') })
    expect(findProject(deep, deep, home)).toBe(path.dirname(deep))
  })

  it.each(['bridle.yml', '.bridle.yaml', '.bridle.toml'])('not as %s, which is named', (name) => {
    const file = put(repo, name)
    expect(findSpec(deep, home)).toMatchObject({
      diagnostic: { code: 'BRIDLE101', help: expect.stringContaining(file) },
    })
  })

  it('beside a folder of the other name, which is no spec', () => {
    const file = put(repo, 'bridle.yaml')
    mkdirSync(path.join(repo, 'bridle.json'))
    expect(findSpec(repo, home)).toEqual({ file })
  })

  it('alone: two in one folder are an error, even below a good one', () => {
    put(repo, 'bridle.yaml')
    put(deep, 'bridle.yaml')
    put(deep, 'bridle.json')
    expect(findSpec(deep, home)).toMatchObject({ diagnostic: { code: 'BRIDLE102' } })
  })
})

describe('The project', () => {
  it('is the root of the repository', () => {
    expect(findProject(deep, deep, home)).toBe(repo)
  })

  it('is the folder of the spec where there is no repository', () => {
    expect(findProject(home, '/somewhere', home)).toBe('/somewhere')
  })

  it('is not the home folder, even when it is a repository', () => {
    rmSync(path.join(repo, '.git'), { recursive: true })
    mkdirSync(path.join(home, '.git'))
    expect(findProject(deep, deep, home)).toBe(deep)
  })
})
