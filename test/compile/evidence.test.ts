import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  findEvidenceFaults,
  renderEvidenceJson,
  renderEvidenceMarkdown,
  renderEvidenceText,
} from '../../src/compile/evidence.ts'
import { features } from '../../src/compile/feature.ts'
import {
  type Evidence,
  inapplicable,
  native,
  type Support,
  type Target,
  unsupported,
} from '../../src/compile/target.ts'
import { targets } from '../../targets/index.ts'
import { targetWith } from './support.ts'

const files: Readonly<Record<string, string>> = {
  'test/a.test.ts': "test('does it', () => {})\nit.each(rows)(`does it for ${each}`, () => {})",
  'docs/targets/probe.md': '# Test\n\n## Servers\n\nThe heading Login is none.\n',
}
const read = (file: string) => files[file]

const refused = unsupported('it cannot', 'do without')

/** A target of which every cell is alike; one that is refused may rest on a fact. */
function withEvidence(
  evidence: Evidence | { standalone: Evidence; launch: Evidence },
  support: Support = refused,
): Target {
  const everywhere = <Cell>(cell: Cell) => Object.fromEntries(features.map((feature) => [feature, cell]))
  return {
    ...targetWith(),
    supports: everywhere(support) as Target['supports'],
    evidence: everywhere(evidence) as NonNullable<Target['evidence']>,
  }
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

  test.each<[Support, 'a test' | 'a test or a fact']>([
    [native, 'a test'],
    [{ kind: 'conditional', condition: 'sometimes', refuse: () => undefined }, 'a test'],
    [refused, 'a test or a fact'],
    [inapplicable('nothing starts'), 'a test or a fact'],
  ])('of $0.kind is $1', (support, wanted) => {
    const faultsOf = (evidence: Evidence) => findEvidenceFaults([withEvidence(evidence, support)], read)
    expect(faultsOf({ test: ['a.test.ts', 'does it'] })).toEqual([])
    const faults = faultsOf({ fact: 'Servers' })
    expect(faults).toHaveLength(wanted === 'a test' ? features.length * 2 : 0)
    if (wanted === 'a test') {
      expect(faults[0]).toBe(`probe, stdio, standalone: is ${support.kind}, but names a fact and no test`)
    }
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

  test('is shown as Markdown: one table for each target, in which a title stands as it is', () => {
    const target = withEvidence({ test: ['a.test.ts', 'does a_b for `x` | *${each}*'] })
    const lines = renderEvidenceMarkdown([target]).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      '## Probe',
      '',
      '| feature | context | support | rests on |',
      '| --- | --- | --- | --- |',
    ])
    expect(lines[4]).toBe(
      String.raw`| a stdio server | files | unsupported | test/a.test.ts, "does a\_b for \`x\` \| \*\${each}\*" |`,
    )
    expect(lines.filter((line) => line.startsWith('| '))).toHaveLength(features.length * 2 + 2)
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
