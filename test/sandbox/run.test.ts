import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { send } from '../../src/sandbox/processes.ts'
import type { LauncherRequest } from './rig/launcher.ts'
import { Rig } from './rig/rig.ts'

const rig = new Rig()
afterAll(() => rig.remove())

const sandboxes = ['bubblewrap', 'none'] as const

const endings: readonly (readonly [string, readonly string[], number])[] = [
  ['ends with 0', ['true'], 0],
  ['ends with 7', ['sh', '-c', 'exit 7'], 7],
  ['ends with 125, which is Bridle’s own for refusals', ['sh', '-c', 'exit 125'], 125],
  ['is ended by SIGSEGV', ['sh', '-c', 'kill -SEGV $$'], 139],
  ['is ended by SIGKILL', ['sh', '-c', 'kill -KILL $$'], 137],
  ['does not exist', ['/nowhere/harness'], 127],
  ['is not on the PATH', ['no-such-harness'], 127],
  ['is not executable', ['/etc/passwd'], 126],
]

/** Says READY, then waits; with a trap or without. */
const trapping = (signal: string) => `trap 'exit 42' ${signal}; echo READY; while :; do sleep 0.05; done`
const waiting = 'echo READY; while :; do sleep 0.05; done'

const signals: readonly (readonly [NodeJS.Signals, string, string, number])[] = [
  ['SIGTERM', 'trapped', trapping('TERM'), 42],
  ['SIGINT', 'trapped', trapping('INT'), 42],
  ['SIGHUP', 'trapped', trapping('HUP'), 42],
  ['SIGTERM', 'not trapped', waiting, 143],
  ['SIGINT', 'not trapped', waiting, 130],
  ['SIGHUP', 'not trapped', waiting, 129],
]

describe.each(sandboxes)('with the sandbox %s', (sandbox) => {
  const request = (argv: readonly string[]): LauncherRequest => ({
    sandbox,
    argv,
    project: rig.makeProject(),
  })

  test.each(endings)('a command that %s gives its status', async (_, argv, status) => {
    expect((await rig.launch(request(argv))).status).toBe(status)
  })

  test.each(signals)('%s to the launcher reaches the command: %s', async (signal, _, script, status) => {
    const launcher = rig.start(request(['sh', '-c', script]))
    await launcher.printed('READY')
    await launcher.kill(signal)
    expect((await launcher.outcome).status).toBe(status)
  })

  test('a signal that comes before the command is delivered to it', async () => {
    const outcome = await rig.launch({ ...request(['sleep', '20']), signalAtOnce: 'SIGTERM' })
    expect(outcome.status).toBe(143)
  })

  test('standard output and error of the command are the launcher’s, and nothing is added', async () => {
    const outcome = await rig.launch(request(['sh', '-c', 'echo out; echo err >&2']))
    expect(outcome).toEqual({ status: 0, stdout: 'out\n', stderr: 'err\n' })
  })

  test('what the command leaves running is ended with it', async () => {
    const marker = uniqueSeconds()
    await rig.launch(request(['sh', '-c', `sleep ${marker} > /dev/null 2>&1 & exit 0`]))
    expect(await vanish(marker)).toEqual([])
  })
})

describe('a launcher killed by SIGKILL', () => {
  const tree = (marker: string) => [
    'sh',
    '-c',
    `setsid sleep ${marker} & sleep ${marker} & echo READY; sleep ${marker}`,
  ]

  test('leaves no process of the sandbox', async () => {
    const marker = uniqueSeconds()
    const launcher = rig.start({ argv: tree(marker), project: rig.makeProject() })
    await launcher.printed('READY')
    expect(processesWith(marker).length).toBeGreaterThan(2)
    await launcher.kill('SIGKILL')
    expect(await vanish(marker)).toEqual([])
  })

  test('leaves none either when it is killed while the sandbox starts', async () => {
    for (let delayMs = 0; delayMs < 120; delayMs += 6) {
      const marker = uniqueSeconds()
      const launcher = rig.start({ argv: tree(marker), project: rig.makeProject() })
      await setTimeout(delayMs)
      await launcher.kill('SIGKILL')
      expect([delayMs, await vanish(marker)]).toEqual([delayMs, []])
    }
  })

  test('leaves processes where the sandbox is not bound to it', async () => {
    const marker = uniqueSeconds()
    const launcher = rig.start({
      argv: tree(marker),
      project: rig.makeProject(),
      without: 'dies with its parent',
    })
    await launcher.printed('READY')
    await launcher.kill('SIGKILL')
    await setTimeout(500) // with the guard they are gone after some 20 ms
    expect(processesWith(marker).length).toBeGreaterThan(2)
    for (const id of processesWith(marker)) send(id, 'SIGKILL')
    expect(await vanish(marker)).toEqual([])
  })

  test('leaves placeholders in the project, which the next launch removes', async () => {
    const project = rig.makeProject()
    const before = listing(project)
    const confinement = { protectedPaths: ['bridle.yaml', '.vscode/mcp.json'] }
    const launcher = rig.start({ argv: ['sh', '-c', waiting], project, confinement })
    await launcher.printed('READY')
    await launcher.kill('SIGKILL')
    expect(listing(project)).toEqual([...before, '.vscode', 'bridle.yaml'].sort())
    const next = await rig.launch({ argv: ['sh', '-c', 'echo evil > bridle.yaml'], project, confinement })
    expect(next.status).not.toBe(0)
    expect(listing(project)).toEqual(before)
  })
})

describe('kill -9 0 by the command', () => {
  const request = () => ({ argv: ['perl', '-e', 'kill 9, 0; sleep 20'], project: rig.makeProject() })

  test('ends the command only', async () => {
    expect(await rig.launch(request())).toEqual({ status: 137, stdout: '', stderr: '' })
  })

  test('ends the launcher, too, where the sandbox has no session of its own', async () => {
    const launcher = rig.start({ ...request(), without: 'session of its own' })
    expect((await launcher.outcome).status).toBe(137)
  })
})

describe('two sandboxes over one project', () => {
  const attempt = `for place in bridle.yaml .vscode/mcp.json; do
    (mkdir -p "$(dirname $place)" && echo evil > $place && echo "CREATED $place") 2> /dev/null; done; echo DONE`

  test('the first that ends does not take a mask from the other', async () => {
    const project = rig.makeProject()
    const confinement = { protectedPaths: ['bridle.yaml'] }
    const script =
      'echo READY; while [ ! -e go ]; do sleep 0.02; done; echo evil > bridle.yaml || echo REFUSED'
    const second = rig.start({ argv: ['sh', '-c', script], project, confinement })
    await second.printed('READY')
    await rig.launch({ argv: ['true'], project, confinement })
    expect(existsSync(join(project, 'bridle.yaml'))).toBe(true)
    writeFileSync(join(project, 'go'), '')
    expect((await second.outcome).stdout).toContain('REFUSED')
    expect(existsSync(join(project, 'bridle.yaml'))).toBe(false)
  })

  test('not even when it ends after the other has planned its mounts and before it has made them', async () => {
    const project = rig.makeProject()
    const confinement = { protectedPaths: ['bridle.yaml', '.vscode/mcp.json'] }
    const first = rig.start({
      argv: ['sh', '-c', 'echo READY; while [ ! -e go ]; do sleep 0.02; done'],
      project,
      confinement,
    })
    await first.printed('READY')
    const second = await rig.launch({
      argv: ['sh', '-c', attempt],
      project,
      confinement,
      inBetween: `touch go; while [ -e /proc/${first.id} ]; do sleep 0.02; done`,
    })
    expect(second.stdout).toBe('DONE\n')
    expect((await first.outcome).status).toBe(0)
    expect(listing(project)).toEqual(['.claude', '.git', '.mcp.json', 'go'])
  })

  test('nor at any other moment', async () => {
    const project = rig.makeProject()
    const confinement = { protectedPaths: ['bridle.yaml', '.vscode/mcp.json'] }
    for (let delayMs = 0; delayMs < 60; delayMs++) {
      const first = rig.start({ argv: ['true'], project, confinement })
      await setTimeout(delayMs)
      const second = rig.start({ argv: ['sh', '-c', attempt], project, confinement })
      const outcomes = await Promise.all([first.outcome, second.outcome])
      expect([delayMs, ...outcomes.map(({ stdout }) => stdout)]).toEqual([delayMs, '', 'DONE\n'])
    }
    expect(listing(project)).toEqual(['.claude', '.git', '.mcp.json'])
  })
})

describe('a secret in the environment', () => {
  const canary = 'canary-5f1c2e'

  test('reaches the command, and stands in no other process and in no argv', async () => {
    const request = {
      argv: ['sh', '-c', 'echo "$SECRET"; echo READY; sleep 20'],
      project: rig.makeProject(),
      environment: { SECRET: canary },
    }
    const launcher = rig.start(request)
    await launcher.printed(`${canary}\nREADY\n`)
    const holders = processIds().filter((id) => readIfThere(`/proc/${id}/environ`).includes(canary))
    expect(holders.map((id) => readIfThere(`/proc/${id}/comm`)).sort()).toEqual(['sh\n', 'sleep\n'])
    expect(processIds().filter((id) => readIfThere(`/proc/${id}/cmdline`).includes(canary))).toEqual([])
    expect(spawnSync('grep', ['-rl', canary, request.project]).stdout.toString()).toBe('')
    await launcher.kill('SIGTERM')
    await launcher.outcome
  })
})

describe.runIf(process.getuid?.() === 0)('root, in the project of another user', () => {
  const owner = { uid: 54321, gid: 54321 }

  test('starts the sandbox as the owner: files get it as theirs, and no group of root’s remains', async () => {
    const project = rig.makeProject(owner)
    const script = 'echo mine > file && grep "^Groups" /proc/self/status && ls -a'
    const confinement = { protectedPaths: ['bridle.yaml'] }
    const { status, stdout } = await rig.launch({ argv: ['sh', '-c', script], project, confinement })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Groups:\s*\n/)
    expect(stdout).toContain('bridle.yaml')
    expect(statSync(join(project, 'file')).uid).toBe(owner.uid)
    expect(existsSync(join(project, 'bridle.yaml'))).toBe(false)
  })

  test('shares placeholders with the owner, whoever ends first', async () => {
    const project = rig.makeProject(owner)
    const confinement = { protectedPaths: ['bridle.yaml'] }
    const starters = [{}, { identity: owner }]
    for (const [index, options] of starters.entries()) {
      const first = rig.start({ argv: ['sh', '-c', waiting], project, confinement }, options)
      await first.printed('READY')
      const script = `echo READY; while [ ! -e go-${index} ]; do sleep 0.02; done; mkdir bridle.yaml || rm -r bridle.yaml || echo REFUSED`
      const second = rig.start({ argv: ['sh', '-c', script], project, confinement }, starters[1 - index])
      await second.printed('READY')
      await first.kill('SIGTERM')
      await first.outcome
      writeFileSync(join(project, `go-${index}`), '')
      expect((await second.outcome).stdout).toBe('READY\nREFUSED\n')
      expect(existsSync(join(project, 'bridle.yaml'))).toBe(false)
    }
  })

  test('has its placeholders, if it is killed, removed by the next launch of the owner', async () => {
    const project = rig.makeProject(owner)
    const confinement = { protectedPaths: ['bridle.yaml'] }
    const launcher = rig.start({ argv: ['sh', '-c', waiting], project, confinement })
    await launcher.printed('READY')
    await launcher.kill('SIGKILL')
    expect(existsSync(join(project, 'bridle.yaml'))).toBe(true)
    expect((await rig.launch({ argv: ['true'], project, confinement }, { identity: owner })).status).toBe(0)
    expect(existsSync(join(project, 'bridle.yaml'))).toBe(false)
  })

  test('does not stand in for a third user, who relies on nothing that others may take away', async () => {
    const project = rig.makeProject(owner)
    chmodSync(project, 0o777)
    const confinement = { protectedPaths: ['bridle.yaml'] }
    const first = rig.start({ argv: ['sh', '-c', waiting], project, confinement }, { identity: owner })
    await first.printed('READY')
    const third = { identity: { uid: 54322, gid: 54322 } }
    const { status, stderr } = await rig.launch({ argv: ['true'], project, confinement }, third)
    expect([status, stderr]).toEqual([125, expect.stringMatching(/^BRIDLE603: .*launch of another user/)])
    await first.kill('SIGTERM')
    await first.outcome
    expect((await rig.launch({ argv: ['true'], project, confinement }, third)).status).toBe(0)
  })
})

/** A number of seconds by which a `sleep` is found again in the table of processes. */
function uniqueSeconds(): string {
  return `${600 + Math.floor(Math.random() * 1000)}.${Math.floor(Math.random() * 1e9)}`
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function processesWith(argument: string): number[] {
  return processIds().filter((id) => readIfThere(`/proc/${id}/cmdline`).includes(argument))
}

/** Gives the processes that are left after a generous while. */
async function vanish(argument: string): Promise<number[]> {
  for (let attempt = 0; attempt < 500 && processesWith(argument).length > 0; attempt++) await setTimeout(20)
  return processesWith(argument)
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listing(folder: string): string[] {
  return readdirSync(folder).sort()
}
