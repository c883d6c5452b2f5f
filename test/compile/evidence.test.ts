import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findEvidenceFaults, renderEvidenceJson, renderEvidenceText } from '../../src/compile/evidence.ts'
import { features } from '../../src/compile/feature.ts'
import type { Evidence, Target } from '../../src/compile/target.ts'
import { targets } from '../../targets/index.ts'
import { targetWith } from './support.ts'

const files: Readonly<Record<string, string>> = {
  'test/a.test.ts': "test('does it', () => {})\nit.each(rows)(`does it for ${each}`, () => {})",
  'docs/targets/probe.md': '# Test\n\n## Servers\n\nThe heading Login is none.\n',
}
const read = (file: string) => files[file]

function withEvidence(evidence: Evidence | { standalone: Evidence; launch: Evidence }): Target {
  const all = Object.fromEntries(features.map((feature) => [feature, evidence]))
  return { ...targetWith(), evidence: all as NonNullable<Target['evidence']> }
}

describe('the evidence of a target', () => {
  test.each<[string, Evidence, string | undefined]>([
    ['a test', { test: ['a.test.ts', 'does it'] }, undefined],
    ['a test with a placeholder', { test: ['a.test.ts', 'does it for ${each}'] }, undefined],
    ['a heading', { fact: 'Servers' }, undefined],
    ['the beginning of a title', { test: ['a.test.ts', 'does'] }, 'has no test "does"'],
    ['a file that is not there', { test: ['b.test.ts', 'does it'] }, 'test/b.test.ts has no test'],
    ['a word that is no heading', { fact: 'Login' }, 'has no heading "Login"'],
  ])('may be what exists: %s', (_, evidence, fault) => {
    const faults = findEvidenceFaults([withEvidence(evidence)], read)
    expect(faults).toHaveLength(fault === undefined ? 0 : features.length * 2)
    if (fault !== undefined) expect(faults[0]).toContain(fault)
  })

  test('may differ between the contexts', () => {
    const target = withEvidence({ standalone: { fact: 'Servers' }, launch: { fact: 'Launch' } })
    const faults = findEvidenceFaults([target], read)
    expect(faults).toHaveLength(features.length)
    for (const fault of faults) expect(fault).toContain('launch')
  })

  test('must not be missing where the target is said to be proved', () => {
    const { evidence: _, ...bare } = targetWith()
    expect(findEvidenceFaults([{ ...bare, provedWith: '1.0.0' }], read)).toHaveLength(features.length * 2)
    const { provedWith: __, ...unproved } = bare
    expect(findEvidenceFaults([unproved], read)).toEqual([])
  })

  test('exists for every target', () => {
    const inRepository = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
    expect(findEvidenceFaults(targets, inRepository)).toEqual([])
  })

  test('is shown with its file, for people and for programs', () => {
    const target = withEvidence({
      standalone: { fact: 'Servers' },
      launch: { test: ['a.test.ts', 'does it'] },
    })
    const text = renderEvidenceText([target])
    expect(text).toContain(`docs/targets/${target.id}.md, "Servers"`)
    expect(text).toContain('test/a.test.ts, "does it"')
    const rows = JSON.parse(renderEvidenceJson([target]))
    expect(rows).toHaveLength(features.length * 2)
    expect(rows[0]).toMatchObject({ target: target.id, feature: 'stdio', context: 'standalone' })
    expect(rows[1].evidence).toEqual({ file: 'test/a.test.ts', test: 'does it' })
  })
})
