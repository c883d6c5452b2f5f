import { describe, expect, it } from 'vitest'
import { features } from '../../src/compile/feature.ts'
import {
  renderTargetsJson,
  renderTargetsMarkdown,
  renderTargetsOverview,
  renderTargetsText,
} from '../../src/compile/table.ts'
import { inapplicable, native, unsupported } from '../../src/compile/target.ts'
import { targetWith } from './support.ts'

const probe = targetWith({
  provedWith: '1.2.3',
  supports: {
    ...targetWith().supports,
    workingDirectory: { standalone: unsupported('it cannot', 'do without'), launch: native },
    'tools.include': unsupported('it cannot', 'do without'),
    required: { standalone: inapplicable('nothing starts'), launch: native },
    headers: { kind: 'conditional', condition: 'only short ones', refuse: () => undefined },
  },
})

describe('the table of targets', () => {
  it('has a row for every feature and a numbered reason for every cell that is not a plain yes', () => {
    const lines = renderTargetsMarkdown([probe]).trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual(['|  | Probe 1.2.3 |', '| --- | --- |'])
    expect(lines.filter((line) => line.startsWith('| '))).toHaveLength(features.length + 2)
    expect(lines).toContain('| `workingDirectory` | files refused [1], run yes |')
    expect(lines).toContain('| `headers` | partly [2] |')
    expect(lines).toContain('| `tools.include` | refused [1] |')
    expect(lines).toContain('| `required` | files – [3], run yes |')
    expect(lines.slice(-3)).toEqual([
      '1. Probe: it cannot; do without',
      '2. Probe: only short ones',
      '3. Probe: nothing starts',
    ])
  })

  it('has no reasons and no numbers as an overview', () => {
    const lines = renderTargetsOverview([probe]).trimEnd().split('\n')
    expect(lines).toHaveLength(features.length + 2)
    expect(lines).toContain('| `workingDirectory` | files refused, run yes |')
    expect(lines.join()).not.toMatch(/\[\d+\]|it cannot/)
  })

  it('says which target was never proved on its program, and judges it for files alone', () => {
    const { launch: _, ...unproved } = targetWith()
    const [header, , row] = renderTargetsMarkdown([unproved]).split('\n')
    expect([header, row]).toEqual(['|  | Probe (not proved) |', '| a stdio server | files yes |'])
    expect(JSON.parse(renderTargetsJson([unproved]))).toMatchObject([
      { id: 'probe', proved: false, features: { stdio: { standalone: { kind: 'native' } } } },
    ])
    expect(renderTargetsJson([probe, targetWith()])).not.toContain('"proved"')
  })

  it('says the same on a terminal, in columns', () => {
    const lines = renderTargetsText([probe]).split('\n')
    expect(lines[0]).toMatch(/^ +Probe 1\.2\.3$/)
    expect(lines).toContain('[2] Probe: only short ones')
    const column = lines[0]?.indexOf('Probe') ?? 0
    for (const line of lines.slice(1, features.length + 1)) expect(line[column - 1]).toBe(' ')
  })

  it('gives programs every cell with its reason', () => {
    const [row] = JSON.parse(renderTargetsJson([probe]))
    expect(Object.keys(row.features)).toEqual(features)
    expect(row.features.workingDirectory).toEqual({
      standalone: { kind: 'unsupported', reason: 'it cannot', help: 'do without' },
      launch: { kind: 'native' },
    })
    expect(row.features.headers.launch).toEqual({ kind: 'conditional', condition: 'only short ones' })
  })
})
