import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Confinement } from '../../src/sandbox/sandbox.ts'
import { Rig } from './rig/rig.ts'

const rig = new Rig()
afterAll(() => rig.remove())

/** Runs a shell script inside. */
async function inside(script: string, confinement: Partial<Confinement> = {}, project = rig.makeProject()) {
  return await rig.launch({ argv: ['sh', '-c', script], project, confinement })
}

describe('inside', () => {
  test('there is one identity, one host name, and no account of the host', async () => {
    const { stdout } = await inside(
      'id -un; id -u; hostname 2> /dev/null || uname -n; wc -l < /etc/passwd; echo $HOME',
    )
    expect(stdout).toBe('agent\n1000\nsandbox\n1\n/home/agent\n')
  })

  test('the project is at its own path and can be written', async () => {
    const project = rig.makeProject()
    const { stdout } = await inside('pwd; echo new > file', {}, project)
    expect(stdout).toBe(`${project}\n`)
    expect(readFileSync(join(project, 'file'), 'utf8')).toBe('new\n')
  })

  test('home, /tmp and /run are empty but for the state folder, and home and /tmp can be written', async () => {
    const { stdout } = await inside('ls -A ~ /run; touch ~/a /tmp/a /home/agent/.bridle/a && echo written')
    expect(stdout).toBe('/home/agent:\n.bridle\n\n/run:\nwritten\n')
  })

  test('every folder in memory has a bound of its own, far below half of the memory', async () => {
    const script = `perl -ane 'print "$F[1]\n" if $F[2] eq "tmpfs" and $F[3] =~ /^rw/ and $F[3] !~ /size=/' /proc/mounts`
    expect((await inside(script)).stdout).toBe('')
  })

  test('a folder in memory that is full takes no more', async () => {
    const { stdout } = await inside(
      'head -c 17000000 /dev/zero > /run/file 2> /dev/null || echo full; wc -c < /run/file',
    )
    expect(stdout).toBe('full\n16777216\n')
  })

  test('the root and the system cannot be written', async () => {
    const { stdout } = await inside(
      'for place in / /etc /usr /home /opt /dev; do touch $place/x 2> /dev/null && echo $place; done; :',
    )
    expect(stdout).toBe('')
  })

  test('nothing in /proc but the processes themselves opens for writing', async () => {
    const script = `find /proc -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o -path /proc/thread-self -prune -o -type f -print |
      perl -ne 'chomp; print "$_\\n" if open(F, "+<", $_)'`
    expect((await inside(script)).stdout).toBe('')
  })

  test('a file of ours is read-only, also by way of its folder, in a folder that can be written', async () => {
    const file = '/home/agent/.bridle/nested/config.json'
    const script = `cat ${file}; touch /home/agent/.bridle/nested/other && echo written
      for evil in 'echo evil > ${file}' 'rm -f ${file}' 'mv /home/agent/.bridle /home/agent/x' 'mv /home/agent/.bridle/nested /tmp/x'
      do sh -c "$evil" 2> /dev/null && echo "worked: $evil"; done; :`
    const { stdout } = await inside(script, { files: [{ path: file, text: '{}\n' }] })
    expect(stdout).toBe('{}\nwritten\n')
  })

  test('a lasting folder is at its other place, and what is written stays', async () => {
    const source = rig.makeFolder('cache')
    await inside('echo kept > ~/.cache/file', { writable: [{ source, destination: '/home/agent/.cache' }] })
    expect(readFileSync(join(source, 'file'), 'utf8')).toBe('kept\n')
  })

  test('a readable file or folder is there, and its neighbours are not', async () => {
    const folder = rig.makeFolder('tools')
    writeFileSync(join(folder, 'one'), 'one\n')
    writeFileSync(join(folder, 'two'), 'two\n')
    const { stdout } = await inside(`cat ${folder}/*`, { readable: [join(folder, 'one')] })
    expect(stdout).toBe('one\n')
  })

  test('no descriptor but the standard ones is open', async () => {
    const script = `perl -e 'for (3 .. 1000) { print "$_\\n" if open(F, "<&=", $_) }'`
    expect((await inside(script)).stdout).toBe('')
  })
})

describe('a launch is refused', () => {
  test('when something that must be readable is not there', async () => {
    const { status, stderr } = await inside('echo STARTED', { readable: ['/nowhere/tool'] })
    expect(status).toBe(125)
    expect(stderr).toMatch(/^BRIDLE602: \/nowhere\/tool cannot be shown to the sandbox/)
  })

  test('when the home folder would have to be readable', async () => {
    const { stderr } = await inside('echo STARTED', { readable: ['/'] })
    expect(stderr).toMatch(/^BRIDLE602: \/ cannot be shown to the sandbox: your whole home folder lies in it/)
  })

  test('when a protected path is a link, and the project stays as it was', async () => {
    const project = rig.makeProject()
    spawnSync('ln', ['-s', '/etc/passwd', join(project, 'bridle.yaml')])
    const { status, stdout, stderr } = await inside(
      'echo STARTED',
      { protectedPaths: ['.bridle', 'bridle.yaml'] },
      project,
    )
    expect([status, stdout]).toEqual([125, ''])
    expect(stderr).toMatch(/^BRIDLE603: .*bridle\.yaml is a symbolic link/)
    expect(spawnSync('ls', ['-A', project]).stdout.toString()).toBe('.claude\n.git\n.mcp.json\nbridle.yaml\n')
  })
})

const hasGit = spawnSync('git', ['--version']).status === 0

describe.runIf(hasGit)('git', () => {
  const git = (folder: string, ...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...args], { cwd: folder })
  const commit =
    'git -c user.name=n -c user.email=e@example.com commit --quiet --allow-empty -m inside && git log --format=%s'

  test('commits inside, in a repository and in a linked worktree, and cannot be configured', async () => {
    const main = rig.makeFolder('main')
    git(main, 'init', '--quiet')
    git(main, 'commit', '--quiet', '--allow-empty', '-m', 'first')
    const side = join(rig.makeFolder('worktrees'), 'side')
    git(main, 'worktree', 'add', '--quiet', side)
    for (const project of [main, side]) {
      const { stdout } = await inside(
        `${commit}; git config core.fsmonitor evil 2> /dev/null || echo refused`,
        {},
        project,
      )
      expect(stdout).toBe('inside\nfirst\nrefused\n')
    }
  })

  test('lives with the sparse checkouts and submodules that a project has, inside and outside', async () => {
    const library = rig.makeFolder('library')
    git(library, 'init', '--quiet')
    git(library, 'commit', '--quiet', '--allow-empty', '-m', 'library')
    const main = rig.makeFolder('main')
    git(main, 'init', '--quiet')
    git(main, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library')
    git(main, 'commit', '--quiet', '-m', 'first')
    git(main, 'config', 'extensions.worktreeConfig', 'true')
    const script =
      'git status --short && git -C library status --short && git submodule status > /dev/null && echo fine'
    for (const project of [main, join(main, 'library')]) {
      const there = project === main ? script : 'git status --short && echo fine'
      expect(await inside(there, {}, project)).toEqual({ status: 0, stdout: 'fine\n', stderr: '' })
    }
    expect(git(main, 'sparse-checkout', 'set', 'none').status).toBe(0)
    expect(git(main, 'status', '--short').stderr.toString()).toBe('')
  })

  test('inside cannot name a program that git outside would run', async () => {
    const main = rig.makeFolder('main')
    git(main, 'init', '--quiet')
    git(main, 'commit', '--quiet', '--allow-empty', '-m', 'first')
    git(main, 'config', 'extensions.worktreeConfig', 'true')
    const side = join(rig.makeFolder('worktrees'), 'side')
    git(main, 'worktree', 'add', '--quiet', side)
    const ran = join(rig.makeFolder('ran'), 'file')
    const configuration = `[core]\\n\\tfsmonitor = "touch ${ran}; false"\\n`
    const script = `for folder in ${main}/.git ${main}/.git/worktrees/side; do
      rmdir $folder/config.worktree; printf '${configuration}' > $folder/config.worktree; done; :`
    for (const project of [main, side]) {
      await inside(script, {}, project)
      for (const folder of [main, side]) git(folder, 'status')
      expect(existsSync(ran)).toBe(false)
    }
    spawnSync('sh', ['-c', script])
    git(side, 'status')
    expect(existsSync(ran)).toBe(true)
  })

  test('does not see the places that are held for absent files', async () => {
    const project = rig.makeFolder('repository')
    git(project, 'init', '--quiet')
    const protectedPaths = ['bridle.yaml', '.mcp.json', '.vscode/mcp.json']
    expect((await inside('ls -A; git status --short', { protectedPaths }, project)).stdout).toBe(
      '.git\n.mcp.json\n.vscode\nbridle.yaml\n',
    )
  })
})
