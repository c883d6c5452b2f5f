import { describe, expect, it } from 'vitest'
import { judge } from '../../src/compile/judge.ts'
import { native, type Support, type Target, unsupported } from '../../src/compile/target.ts'
import { specOf, targetWith } from './support.ts'

const spec = await specOf(`version: 1
servers: { one: { command: one, workingDirectory: sub, startupTimeoutMs: 5, tools: { exclude: [x] } } }
targets: { probe: {} }
`)
const no = unsupported('it cannot', 'do without')
const onlyLaunch: Cell = { standalone: no, launch: native }
const onlyStandalone: Cell = { standalone: native, launch: no }
type Cell = Target['supports'][keyof Target['supports']]

const cases: readonly [string, Partial<Target['supports']>, readonly [string, string][]][] = [
  ['nothing to say when both contexts honor the spec', {}, []],
  ['an error, once, where no context honors it', { workingDirectory: no }, [['error', 'BRIDLE301']]],
  ['a note where only a launch honors it', { workingDirectory: onlyLaunch }, [['note', 'BRIDLE302']]],
  ['a note where only files honor it', { workingDirectory: onlyStandalone }, [['note', 'BRIDLE309']]],
  [
    'errors where each context honors a part but none the whole',
    { workingDirectory: onlyLaunch, startupTimeoutMs: onlyStandalone },
    [
      ['error', 'BRIDLE301'],
      ['error', 'BRIDLE301'],
    ],
  ],
  [
    'an error and a note where one thing is impossible and the other needs a launch',
    { workingDirectory: onlyLaunch, startupTimeoutMs: no },
    [
      ['error', 'BRIDLE301'],
      ['note', 'BRIDLE302'],
    ],
  ],
]

describe('judge', () => {
  it.each(cases)('finds %s', (_, supports, expected) => {
    const diagnostics = judge(spec, targetWith({ supports: { ...targetWith().supports, ...supports } }))
    expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual(expected)
  })

  it('says first where it works', () => {
    const target = targetWith({ supports: { ...targetWith().supports, workingDirectory: onlyLaunch } })
    expect(judge(spec, target)[0]?.message).toBe(
      'only with `bridle run`: Probe cannot honor `workingDirectory`: it cannot',
    )
  })

  it('takes a condition that only one context refuses as that context’s', () => {
    const refused: Support = {
      kind: 'conditional',
      condition: 'never',
      refuse: () => ({ reason: 'r', help: 'h' }),
    }
    const target = targetWith({
      supports: { ...targetWith().supports, startupTimeoutMs: { standalone: refused, launch: native } },
    })
    expect(judge(spec, target)).toMatchObject([{ severity: 'note', code: 'BRIDLE302', help: 'h' }])
  })
})
