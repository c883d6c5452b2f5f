import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions, judgeVersion } from '../../src/launch/judge-version.ts'
import { builtin } from '../../targets/builtin/target.ts'
import { codex } from '../../targets/codex/target.ts'

describe('judging a version', () => {
  const proved = codex.provedWith ?? ''
  const oldest = codex.launch.oldestVersion ?? ''
  it.each([
    { version: proved, strict: true, found: [] },
    { version: oldest, strict: true, found: [] },
    { version: '0.0.1', strict: false, found: [{ code: 'BRIDLE606', severity: 'error' }] },
    { version: '999.0.0', strict: false, found: [{ code: 'BRIDLE607', severity: 'warning' }] },
    { version: '999.0.0', strict: true, found: [{ code: 'BRIDLE607', severity: 'error' }] },
    { version: undefined, strict: false, found: [{ code: 'BRIDLE611', severity: 'warning' }] },
    { version: undefined, strict: true, found: [{ code: 'BRIDLE611', severity: 'error' }] },
  ])('of Codex $version, strictly $strict, finds $found', ({ version, strict, found }) => {
    expect(judgeVersion(codex, { version, text: version ?? '' }, strict)).toMatchObject(found)
  })

  it("has nothing to say about Bridle's own harness", () => {
    expect(judgeVersion(builtin, { version: undefined, text: '' }, true)).toEqual([])
  })

  it('compares by number', () => {
    const part = fc.nat(300)
    const version = fc.tuple(part, part, part)
    fc.assert(
      fc.property(version, version, (one, other) => {
        const weigh = ([a, b, c]: readonly number[]) => ((a ?? 0) * 1000 + (b ?? 0)) * 1000 + (c ?? 0)
        expect(Math.sign(compareVersions(one.join('.'), other.join('.')))).toBe(
          Math.sign(weigh(one) - weigh(other)),
        )
      }),
    )
  })
})
