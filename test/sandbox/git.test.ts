import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { protectGit } from '../../src/sandbox/git.ts'
import type { ProtectedPath } from '../../src/sandbox/masks.ts'

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

function makeWorktree(main: string, worktree: string, backPointer: string): void {
  makeRepository(`${main}/.git`)
  write(`${main}/.git/worktrees/side/commondir`, '../..\n')
  write(`${main}/.git/worktrees/side/gitdir`, `${backPointer}\n`)
  write(`${worktree}/.git`, `gitdir: ${join(folder, main, '.git/worktrees/side')}\n`)
}

function makeSubmodule(above: string, name: string, configuration: string): void {
  makeRepository(`${above}/.git/modules/${name}`)
  write(
    `${above}/.git/modules/${name}/${configuration}`,
    `[user]\n\tname = n\n[core]\n\tbare = false\n\tworktree = ../../../${name}\n[remote "origin"]\n`,
  )
  write(`${above}/${name}/.git`, `gitdir: ../.git/modules/${name}\n`)
}

/** A path with a mark for what becomes of it when it is absent. */
const marks = { held: '', 'empty file': '+', open: '?' }
const shown = (paths: readonly ProtectedPath[]) =>
  paths.map(({ path, whenAbsent }) => path + marks[whenAbsent]).sort()
const repositoryDangers = ['commondir?', 'config+', 'config.worktree+', 'hooks']
const worktreeDangers = ['commondir?', 'config.worktree+', 'gitdir?']
const below = (path: string, names: readonly string[]) => names.map((name) => `${path}/${name}`)

function protection(project: string) {
  const { protectedPaths, repository } = protectGit(join(folder, project))
  return {
    own: shown(protectedPaths),
    beside: repository && [repository.folder.slice(folder.length + 1), shown(repository.protectedPaths)],
  }
}

const onlyItself = { own: ['.git'], beside: undefined }

describe('what is protected of git', () => {
  test('is the configuration, what leads to another one, and the hooks of a repository', () => {
    makeRepository('project/.git')
    expect(protection('project')).toEqual({ own: below('.git', repositoryDangers), beside: undefined })
  })

  test('is the place of .git in a project without a repository', () => {
    mkdirSync(join(folder, 'project'))
    expect(protection('project')).toEqual(onlyItself)
  })

  test('is the same of submodules, whose names may have slashes, and of worktrees', () => {
    makeRepository('project/.git')
    makeRepository('project/.git/modules/one')
    makeRepository('project/.git/modules/group/two')
    write('project/.git/worktrees/side/commondir', '../..\n')
    expect(protection('project').own).toEqual(
      [
        ...below('.git', repositoryDangers),
        ...below('.git/modules/group/two', repositoryDangers),
        ...below('.git/modules/one', repositoryDangers),
        ...below('.git/worktrees/side', worktreeDangers),
      ].sort(),
    )
  })

  test.each(['absolute', 'relative'])(
    'of a linked worktree with %s paths, is the shared repository beside it',
    (form) => {
      makeWorktree(
        'main',
        'project',
        form === 'absolute' ? join(folder, 'project/.git') : '../../../../project/.git',
      )
      expect(protection('project')).toEqual({
        own: ['.git'],
        beside: ['main/.git', [...repositoryDangers, ...below('worktrees/side', worktreeDangers)].sort()],
      })
    },
  )

  test.each(['config', 'config.worktree'])('of a submodule that its %s names, is its repository', (file) => {
    makeSubmodule('above', 'one', `${file}`)
    expect(protection('above/one')).toEqual({
      own: ['.git'],
      beside: ['above/.git/modules/one', repositoryDangers],
    })
  })
})

describe('a .git file opens no repository that does not name the project', () => {
  test('such as one that stands for itself', () => {
    makeRepository('private/.git')
    write('private/.git/config', '[core]\n\tbare = false\n')
    write('project/.git', 'gitdir: ../private/.git\n')
    expect(protection('project')).toEqual(onlyItself)
  })

  test('the worktree of another folder', () => {
    makeWorktree('private', 'side', join(folder, 'side/.git'))
    write('side/.git', '')
    write('project/.git', `gitdir: ${join(folder, 'private/.git/worktrees/side')}\n`)
    expect(protection('project')).toEqual(onlyItself)
  })

  test('a submodule of another folder', () => {
    makeSubmodule('private', 'one', 'config')
    write('project/.git', 'gitdir: ../private/.git/modules/one\n')
    expect(protection('project')).toEqual(onlyItself)
  })

  test('nor where the project itself claims to be its worktree', () => {
    makeRepository('private/.git')
    write('project/made-up/gitdir', '../.git\n')
    write('project/made-up/commondir', '../../private/.git\n')
    write('project/.git', 'gitdir: made-up\n')
    expect(protection('project')).toEqual(onlyItself)
  })

  test('and no folder that is no repository', () => {
    write('home/.ssh/config', `[core]\n\tworktree = ${join(folder, 'project')}\n`)
    write('project/.git', `gitdir: ${join(folder, 'home/.ssh')}\n`)
    expect(protection('project')).toEqual(onlyItself)
  })
})
