import { describe, expect, it } from 'vitest'
import { toml } from '../../../src/compile/installed-file.ts'
import type { Edit } from '../../../src/install/edit/document.ts'
import { parseToml } from '../../../src/install/edit/toml.ts'
import { disagreement } from '../../../src/install/edit/toml-guard.ts'
import { readStatements } from '../../../src/toml/read.ts'
import { buildTable } from '../../../src/toml/tables.ts'
import { documentOf, edit, remove, set, untouched } from './toml-support.ts'

const small = { command: 'x' }
const large = { command: 'x', env: { A: 'b' } }
const smallText = '[mcp_servers.ours]\ncommand = "x"\n'
const largeText = `${smallText}\n[mcp_servers.ours.env]\nA = "b"\n`

/** Before, the edit, after. */
const insertions: Record<string, readonly [before: string, value: typeof small, after: string]> = {
  'an empty file': ['', large, largeText],
  'a file without servers, at its end': ['a = 1\n', large, `a = 1\n\n${largeText}`],
  'a file without a line break at its end': ['a = 1', small, 'a = 1\n\n[mcp_servers.ours]\ncommand = "x"'],
  'a file of Windows': ['a = 1\r\n', small, 'a = 1\r\n\r\n[mcp_servers.ours]\r\ncommand = "x"\r\n'],
  'a file with servers, behind the last of them': [
    '[mcp_servers.a]\ncommand = "a"\n\n[tui]\nb = 1\n',
    small,
    `[mcp_servers.a]\ncommand = "a"\n\n${smallText}\n[tui]\nb = 1\n`,
  ],
  'a file with servers, behind a comment that belongs to the last': [
    '[mcp_servers.a]\ncommand = "a"\n# args = []\n\n[tui]\nb = 1\n',
    small,
    `[mcp_servers.a]\ncommand = "a"\n# args = []\n\n${smallText}\n[tui]\nb = 1\n`,
  ],
  'a file that sets no tables apart, at its end': [
    '[mcp_servers.a]\ncommand = "a"\n# of tui:\n[tui]\nb = 1\n',
    small,
    `[mcp_servers.a]\ncommand = "a"\n# of tui:\n[tui]\nb = 1\n\n${smallText}`,
  ],
  'a table of servers': ['[mcp_servers]\n# none\n', small, `[mcp_servers]\n# none\n\n${smallText}`],
  'dotted keys': ['mcp_servers.a.command = "a"\n', small, `mcp_servers.a.command = "a"\n\n${smallText}`],
  'an inline table': [
    'mcp_servers = { a = { command = "a" } } # all\n',
    large,
    'mcp_servers = { a = { command = "a" }, ours = { command = "x", env = { A = "b" } } } # all\n',
  ],
  'an inline table over lines': [
    'mcp_servers = {\n  a = {}, # a\n}\n',
    small,
    'mcp_servers = {\n  a = {}, ours = { command = "x" }, # a\n}\n',
  ],
  'an empty inline table': ['mcp_servers = {}\n', small, 'mcp_servers = { ours = { command = "x" } }\n'],
}

describe('A new entry goes into', () => {
  it.each(Object.entries(insertions))('%s', (_, [before, value, after]) => {
    const added = edit(untouched(before), set('ours', value))
    expect(added.text).toBe(after)
    expect(edit(added, remove('ours'))).toEqual(untouched(before))
  })

  it('an inline table in an inline table', () => {
    const before = 'a = { b.c = 1, d = { e = {} } }\n'
    const path = ['a', 'd', 'ours']
    const added = edit(untouched(before), { path, value: small }, { path: ['a', 'b', 'ours'], value: {} })
    expect(added.text).toBe('a = { b.c = 1, d = { e = {}, ours = { command = "x" } }, b.ours = {} }\n')
    const removed = edit(added, { path, value: undefined }, { path: ['a', 'b', 'ours'], value: undefined })
    expect(removed).toEqual(untouched(before))
  })
})

const changes: Record<string, readonly [before: string, after: string]> = {
  'a table, with what stands inside, and not the comment above it': [
    '# mine\n\n# above\n[mcp_servers.ours] # gone\ncommand = "o" # gone\n# gone\nargs = []\n# gone\n\n# mine\n',
    `# mine\n\n# above\n${smallText}\n# mine\n`,
  ],
  'tables that stand together': [
    '[mcp_servers.ours]\ncommand = "o"\n\n[mcp_servers.ours.env]\nA = "1"\n\n[tui]\n',
    `${smallText}\n[tui]\n`,
  ],
  'scattered tables, in the place of the first': [
    'a = 1\n\n[mcp_servers.ours.env]\nA = "1"\n\n[tui]\n\n[mcp_servers.ours.tools.t]\napproval_mode = "approve"\n\n[z]\n',
    `a = 1\n\n${smallText}\n[tui]\n\n[z]\n`,
  ],
  'dotted keys, on the line of the first': [
    'a = 1\n  mcp_servers.ours.command = "o" # stays\nmcp_servers.ours.args = []\nb = 2\n',
    'a = 1\n  mcp_servers.ours = { command = "x" } # stays\nb = 2\n',
  ],
  'an inline table in its table': [
    '[mcp_servers]\n"ours" = { command = "o" } # stays\n',
    '[mcp_servers]\nours = { command = "x" } # stays\n',
  ],
  'a member of an inline table': [
    'mcp_servers = { ours.command = "o", a = {}, ours.args = [] }\n',
    'mcp_servers = { ours = { command = "x" }, a = {} }\n',
  ],
  'what is no table at all': ['[mcp_servers]\nours = "o"\n', '[mcp_servers]\nours = { command = "x" }\n'],
}

describe('A changed entry takes the place of', () => {
  it.each(Object.entries(changes))('%s', (_, [before, after]) => {
    expect(edit(untouched(before), set('ours', small)).text).toBe(after)
  })
})

const removals: Record<string, readonly [before: string, after: string]> = {
  'with the empty line above it': ['a = 1\n\n\n[mcp_servers.ours]\n\n[tui]\n', 'a = 1\n\n\n[tui]\n'],
  'and nothing more where no empty line is': ['a = 1\n[mcp_servers.ours]\n[tui]\n', 'a = 1\n[tui]\n'],
  'and leaves the comment above it': ['# mine\n[mcp_servers.ours]\nb = 1\n', '# mine\n'],
  'and leaves the comments of the next table': [
    '[mcp_servers.ours]\nb = 1\n# of tui\n[tui]\n',
    '# of tui\n[tui]\n',
  ],
  'from the start of the file': ['[mcp_servers.ours]\n\n[tui]\n', '[tui]\n'],
  'from the end of a file without a line break there': ['a = 1\n\n[mcp_servers.ours]\nb = 1', 'a = 1'],
  'from a file of which it is all': ['\uFEFF[mcp_servers.ours]\nb = """\n[c]\n"""', '\uFEFF'],
  'with the tables that others put below it': [
    '[mcp_servers.ours]\n\n[tui]\n\n[[mcp_servers.ours.env_vars]]\nname = "A"\n\n[z]\n',
    '[tui]\n\n[z]\n',
  ],
  'from dotted keys': ['[mcp_servers]\na.b = 1\nours.c = 2 # gone\nours.d = 3', '[mcp_servers]\na.b = 1'],
  'from the start of an inline table': ['mcp_servers = { ours = {}, a = {} }', 'mcp_servers = { a = {} }'],
  'from the end of one': ['mcp_servers = { a = {} , ours = {} }', 'mcp_servers = { a = {} }'],
  'from all of one': ['mcp_servers = { ours.a = 1, ours.b = 2 }', 'mcp_servers = {}'],
  'from one with comments, which stay': [
    'mcp_servers = {\n  a = {}, # a\n  ours = {}, # b\n}',
    'mcp_servers = {\n  a = {}, # a\n   # b\n}',
  ],
}

describe('An entry is removed', () => {
  it.each(Object.entries(removals))('%s', (_, [before, after]) => {
    expect(edit(untouched(before), remove('ours')).text).toBe(after)
  })

  it('without a trace of it or of the text that an empty inline table had', () => {
    const added = edit(untouched('mcp_servers = {  }'), set('a', small), set('b', small))
    expect(added.origins).toEqual({ '/mcp_servers': '{  }' })
    const exchanged = edit(added, remove('a'), remove('b'), set('c', small))
    expect(exchanged.text).toBe('mcp_servers = { c = { command = "x" } }')
    expect(edit(exchanged, remove('c'))).toEqual(untouched('mcp_servers = {  }'))
  })

  it('and keeps the origins of other tables', () => {
    const origins = { '/hooks': '[ ]' }
    expect(edit({ text: largeText, origins }, remove('ours'))).toEqual({ text: '', origins })
  })
})

describe('Nothing changes', () => {
  it.each([
    [
      'an entry that says the same in other words',
      '[mcp_servers]\nours.env={A="""b"""}\nours.command=\'x\'',
      set('ours', large),
    ],
    ['a number in another form', '[mcp_servers.ours]\nn = 3_0.0', set('ours', { n: 30 })],
    ['an absent entry that is removed', 'a = 1', remove('ours')],
    ['an absent entry below a value that is removed', 'mcp_servers = 1', remove('ours')],
  ])('for %s', (_, text, change) => {
    expect(edit(untouched(text), change)).toEqual(untouched(text))
  })
})

const refusals: Record<string, readonly [text: string, place: string, message: RegExp]> = {
  'is a text': ['a = 1\nmcp_servers = "x"', 'mcp_servers', /a single value where a table is expected/],
  'is an array': ['"mcp_servers" = []', '"mcp_servers"', /an array where a table is expected/],
  'is an array of tables': ['[[mcp_servers]]\na = 1', 'mcp_servers', /an array where a table is expected/],
}

describe('An edit is refused, with the place, where the table of entries', () => {
  it.each(Object.entries(refusals))('%s', (_, [text, place, message]) => {
    const result = documentOf(text).edit([set('ours', small)], {})
    expect(result).toEqual({
      refusal: {
        message: expect.stringMatching(message),
        range: { offset: text.indexOf(place), length: place.length },
      },
    })
  })
})

/** A text, and the text at the place of the fault. */
const faults: Record<string, readonly [text: string, place: string]> = {
  'a value that is none': ['a = 1\nb = yes\n', 'yes'],
  'a key twice': ['a = 1\n"a" = 2\n', '"a"'],
  'a table twice': ['[a]\n[b]\n[ a ]\n', '[ a ]'],
  'a byte order mark that its reader does not take': ['\uFEFFa = 1', '\uFEFF'],
  'something else than TOML': ['{ "mcpServers": {} }', '{'],
  'values nested too deep': [`a = ${'['.repeat(5_000)}`, '['],
}

describe('A file is refused, with the place, that has', () => {
  it.each(Object.entries(faults))('%s', (_, [text, place]) => {
    const parsed = parseToml(text, { ...toml, byteOrderMark: false })
    const range = 'fault' in parsed ? parsed.fault.range : undefined
    expect(text.slice(range?.offset, (range?.offset ?? 0) + (range?.length ?? 0))).toBe(place)
  })
})

describe('A document', () => {
  it('gives values as JSON has them, and what JSON does not have as nothing that Bridle writes', () => {
    const text =
      'a = { b = [1, 0x1F, "c"], d = true }\ne = 1979-05-27\nf = 9007199254740993\ng = nan\nh = -inf'
    expect(documentOf(text).valueAt([])).toEqual({
      a: { b: [1, 31, 'c'], d: true },
      e: { toml: '1979-05-27' },
      f: { toml: '9007199254740993' },
      g: { toml: 'NaN' },
      h: { toml: '-Infinity' },
    })
    expect(documentOf(text).valueAt(['a', 'b', 'c'])).toBeUndefined()
    expect(documentOf(text).valueAt(['constructor'])).toBeUndefined()
  })

  it('knows the keys of its tables, and whether a value stands there', () => {
    const document = documentOf('a = 1979-05-27\n[b]\nc.d = 1\nc.e = [2]\n[b.f]\n')
    expect([[], ['a'], ['b'], ['b', 'c'], ['x']].map((path) => document.keysAt(path))).toEqual([
      ['a', 'b'],
      [],
      ['c', 'f'],
      ['d', 'e'],
      [],
    ])
    expect(document.says(['b', 'c'], { e: [2], d: 1 })).toBe(true)
    expect(document.says(['b', 'c'], { d: 1 })).toBe(false)
    expect(document.says(['x'], {})).toBe(false)
  })

  it('knows the places of keys and elements', () => {
    const text = '[a]\n[b."c d".e]\nf = ["x", "y", "x"]\n'
    const rangeAt = (path: readonly string[], element?: string) => {
      const { offset = 0, length = 0 } =
        documentOf(text).rangeAt({ path, ...(element !== undefined && { element }) }) ?? {}
      return [offset, text.slice(offset, offset + length)]
    }
    expect(rangeAt(['b', 'c d'])).toEqual([text.indexOf('"c d"'), '"c d"'])
    expect(rangeAt(['b', 'c d', 'e', 'f'], 'x')).toEqual([text.lastIndexOf('"x"'), '"x"'])
    expect(documentOf(text).rangeAt({ path: ['b', 'x'] })).toBeUndefined()
  })

  it('has tables as entries and nothing else', () => {
    const wrong: readonly Edit[] = [
      { path: ['a'], value: 1 },
      { path: ['a'], value: ['x'] },
      { path: ['a'], element: 'x', value: 'x' },
    ]
    for (const each of wrong) expect(() => documentOf('').edit([each], {})).toThrow(/only tables/)
  })

  it('keeps its order and its bytes when a thousand entries come and go among ten thousand tables', () => {
    const text = Array.from({ length: 10_000 }, (_, i) => `[mcp_servers.s${i}]\nn = ${i} # ${i}\n\n`).join('')
    const names = Array.from({ length: 1_000 }, (_, i) => `ours${i}`)
    const added = edit(untouched(text), ...names.map((name) => set(name, large)))
    const changed = edit(added, ...names.map((name) => set(name, small)))
    expect(edit(changed, ...names.map(remove)).text).toBe(text)
  })
})

describe('The guard', () => {
  const read = (text: string, said = text) => ({
    text,
    statements: [],
    root: buildTable(readStatements(said, 100).statements).root,
  })
  const plan = { kind: 'table', keys: new Map() } as const

  it.each([
    ['a key that is lost', 'a = 1\nb = 2', 'a = 1'],
    ['a key that nobody wanted', 'a = 1', 'a = 1\nb = 2'],
    ['another number', 'a = 1', 'a = 2'],
    ['another type', 'a = 1', 'a = "1"'],
    ['another date', 'a = 1979-05-27', 'a = 1979-05-28'],
    ['another integer beyond 2^53', 'a = 9007199254740993', 'a = 9007199254740992'],
    ['an element less', 'a = [1, 2]', 'a = [1]'],
    ['an empty table that is gone', 'a = 1\n[b]', 'a = 1'],
    ['what is no longer TOML', 'a = 1', 'a = '],
  ])('throws at %s', (_, old, edited) => {
    expect(disagreement(read(old), old, plan)).toBeUndefined()
    expect(() => disagreement(read(old), edited, plan)).toThrow(/does not say what it should/)
  })

  it('refuses a file of which two readers do not say the same', () => {
    expect(disagreement(read('a = 1', 'a = 2'), 'a = 1', plan)).toMatchObject({
      refusal: { message: expect.stringMatching(/readers/) },
    })
  })
})
