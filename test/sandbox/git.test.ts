import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { protectGit } from '../../src/sandbox/git.ts'
import { actAs } from '../../src/sandbox/identity.ts'
import type { ProtectedPath } from '../../src/sandbox/masks.ts'
import { SandboxRefusal } from '../../src/sandbox/sandbox.ts'

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
const marks = { held: '', 'held alone': '!', 'empty file': '+', open: '?' }
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

  test.each([
    { away: 'HEAD', made: [] },
    { away: 'objects', made: ['modules/group/HEAD'] },
    { away: 'refs', made: ['modules/group/config', 'modules/group/two/refs/HEAD'] },
  ])('of a submodule stays the same when $away is moved away and $made are made', ({ away, made }) => {
    makeRepository('project/.git')
    makeRepository('project/.git/modules/group/two')
    write('project/.git/modules/group/two/config')
    rmSync(join(folder, 'project/.git/modules/group/two', away), { recursive: true })
    for (const file of made) write(`project/.git/${file}`)
    expect(protection('project').own).toEqual(
      expect.arrayContaining(below('.git/modules/group/two', repositoryDangers)),
    )
  })

  test('of a submodule whose name is one of a folder of repositories', () => {
    makeRepository('project/.git/modules/group/logs')
    write('project/.git/modules/group/logs/config')
    write('project/.git/modules/group/HEAD')
    expect(protection('project').own).toEqual(
      expect.arrayContaining(below('.git/modules/group/logs', repositoryDangers)),
    )
  })

  test('leaves the references and the log of a submodule alone', () => {
    makeRepository('project/.git/modules/one')
    write('project/.git/modules/one/logs/HEAD')
    write('project/.git/modules/one/refs/heads/feature/config')
    write('project/.git/modules/one/lfs/objects/ab/cd')
    expect(protection('project').own).toEqual(
      [...below('.git', repositoryDangers), ...below('.git/modules/one', repositoryDangers)].sort(),
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

/** What git does not make, by a shell in a repository and its `.git`; and the path that the refusal names. */
const unusual = [
  { does: 'ln -s / .git/modules', path: '.git/modules' },
  { does: 'mkdir -p .git/modules/a; ln -s / .git/modules/a/b', path: '.git/modules/a/b' },
  { does: 'mkdir .git/worktrees; ln -s / .git/worktrees/a', path: '.git/worktrees/a' },
  { does: 'echo x > .git/worktrees', path: '.git/worktrees' },
  { does: 'mkfifo .git/modules', path: '.git/modules' },
  { does: 'mkdir .git/modules; mkdir .git/modules/$(printf "\\377")', path: '.git/modules/\ufffd' },
  { does: 'mkdir .git/worktrees; mkdir .git/worktrees/$(printf "\\377")', path: '.git/worktrees/\ufffd' },
  { does: 'mkdir .git/worktrees; cd .git/worktrees; seq 201 | xargs mkdir', path: '.git/worktrees' },
  { does: 'mkdir .git/modules; cd .git/modules; mkdir -p $(seq -s / 201)', path: '.git/modules/1/2/3/4' },
  { does: 'mkdir -p .git/modules/m; chmod 0 .git/modules/m', path: '.git/modules/m' },
  { does: 'mkdir .git/worktrees; chmod 0 .git/worktrees', path: '.git/worktrees' },
  { does: 'chmod 0 .git', path: '.git/worktrees' },
  { does: 'chmod 0 .', path: '.git' },
  { does: 'mv .git main; mkfifo main/commondir; echo gitdir: main > .git', path: 'main/commondir' },
  { does: 'mv .git main; mkfifo main/config; echo gitdir: main > .git', path: 'main/config' },
  { does: 'mv .git main; ln -s /dev/zero main/commondir; echo gitdir: main > .git', path: 'main/commondir' },
  { does: 'mv .git main; mkdir main/commondir; echo gitdir: main > .git', path: 'main/commondir' },
  { does: 'rm -r .git; head -c 300000 /dev/zero > .git', path: '.git' },
  { does: 'rm -r .git; touch .git; chmod 0 .git', path: '.git' },
]

test.each(unusual)('a launch is refused after `$does`', ({ does, path }) => {
  const owner = process.getuid?.() === 0 ? { uid: 54321, gid: 54321 } : undefined
  makeRepository('project/.git')
  const project = join(folder, 'project')
  expect(spawnSync('sh', ['-c', does], { cwd: project }).stderr.toString()).toBe('')
  if (owner) spawnSync('chown', ['-hR', `${owner.uid}:${owner.gid}`, folder])
  const protecting = () => actAs(owner, () => protectGit(project))
  expect(protecting).toThrow(SandboxRefusal)
  expect(protecting).toThrow(`${join(project, path)}`)
  spawnSync('chmod', ['-R', 'u+rwX', project])
})

test('a `.git` file that leads nowhere protects only itself', () => {
  for (const place of ['/nowhere', '/dev', '/proc/self/fd', '/etc/passwd', '\\0', 'x'.repeat(5000)]) {
    write('project/.git', `gitdir: ${place}\n`)
    expect(protection('project')).toEqual(onlyItself)
  }
})
