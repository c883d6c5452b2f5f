import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { protectGit } from '../../src/sandbox/git.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridle-git-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text = ''): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function makeRepository(path: string): void {
  write(`${path}/HEAD`, 'ref: refs/heads/main\n')
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, path, name))
}

describe('what is protected of git', () => {
  test('is the configuration and the hooks of a repository', () => {
    makeRepository('project/.git')
    expect(protectGit(join(folder, 'project'))).toEqual({ protectedPaths: ['.git/config', '.git/hooks'] })
  })

  test('is the place of .git in a project without a repository', () => {
    mkdirSync(join(folder, 'project'))
    expect(protectGit(join(folder, 'project'))).toEqual({ protectedPaths: ['.git'] })
  })

  test('is the same of submodules, whose names may have slashes, and what redirects a worktree', () => {
    makeRepository('project/.git')
    makeRepository('project/.git/modules/one')
    makeRepository('project/.git/modules/group/two')
    write('project/.git/worktrees/side/commondir', '../..\n')
    write('project/.git/worktrees/side/gitdir', '/elsewhere/.git\n')
    expect(protectGit(join(folder, 'project')).protectedPaths.toSorted()).toEqual([
      '.git/config',
      '.git/hooks',
      '.git/modules/group/two/config',
      '.git/modules/group/two/hooks',
      '.git/modules/one/config',
      '.git/modules/one/hooks',
      '.git/worktrees/side/commondir',
      '.git/worktrees/side/gitdir',
    ])
  })

  test('of a linked worktree is its .git file, and the shared repository beside it', () => {
    makeRepository('main/.git')
    write('main/.git/worktrees/side/commondir', '../..\n')
    write('project/.git', `gitdir: ${join(folder, 'main/.git/worktrees/side')}\n`)
    expect(protectGit(join(folder, 'project'))).toEqual({
      protectedPaths: ['.git'],
      repository: {
        folder: join(folder, 'main/.git'),
        protectedPaths: ['config', 'hooks', 'worktrees/side/commondir'],
      },
    })
  })

  test('of a submodule is its .git file, and its repository in that of the project above', () => {
    makeRepository('above/.git/modules/one')
    write('above/one/.git', 'gitdir: ../.git/modules/one\n')
    expect(protectGit(join(folder, 'above/one'))).toEqual({
      protectedPaths: ['.git'],
      repository: { folder: join(folder, 'above/.git/modules/one'), protectedPaths: ['config', 'hooks'] },
    })
  })

  test('is no folder that a .git file names and that is no repository', () => {
    write('home/.ssh/id', 'secret')
    write('project/.git', `gitdir: ${join(folder, 'home/.ssh')}\n`)
    expect(protectGit(join(folder, 'project'))).toEqual({ protectedPaths: ['.git'] })
  })
})
