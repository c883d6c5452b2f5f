import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { initCommand, initScript } from '../../src/sandbox/init.ts'

/** Runs the init as bubblewrap would, its script on descriptor 0. */
function runInit(script: string, argv: readonly string[]) {
  const [shell = '', ...args] = initCommand(0, argv)
  return spawnSync(shell, args, { input: script, env: { PATH: '/usr/bin:/bin' }, timeout: 10_000 })
}

const nasty = [
  `'`,
  `'\\''`,
  '"',
  '$HOME',
  '${HOME}',
  '`id`',
  '$(id)',
  '\\',
  '\n',
  '\n\n',
  ' ',
  '*',
  '-n',
  '!',
  'é',
  '\u{1f600}',
  '\r',
]

const value = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
  fc.array(fc.constantFrom(...nasty)).map((parts) => parts.join('')),
)

describe('the environment that the init exports', () => {
  test('arrives byte for byte, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (values) => {
        const environment = Object.fromEntries(values.map((text, index) => [`VALUE_${index}`, text]))
        const printed = runInit(initScript(0, environment), ['env', '-0']).stdout.toString()
        const arrived = printed.split('\0').filter((entry) => entry.startsWith('VALUE_'))
        expect(arrived.sort()).toEqual(values.map((text, index) => `VALUE_${index}=${text}`).sort())
      }),
      { numRuns: 60 },
    )
  })

  test('may be as long as the kernel lets a value be', () => {
    const long = `'${'x'.repeat(131_000)}'`
    const { stdout } = runInit(initScript(0, { LONG: long }), ['sh', '-c', 'printf %s "$LONG"'])
    expect(stdout.toString()).toBe(long)
  })
})

describe('the command that the init becomes', () => {
  test('gets its arguments byte for byte', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        const { stdout } = runInit(initScript(0, {}), ['sh', '-c', 'printf "%s\\0" "$@"', 'sh', ...values])
        expect(stdout.toString()).toBe(
          values.length === 0 ? '\0' : values.map((text) => `${text}\0`).join(''),
        )
      }),
      { numRuns: 40 },
    )
  })

  test('is not started by a script that was cut off: the launcher died while it sent it', () => {
    const script = initScript(0, { SECRET: `it's\nlong` })
    for (let length = 0; length < script.lastIndexOf('}'); length++) {
      const { status, stdout } = runInit(script.slice(0, length), ['echo', 'STARTED'])
      expect([status === null, stdout.toString()]).toEqual([false, ''])
    }
    expect(runInit(script, ['echo', 'STARTED']).stdout.toString()).toBe('STARTED\n')
  })

  test('does not inherit the descriptor of the script, and leaves no core files', () => {
    const { stdout } = runInit(initScript(0, {}), [
      'sh',
      '-c',
      'ls /proc/self/fd/0 2>/dev/null; ulimit -c; ulimit -Hc',
    ])
    expect(stdout.toString()).toBe('0\n0\n')
  })

  test('is not found with 127, not executable with 126', () => {
    expect(runInit(initScript(0, {}), ['/nowhere/harness']).status).toBe(127)
    expect(runInit(initScript(0, {}), ['/etc/passwd']).status).toBe(126)
  })
})
