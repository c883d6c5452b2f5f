import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../src/compile/support.ts'
import type { LiteralField } from '../../../src/compile/target.ts'
import { targets } from '../../../targets/index.ts'
import { kimi } from '../../../targets/kimi/target.ts'
import { nastyHeaders } from '../../harnesses/support/nasty.ts'
import { stdio } from '../../support/servers.ts'

describe('a literal', () => {
  const refused: readonly [string, LiteralField][] = [
    ['a\0b', 'argument'],
    ['\ud800', 'environment'],
    ['a\nb', 'header'],
    ['a\u007fb', 'header'],
    [' a', 'header'],
    ['a\t', 'header'],
  ]
  it.each(refused)('%j cannot arrive as %s', (text, field) => {
    expect(kimi.literals.refuse(text, field)).toBeDefined()
  })

  const accepted: readonly [string, LiteralField][] = [
    ['a\nb\u0001 $HOME ${HOME} \\', 'argument'],
    [' ', 'environment'],
    ['a\tb é漢😀', 'header'],
    ['à\u00a0', 'header'],
    ['', 'header'],
  ]
  it.each(accepted)('%j can arrive as %s', (text, field) => {
    expect(kimi.literals.refuse(text, field)).toBeUndefined()
  })

  it('is written as it is, but for headers, which are sent as one byte a character', () => {
    const other = fc.constantFrom<LiteralField>(
      'command',
      'argument',
      'environment',
      'workingDirectory',
      'url',
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), other, (text, field) => {
        expect(kimi.literals.encode(text, field)).toBe(text)
      }),
    )
    fc.assert(
      fc.property(nastyHeaders, (texts) => {
        for (const text of texts) {
          const encoded = kimi.literals.encode(text, 'header')
          expect(encoded).toMatch(/^[\t\x20-\xff]*$/)
          expect(Buffer.from(encoded, 'latin1').toString('utf8')).toBe(text)
          expect(kimi.secrets.encodeValue(text, 'header')).toBe(encoded)
        }
      }),
      { numRuns: 5 },
    )
  })
})

it('a secret that no header can carry is refused, and not shown', () => {
  for (const value of ['canary\n', ' canary', 'canary\t', 'can\u0000ary']) {
    const refusal = kimi.secrets.refuseValue(value, 'header')
    expect(refusal).toBeDefined()
    expect(JSON.stringify(refusal)).not.toContain('canary')
  }
  expect(kimi.secrets.refuseValue('a\n b', 'environment')).toBeUndefined()
})

it('a variable of a proxy is refused in the environment of a server, with its name', () => {
  const judge = (environment: Record<string, string>) => {
    const use = { feature: 'environment' as const, server: stdio({ environment }), path: [] }
    return refusalOf(kimi, use, [use], 'launch')?.reason
  }
  expect(judge({ NO_PROXY: 'a', LEVEL: 'warn' })).toContain('`NO_PROXY`')
  expect(judge({ NO_PROXY_X: 'a', PATH: '/bin' })).toBeUndefined()
})

describe('a launch', () => {
  const plan = kimi.launch.plan({ arguments: ['-p', 'hello'], stateFolder: '/state', servers: [] })

  it('hands the arguments on and says the rest in the environment', () => {
    expect(plan).toEqual({
      arguments: ['-p', 'hello'],
      environment: {
        KIMI_CODE_HOME: '/state',
        KIMI_DISABLE_TELEMETRY: '1',
        KIMI_CODE_NO_AUTO_UPDATE: '1',
        KIMI_LOG_LEVEL: 'info',
      },
    })
  })

  it('keeps the keys of Kimi Code from its servers', () => {
    const keys = kimi.launch.accountNames.filter((name) => /KEY|TOKEN|HEADERS/.test(name))
    expect(kimi.launch.credentialNames).toEqual(expect.arrayContaining(keys))
  })

  it('protects what Kimi Code reads in a project', () => {
    const read = [...kimi.files.map(({ project }) => project?.path ?? ''), ...kimi.alsoReads]
    for (const file of read) {
      expect(kimi.projectFiles.some((name) => file === name || file.startsWith(`${name}/`))).toBe(true)
    }
  })

  it.each([
    ['kimi, version 1.24.0', true],
    ['2.1.0', false],
    ['kimi version 2.1.0', false],
  ])('tells the older program from it by its answer: %s', (answer, isOther) => {
    expect(kimi.launch.namesake?.answer.test(answer)).toBe(isOther)
  })
})

it('is one of the targets', () => {
  expect(targets).toContain(kimi)
})
