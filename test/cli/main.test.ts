import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { describeFailure } from '../../src/cli/failure.ts'
import { command, finish, Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = new Workplace()
  place.writeSpec()
})
afterAll(() => place.remove())

const commands = ['check', 'build', 'run', 'targets', 'tools', 'call', 'init', 'explain']

describe('bridle', () => {
  it('names every command in its help', async () => {
    const { status, stdout } = await place.run(['--help'])
    expect(status).toBe(0)
    expect([...stdout.matchAll(/^ {2}(\w+).* {2}\w/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(commands),
    )
  })

  it.each(commands)('%s has a help of its own', async (name) => {
    const { status, stdout, stderr } = await place.run([name, '--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: bridle ${name} `))
  })

  it.each(['tools', 'call'])('%s says that it runs commands without a sandbox', async (name) => {
    const { stdout } = await place.run([name, '--help'])
    expect(stdout).toMatch(/without a sandbox: use it only in projects that you trust/)
  })

  it('tells its version', async () => {
    expect(await place.run(['--version'])).toEqual({
      status: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    })
  })

  const mistakes: { args: string[]; status: number; stderr: RegExp }[] = [
    { args: [], status: 2, stderr: /^Usage: bridle/ },
    { args: ['chek'], status: 2, stderr: /unknown command 'chek'\n\(Did you mean check\?\)/ },
    {
      args: ['check', '--fro', 'run'],
      status: 2,
      stderr: /unknown option '--fro'\n\(Did you mean --for\?\)\n\(see `bridle check --help`\)/,
    },
    { args: ['check', '--for', 'fun'], status: 2, stderr: /choices are build, run/ },
    { args: ['check', '--format', 'xml'], status: 2, stderr: /choices are terminal, json/ },
    { args: ['check', '--config'], status: 2, stderr: /argument missing/ },
    { args: ['check', '--config', 'a', '--user'], status: 2, stderr: /cannot be used with/ },
    { args: ['explain'], status: 2, stderr: /missing required argument 'code'/ },
    { args: ['init', 'here'], status: 2, stderr: /too many arguments/ },
    { args: ['call', 'server'], status: 2, stderr: /missing required argument 'tool'/ },
  ]
  it.each(mistakes)('ends with $status for $args', async ({ args, status, stderr }) => {
    const result = await place.run(args)
    expect({ status: result.status, stdout: result.stdout }).toEqual({ status, stdout: '' })
    expect(result.stderr).toMatch(stderr)
  })

  it('is silent when the reader of its output goes away', async () => {
    const child = spawn('/bin/sh', [
      '-c',
      `'${process.execPath}' '${command}' targets --format json | head -c 1`,
    ])
    expect(await finish(child)).toEqual({ status: 0, stdout: '[', stderr: '' })
  })

  it('lets a harness go on although nobody reads what Bridle says of it', async () => {
    const harness = place.harness('sleep 0.2; exit 7')
    const child = place.start(['run', 'claude', '--harness', harness, '--', '-p', 'x'])
    child.stderr?.destroy()
    const [status] = await once(child, 'close')
    expect(status).toBe(7)
  })

  it('says so when its output cannot be written', async () => {
    const child = spawn(process.execPath, [command, 'targets'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    const { status, stderr } = await finish(child)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^bridle: the output cannot be written: ENOSPC.*\n$/)
  })

  it.each([
    ['check', 1],
    ['run', 125],
  ] as const)('%s says so when the working directory was removed', async (name, status) => {
    const folder = place.makeFolder('removed')
    const program = ['/bin/sh', '-c', 'rmdir "$0" && exec "$@"', folder, process.execPath, command]
    expect(await place.run([name, 'claude'], { program, workingDirectory: folder })).toEqual({
      status,
      stdout: '',
      stderr: 'bridle: the working directory does not exist any more\n',
    })
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([{ HOME: undefined }, { HOME: '' }, { HOME: '/nowhere' }])('works with %o', async (environment) => {
    expect(await place.run(['check'], { environment })).toMatchObject({ status: 0 })
    const identity = process.getuid?.() === 0 ? { identity: { uid: 54_321, gid: 54_321 } } : {}
    expect(await place.run(['targets'], { environment, ...identity })).toMatchObject({ status: 0 })
  })

  it.each([
    { environment: {}, isColored: false },
    { environment: { FORCE_COLOR: '1' }, isColored: false },
  ])('writes no colours to a pipe, with $environment', async ({ environment, isColored }) => {
    const { stderr } = await place.run(['build', '--config', 'no.yaml', '--print'], { environment })
    expect(stderr.includes('\u001b')).toBe(isColored)
  })

  it.each([
    { variable: 'TERM=xterm', isColored: true },
    { variable: 'NO_COLOR=1', isColored: false },
    { variable: 'NO_COLOR=', isColored: true },
    { variable: 'TERM=dumb', isColored: false },
  ])('writes colours to a terminal: $isColored with $variable', async ({ variable, isColored }) => {
    const line = `TERM=xterm env ${variable} '${process.execPath}' '${command}' check --config no.yaml`
    const { stdout } = await place.run(['-qec', line, '/dev/null'], {
      program: ['script'],
      environment: { SHELL: '/bin/sh' },
    })
    expect(stdout).toContain('BRIDLE101')
    expect(stdout.includes('\u001b')).toBe(isColored)
  })
})

describe('a fault of its own', () => {
  it('is one sentence and no stack trace', () => {
    const error = new Error('the reason')
    expect(describeFailure(error)).toBe(
      'internal fault: the reason\nThis should not happen: please report it.',
    )
    expect(describeFailure('text')).toContain('internal fault: text')
  })
})
