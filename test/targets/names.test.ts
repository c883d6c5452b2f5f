import { describe, expect, it } from 'vitest'
import { judge } from '../../src/compile/judge.ts'
import { readSpec } from '../../src/spec/read.ts'
import { type TargetId, targetIds, targets } from '../../targets/index.ts'

/** Those of these codes that each target gives, for a spec with these servers. */
async function judged(servers: object, codes: readonly string[]): Promise<Partial<Record<string, string[]>>> {
  const text = JSON.stringify({ version: 1, servers })
  const { spec } = await readSpec(text, { file: 'bridle.json', folder: '/project', targetIds })
  if (spec === undefined) throw new Error('the spec is wrong')
  const found = targets.map((target) => [
    target.id,
    judge(spec, target)
      .map(({ code }) => code)
      .filter((code) => codes.includes(code)),
  ])
  return Object.fromEntries(found.filter(([, list]) => list && list.length > 0))
}

const on = (code: string, ...ids: TargetId[]) => Object.fromEntries(ids.map((id) => [id, [code]]))
const plain = { command: 'a' }

describe('Two servers', () => {
  const both = (one: string, other: string) => judged({ [one]: plain, [other]: plain }, ['BRIDLE304'])

  it.each([
    { one: 'a-b', other: 'a_b', meet: ['codex'] as const },
    { one: 'a-', other: 'a_', meet: ['codex'] as const },
    { one: 'a__b', other: 'a_b', meet: ['kimi'] as const },
    { one: 'a_', other: 'a', meet: ['kimi'] as const },
    { one: 'mcp__a', other: 'a', meet: ['codex'] as const },
    { one: 'a', other: 'a-b', meet: ['copilot'] as const },
    { one: 'Notes', other: 'notes', meet: [] as const },
  ])('`$one` and `$other` meet where the harness makes one name of them', async ({ one, other, meet }) => {
    expect(await both(one, other)).toEqual(on('BRIDLE304', ...meet))
  })
})

describe('Two tools that the spec names', () => {
  const shown = (servers: object) => judged(servers, ['BRIDLE310'])

  it.each([
    { tools: { include: ['a.b', 'a_b'] }, meet: ['claude', 'kimi'] as const },
    { tools: { include: ['a_b', 'a__b'] }, meet: ['kimi'] as const },
    { tools: { include: ['a.b', 'a-b'] }, meet: ['copilot'] as const },
    { tools: { include: ['a.b'], exclude: ['a_b'] }, meet: ['claude'] as const },
    { tools: { exclude: ['a.b', 'a_b'] }, meet: [] as const },
    { tools: { include: ['Read', 'read'] }, meet: [] as const },
  ])('of one server meet where the harness makes one name of them: $tools', async ({ tools, meet }) => {
    expect(await shown({ a: { ...plain, tools } })).toEqual(on('BRIDLE310', ...meet))
  })
})

describe('A long name of a tool', () => {
  it.each([
    { length: 28, told: [] as const },
    { length: 29, told: ['claude'] as const },
  ])('is told where the model behind it takes no more: $length characters', async ({ length, told }) => {
    const server = { ...plain, requiresConfirmation: ['t'.repeat(length)] }
    const found = await judged({ 'a-server-with-a-name-of-29-xx': server }, ['BRIDLE311'])
    expect(found).toEqual(on('BRIDLE311', ...told))
  })
})
