import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { isShellName, wrapServer } from '../../src/compile/wrapper.ts'
import type { McpStdioServer } from '../../src/spec/spec.ts'
import { stdio } from '../support/servers.ts'

/** Prints its arguments, environment and folder. */
const dump =
  'process.stdout.write(JSON.stringify({argv: process.argv.slice(1), env: process.env, cwd: process.cwd()}))'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bridle wrapper $HOME-')))
afterAll(() => rmSync(folder, { recursive: true }))

const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((each) => each.toWellFormed().replaceAll('\0', ''))
const awkward = [
  '',
  ' ',
  '-n',
  '$HOME',
  '${HOME}',
  '`id`',
  '$(id)',
  '"; $(id) ${HOME}',
  "'",
  '\\',
  'a\nb\n',
  '*',
  '$0',
]

describe('wrapServer', () => {
  it.each(['sh', 'bash'])('hands arguments and values on byte for byte through %s', (shell) => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), text, (args, value) => {
        const received = start(
          serverWith({ arguments: ['-e', dump, '--', ...args, ...awkward] }),
          { BRIDLE_V1: value },
          shell,
        )
        expect(received.argv).toEqual([...args, ...awkward])
        expect(received.env['API_KEY']).toBe(value)
      }),
      { numRuns: 25 },
    )
  })

  it('takes away every injected name and every credential that is not the server’s own', () => {
    const given = { BRIDLE_V1: 'own', BRIDLE_V2: 'other', ANTHROPIC_API_KEY: 'harness', LOG: 'kept' }
    const { env } = start(serverWith({}), given)
    expect(env).toMatchObject({ API_KEY: 'own', LOG: 'kept' })
    expect(Object.values(env)).not.toContain('other')
    expect(Object.values(env)).not.toContain('harness')
    expect(Object.keys(env).filter((name) => name.startsWith('BRIDLE'))).toEqual([])
  })

  it('leaves a server the credential that it declares itself', () => {
    const server = serverWith({ variables: { ANTHROPIC_API_KEY: 'BRIDLE_V1' } })
    expect(start(server, { BRIDLE_V1: 'own', ANTHROPIC_API_KEY: 'harness' }).env['ANTHROPIC_API_KEY']).toBe(
      'own',
    )
    const literal = serverWith({ environment: { ANTHROPIC_API_KEY: 'literal' } })
    expect(start(literal, { ANTHROPIC_API_KEY: 'literal' }).env['ANTHROPIC_API_KEY']).toBe('literal')
  })

  it('changes to the working directory, whatever its name holds', () => {
    expect(start(serverWith({ workingDirectory: folder }), {}).cwd).toBe(folder)
  })

  it('does not start the server in another folder when its own is missing', () => {
    const { command, arguments: args } = wrapServer(serverWith({ workingDirectory: '/no/such/folder' }), [])
    expect(spawnSync(command, args).status).toBe(126)
  })

  it('holds names only: the text is the same whatever the values are', () => {
    expect(wrapServer(serverWith({}), ['BRIDLE_V1', 'BRIDLE_V2']).arguments[1]).toBe(
      'export API_KEY="$BRIDLE_V1"; unset BRIDLE_V1 BRIDLE_V2; exec "$0" "$@"',
    )
  })
})

describe('isShellName', () => {
  const suspects =
    'PPID UID EUID GROUPS SHELLOPTS BASHOPTS RANDOM SRANDOM SECONDS LINENO OPTIND OPTERR _ SHLVL IFS PWD OLDPWD PS1 PS2 PS4 BASH BASHPID BASH_VERSION BASH_COMMAND EPOCHSECONDS FUNCNAME HISTCMD POSIXLY_CORRECT HOME LANG CDPATH ENV BASH_ENV TERM COLUMNS NODE_ENV HTTP_PROXY'.split(
      ' ',
    )
  // Only a bash that root starts does not take PS4 from its environment.
  const isRoot = process.getuid?.() === 0

  it.each(suspects.filter((name) => isRoot || name !== 'PS4'))(
    'knows whether %s passes through the shells that stand behind `sh`',
    (name) => {
      const passes = ['sh', 'bash'].every(
        (shell) => passesAsLiteral(shell, name) && passesAsVariable(shell, name),
      )
      expect(isShellName(name)).toBe(!passes)
    },
  )
})

function passesAsLiteral(shell: string, name: string): boolean {
  return (
    received(serverWith({ variables: {}, environment: { [name]: '7x' } }), { [name]: '7x' }, shell)?.env[
      name
    ] === '7x'
  )
}

function passesAsVariable(shell: string, name: string): boolean {
  return (
    received(serverWith({ variables: { [name]: 'BRIDLE_V1' } }), { BRIDLE_V1: '7x' }, shell)?.env[name] ===
    '7x'
  )
}

function serverWith(rest: Partial<McpStdioServer>): McpStdioServer {
  const defaults = { command: process.execPath, arguments: ['-e', dump], variables: { API_KEY: 'BRIDLE_V1' } }
  return stdio({ ...defaults, ...rest })
}

interface Received {
  readonly argv: string[]
  readonly env: Record<string, string>
  readonly cwd: string
}

function start(server: McpStdioServer, environment: Record<string, string>, shell = 'sh'): Received {
  const wrapped = wrapServer(server, ['BRIDLE_V1', 'BRIDLE_V2', 'ANTHROPIC_API_KEY'])
  const options = {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...environment },
    argv0: 'sh',
    encoding: 'utf8' as const,
  }
  return JSON.parse(execFileSync(`/bin/${shell}`, wrapped.arguments, options)) as Received
}

function received(
  server: McpStdioServer,
  environment: Record<string, string>,
  shell: string,
): Received | undefined {
  try {
    return start(server, environment, shell)
  } catch {
    return undefined
  }
}
