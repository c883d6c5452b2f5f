import { describe, expect, it } from 'vitest'
import { differences } from '../../src/cli/describe-files.ts'
import type { FileOutcome } from '../../src/install/install.ts'

function outcome(before: string, after: string): FileOutcome {
  return { shown: 'config.toml', before, after, changes: [], takenOver: [], readWhen: [] }
}

describe('A difference', () => {
  it('is shown in time for texts that have little in common, from the first line that differs to the last', async () => {
    const lines = (word: string) => Array.from({ length: 30_000 }, (_, index) => `${word} ${index}`)
    const text = (word: string) => ['first', ...lines(word), 'last', ''].join('\n')
    const patch = await differences(outcome(text('old'), text('new')), false)
    const expected = [...lines('old').map((line) => `-${line}`), ...lines('new').map((line) => `+${line}`)]
    expect(patch.split('\n')).toEqual([
      '--- config.toml',
      '+++ config.toml',
      '@@ -2,30000 +2,30000 @@',
      ...expected,
      '',
    ])
  })

  it('covers a private key on all its lines', async () => {
    const body = ['MIIEowIBAAKCAQEA7bq', 'Zx0q9kTf2m']
    const pem = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----']
    const before = ["key = '''", ...pem, "'''", ''].join('\n')
    const patch = await differences(outcome(before, `${before}[mine]\n`), false)
    for (const line of body) expect(patch).not.toContain(line)
    expect(patch).toContain('+[mine]')
  })
})
