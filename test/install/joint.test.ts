import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/compile/serialize.ts'
import type { Target } from '../../src/compile/target.ts'
import type { Entry } from '../../src/install/entries.ts'
import { joinReaders, jointEncoder, type Reader } from '../../src/install/joint.ts'
import { type Loss, lossesOf } from '../../src/install/other-readers.ts'
import { readSpec } from '../../src/spec/read.ts'
import type { Spec } from '../../src/spec/spec.ts'
import { claude } from '../../targets/claude/target.ts'
import { codex } from '../../targets/codex/target.ts'
import { kimi } from '../../targets/kimi/target.ts'

const places = [{ kind: 'keys', path: ['mcpServers'] }] as const

function member(name: string, value: Json): Entry {
  return { kind: 'member', path: ['mcpServers', name], value }
}

function reader(target: Target, ...entries: Entry[]): Reader {
  return { target, entries, places }
}

describe('Entries for several readers of one file', () => {
  it('have the keys of all, where they agree', () => {
    const { written, disagreements } = joinReaders([
      reader(claude, member('a', { type: 'stdio', command: 'x', env: { A: '1' } })),
      reader(codex, member('a', { command: 'x', env: { A: '1' }, tools: ['t'] })),
    ])
    expect(disagreements).toEqual([])
    expect(written.map(({ entry }) => entry.value)).toEqual([
      { type: 'stdio', command: 'x', env: { A: '1' }, tools: ['t'] },
    ])
  })

  it('are refused with the key, where they need different values', () => {
    const { disagreements } = joinReaders([
      reader(claude, member('a', { command: 'x', env: { A: '${A}' } })),
      reader(codex, member('a', { command: 'x', env: { A: '$A' } })),
    ])
    expect(disagreements).toEqual([
      { kind: 'value', path: ['mcpServers', 'a', 'env'], readers: [claude, codex] },
    ])
  })

  it('are refused, where one of the readers is to go without a server', () => {
    const { disagreements } = joinReaders([
      reader(claude, member('a', {}), member('b', {})),
      reader(codex, member('a', {})),
    ])
    expect(disagreements).toEqual([
      { kind: 'leftOut', path: ['mcpServers', 'b'], reader: codex, writer: claude },
    ])
  })
})

/** Expands `$NAME`, and encodes so that Claude Code reads the same where it can. */
const expanding: Target = {
  ...codex,
  literals: {
    refuse: () => undefined,
    encode: (text) => text.replace(/\$(?=\w|\{)/g, '${BRIDLE_U:-$}'),
  },
}

describe('Literals for several readers of one file', () => {
  it.each([
    { text: 'plain', field: 'argument', written: 'plain' },
    { text: '$HOME', field: 'argument', written: '${BRIDLE_U:-$}HOME' },
    { text: '$HOME', field: 'header', written: '${BRIDLE_U:-$}HOME' },
    { text: '${HOME}', field: 'environment', written: '${BRIDLE_U:-$}{HOME}' },
  ] as const)('have one text that all read as the same: $text as $field', ({ text, field, written }) => {
    for (const target of [claude, expanding]) {
      expect(jointEncoder(target, [claude, expanding])(text, field)).toBe(written)
    }
  })

  it('keep their own texts, and so differ, where there is none', () => {
    const [one, other] = [claude, expanding].map((target) =>
      jointEncoder(target, [claude, expanding])('${HOME}', 'header'),
    )
    expect(one).not.toBe(other)
  })
})

async function specOf(servers: object): Promise<Spec> {
  const text = JSON.stringify({ version: 1, variables: { TOKEN: {} }, servers, targets: {} })
  const { spec } = await readSpec(text, { file: 'bridle.json', folder: '/project', targetIds: [] })
  if (spec === undefined) throw new Error('the spec is wrong')
  return spec
}

/** What Kimi Code would lose of the entries that Claude Code gets. */
const losses: readonly { name: string; server: object; lost: readonly Loss['stake'][] }[] = [
  {
    name: 'nothing of a plain server',
    server: { command: 'a', arguments: ['b'], environment: { A: '1' } },
    lost: [],
  },
  {
    name: 'nothing of its tuning',
    server: { command: 'a', toolTimeoutMs: 5000, startupTimeoutMs: 60_000 },
    lost: [],
  },
  {
    name: 'a secret of the environment, which it does not expand',
    server: { command: 'a', variables: ['TOKEN'] },
    lost: ['secret'],
  },
  {
    name: 'a bearer token',
    server: { url: 'https://a.example.com/', bearerTokenVariable: 'TOKEN' },
    lost: ['secret'],
  },
  { name: 'a filter', server: { command: 'a', tools: { exclude: ['x'] } }, lost: ['restriction'] },
  {
    name: 'a confirmation and a secret',
    server: { command: 'a', requiresConfirmation: true, variables: ['TOKEN'] },
    lost: ['secret', 'restriction'],
  },
]

describe('A harness that was not chosen and reads the file too', () => {
  it.each(losses)('loses $name', async ({ server, lost }) => {
    const found = lossesOf(
      await specOf({ a: server, b: { command: 'b' } }),
      kimi,
      [claude],
      new Set(['a', 'b']),
    )
    expect(found).toEqual(lost.map((stake) => ({ server: 'a', stake })))
  })

  it('loses nothing of what its own form is', async () => {
    const spec = await specOf({ a: { command: 'a', variables: ['TOKEN'], tools: { include: ['x'] } } })
    expect(lossesOf(spec, codex, [codex], new Set(['a']))).toEqual([])
  })

  it('loses a rule that stands in another file of its own', async () => {
    const spec = await specOf({ a: { command: 'a', tools: { exclude: ['x'] } } })
    expect(lossesOf(spec, claude, [kimi], new Set(['a']))).toEqual([{ server: 'a', stake: 'restriction' }])
  })
})
