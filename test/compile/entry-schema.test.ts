import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { entryWith } from '../../src/compile/entry-schema.ts'

const schema = z.record(
  z.string(),
  entryWith('command', z.strictObject({ command: z.string() }), z.strictObject({ url: z.string() })),
)

describe('The schema of an entry of two kinds', () => {
  it.each([
    { name: 'the first', entry: { command: 'a' }, path: undefined },
    { name: 'the other', entry: { url: 'a' }, path: undefined },
    { name: 'the first, with a wrong value', entry: { command: 1 }, path: ['s', 'command'] },
    { name: 'the other, with a wrong value', entry: { url: 1 }, path: ['s', 'url'] },
    { name: 'both', entry: { command: 'a', url: 'a' }, path: ['s'] },
    { name: 'neither', entry: {}, path: ['s', 'url'] },
    { name: 'no object', entry: 'command', path: ['s'] },
    { name: 'nothing', entry: null, path: ['s'] },
  ])('takes an entry of one kind and says where it is wrong: $name', ({ entry, path }) => {
    const { error } = schema.safeParse({ s: entry })
    expect(error?.issues.map((issue) => issue.path)).toEqual(path && [path])
  })
})
