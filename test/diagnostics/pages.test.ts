import { describe, expect, it } from 'vitest'
import { compile } from '../../src/compile/compile.ts'
import { judge } from '../../src/compile/judge.ts'
import { type Code, codes, isCode } from '../../src/diagnostics/codes.ts'
import { pages, renderPage } from '../../src/diagnostics/pages/index.ts'
import { readSpec } from '../../src/spec/read.ts'
import { findTarget, targetIds } from '../../targets/index.ts'

const all = Object.keys(codes).filter(isCode)
const withSpecs = all.filter((code) => pages[code].kind === 'spec')

/** Every code that a spec gives: reading it and, with a target, what stands against it there. */
async function codesOf(text: string, target: string | undefined): Promise<Set<Code>> {
  const { spec, diagnostics } = await readSpec(text, { file: 'bridle.yaml', folder: '/project', targetIds })
  const chosen = target === undefined ? Object.keys(spec?.targets ?? {}) : [target]
  const judged = chosen.flatMap((id) => {
    const found = findTarget(id)
    if (spec === undefined || found === undefined) return []
    return [...judge(spec, found), ...compile(spec, found, 'standalone').diagnostics]
  })
  return new Set([...diagnostics, ...judged].map(({ code }) => code))
}

/** Without the wrapping. */
function words(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

describe('A page', () => {
  it.each(all)('%s is there, short, and ends with the way out', (code) => {
    const text = renderPage(code)
    expect(text).toContain(`${code}: ${codes[code]}\n`)
    expect(words(text)).toContain(words(pages[code].mend))
    expect(text.split('\n').length).toBeLessThan(40)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it.each(withSpecs)('%s has an example that gives the code, and a mend that does not', async (code) => {
    const { example, mend, target } = pages[code]
    expect(await codesOf(example, target)).toContain(code)
    expect(await codesOf(mend, undefined)).toEqual(new Set())
  })
})
