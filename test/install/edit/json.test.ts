import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../src/install/edit/document.ts'
import {
  addElement,
  documentOf,
  edit,
  independentValue,
  lenientJson,
  removal,
  remove,
  set,
  strictJson,
} from './json-support.ts'

describe('A document tells', () => {
  const text = '{ "a": { "b/c": [1, { "d": 2 }, 1] }, "\\u0061b": "x" }'
  const document = documentOf(text)

  it.each([
    [[], JSON.parse(text)],
    [
      ['a', 'b/c'],
      [1, { d: 2 }, 1],
    ],
    [['ab'], 'x'],
    [['b'], undefined],
    [['a', 'b/c', '0'], undefined],
    [['ab', 'length'], undefined],
    [['toString'], undefined],
    [['__proto__'], undefined],
  ])('the value at %j', (path, value) => {
    expect(document.valueAt(path)).toEqual(value)
  })

  it.each([
    [{ path: ['a', 'b/c'] }, '"b/c"'],
    [{ path: ['ab'] }, '"\\u0061b"'],
    [{ path: [] }, text],
    [{ path: ['a', 'b/c'], element: { d: 2 } }, '{ "d": 2 }'],
    [{ path: ['a', 'b/c'], element: 3 }, undefined],
    [{ path: ['a'], element: 3 }, undefined],
    [{ path: ['b', 'c'] }, undefined],
  ])('the place of %j', (place, stretch) => {
    const range = document.rangeAt(place)
    expect(range && text.slice(range.offset, range.offset + range.length)).toBe(stretch)
  })

  it.each([
    [[], ['a', 'ab']],
    [['a'], ['b/c']],
    [['a', 'b/c'], []],
    [['b'], []],
  ])('the keys at %j', (path, keys) => {
    expect(document.keysAt(path)).toEqual(keys)
  })

  it.each([
    ['{ "a": { "b": 1, "c": [2] } }', true],
    ['{ "a": { "c": [2], "b": 1.0 } }', true],
    ['{ "a": 1, "a": { "b": 1, "c": [2] } }', true],
    ['{ "a": { "b": 2, "b": 1, "c": [2] } }', false],
    ['{ "a": { "b": 1, "c": [2], "d": 3 } }', false],
    ['{ "a": { "b": 1 } }', false],
    ['{}', false],
  ])('whether a value stands there: %s', (written, holds) => {
    expect(documentOf(written).says(['a'], { b: 1, c: [2] })).toBe(holds)
  })

  it('of equal elements the place of the last', () => {
    expect(document.rangeAt({ path: ['a', 'b/c'], element: 1 })?.offset).toBe(text.indexOf('1] }'))
  })

  it('of a key that stands twice the last value', () => {
    expect(documentOf('{ "a": 1, "a": 2 }').valueAt(['a'])).toBe(2)
  })
})

/** What is refused stands between « and ». */
const refusals: Readonly<Record<string, readonly [marked: string, edit: Edit, message: RegExp]>> = {
  'a table that is a number': ['{ "a": «12» }', set(['a', 'b'], 1), /"a" must be an object/],
  'a table that is null': ['{ "a": «null» }', set(['a', 'b'], 1), /"a" must be an object/],
  'a table that is an array': ['{ "a": «[»1] }', set(['a', 'b', 'c'], 1), /"a" must be an object/],
  'a file that is an array': ['«[»]', set(['a'], 1), /value of the file must be an object/],
  'a file that is a text': ['// c\n«"a"»', set(['a'], 1), /value of the file must be an object/],
  'an array that is an object': ['{ "a": «{»} }', addElement(['a'], 1), /"a" must be an array/],
  'an entry whose key stands twice': ['{ "a": 1, «"a"»: 1 }', set(['a'], 1), /"a" stands twice/],
  'an entry whose key stands twice, written in two ways': [
    '{ "a": 1, «"\\u0061"»: 1 }',
    remove('a'),
    /"a" stands twice/,
  ],
  'a table whose key stands twice': ['{ "a": {}, «"a"»: {} }', remove('a', 'b'), /"a" stands twice/],
}

describe('An edit is refused, with the place, of', () => {
  it.each(Object.entries(refusals))('%s', (_, [marked, refused, message]) => {
    const offset = marked.indexOf('«')
    const length = marked.indexOf('»') - offset - 1
    const result = documentOf(marked.replace(/[«»]/g, '')).edit([set(['fine'], 1), refused], {})
    expect(result).toMatchObject({ refusal: { range: { offset, length } } })
    expect(result).toMatchObject({ refusal: { message: expect.stringMatching(message) } })
  })

  it('the first of several', () => {
    const text = '{ "b": 1, "a": 1 }'
    expect(documentOf(text).edit([set(['a', 'x'], 1), set(['b', 'x'], 1)], {})).toMatchObject({
      refusal: { range: { offset: 7 } },
    })
  })
})

describe('Edits', () => {
  it('that remove below what is no table change nothing', () => {
    const text = '{ "a": 12, "b": {} }'
    const edits = [remove('a', 'x'), removal(addElement(['b'], 1)), remove('c', 'd')]
    expect(edit(text, edits)).toEqual({ text, origins: {} })
    expect(edit('[1]', [remove('a')]).text).toBe('[1]')
  })

  it('make nothing for what they remove below what is not there', () => {
    const { text } = edit('{}', [set(['b', 'c'], 1), remove('b', 'd', 'e'), remove('f', 'g')])
    expect(JSON.parse(text)).toEqual({ b: { c: 1 } })
  })

  it('that put one element in place of another keep its blanks', () => {
    const swap = [removal(addElement(['a'], 1)), addElement(['a'], 2)]
    expect(edit('{ "a": [1] }', swap).text).toBe('{ "a": [2] }')
    expect(edit('{ "a": [ 1 ] }', swap).text).toBe('{ "a": [ 2 ] }')
    expect(edit('{ "a": [\n  1 // one\n] }', swap).text).toBe('{ "a": [ // one\n  2\n] }')
  })

  it('are indifferent to keys that stand twice elsewhere', () => {
    const text = '{ "a": 1, "a": 2, "b": { "c": 1, "c": 2 } }'
    expect(edit(text, [set(['b', 'd'], 1)]).text).toBe('{ "a": 1, "a": 2, "b": { "c": 1, "c": 2, "d": 1 } }')
  })

  it('leave a value that is written in another way, but not one that readers could differ about', () => {
    const text = '{ "a": { "\\u0062": 1.50e0, "c": [ ] } }'
    expect(edit(text, [set(['a'], { c: [], b: 1.5 })]).text).toBe(text)
    expect(edit('{ "a": { "b": 1, "b": 2 } }', [set(['a'], { b: 2 })]).text).toBe('{ "a": { "b": 2 } }')
    const twins = '{ "a": { "b": 1, "b": 1 } }'
    expect(edit(twins, [set(['a'], { b: 1, c: 2 })]).text).toBe('{ "a": { "b": 1, "c": 2 } }')
  })

  it('of one place count once: the last', () => {
    expect(edit('{}', [set(['a'], 1), remove('a'), set(['a'], 2)]).text).toBe('{\n  "a": 2\n}')
    expect(edit('[1, 1]', [removal(addElement([], 1)), removal(addElement([], 1))]).text).toBe('[1]')
  })

  it('add no element that is there, whatever the order of its keys', () => {
    const text = '[{ "a": 1, "b": [2] }]'
    expect(edit(text, [addElement([], { b: [2], a: 1 })]).text).toBe(text)
    expect(edit(text, [addElement([], { b: [2], a: null })]).text).not.toBe(text)
  })

  it('add null as an element', () => {
    const { text, origins } = edit('[]', [addElement([], null)])
    expect(JSON.parse(text)).toEqual([null])
    expect(edit(text, [removal(addElement([], null))], origins).text).toBe('[]')
  })

  it('take a property of every object for what it is: a key', () => {
    const edits = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((key) =>
      set(['servers', key], { __proto__: null, command: key }),
    )
    const { text, origins } = edit('{"servers":{"a":1}}', edits)
    expect(independentValue(text, strictJson)).toEqual(
      JSON.parse(
        '{"servers":{"a":1,"__proto__":{"command":"__proto__"},"constructor":{"command":"constructor"},"toString":{"command":"toString"},"hasOwnProperty":{"command":"hasOwnProperty"}}}',
      ),
    )
    expect(edit(text, edits, origins).text).toBe(text)
    expect(edit(text, edits.map(removal), origins).text).toBe('{"servers":{"a":1}}')
    expect({}).not.toHaveProperty('command')
  })

  it('write what JSON must escape, and nothing that a strict reader refuses', () => {
    const value = ['\u0000\u001f"\\/\u007f\u2028\u2029\ud800', 'é😀', '\r\n\t']
    const { text } = edit('', [set(['"\n\\'], value)], {}, strictJson)
    expect(JSON.parse(text)).toEqual({ '"\n\\': value })
  })

  it('keep the order of keys that look like indexes', () => {
    expect(edit('', [set(['s', 'b'], 1), set(['s', '10'], 1), set(['s', '2'], 1)]).text).toMatch(
      /"b".*"10".*"2"/s,
    )
  })

  it('that lie inside one another are a bug', () => {
    const document = documentOf('{}')
    expect(() => document.edit([set(['a'], 1), set(['a', 'b'], 1)], {})).toThrow(/exclude each other/)
    expect(() => document.edit([set(['a', 'b'], 1), set(['a'], 1)], {})).toThrow(/exclude each other/)
    expect(() => document.edit([set(['a', 'b'], 1), addElement(['a'], 1)], {})).toThrow(/exclude/)
    expect(() => document.edit([addElement(['a'], 1), set(['a', 'b', 'c'], 1)], {})).toThrow(/exclude/)
    expect(() => document.edit([set([], 1)], {})).toThrow(/no entry/)
    expect(() => document.edit([set(['a'], Number.NaN)], {})).toThrow(/would not say/)
  })
})

describe('Origins', () => {
  const deny = addElement(['permissions', 'deny'], 'x')

  it('say what was absent and what was empty, by JSON pointer', () => {
    const { origins } = edit('{ "p~/": [ ], "q": 1 }', [
      addElement(['p~/'], 1),
      set(['r/~', 'a'], 1),
      addElement(['s', 't'], 1),
    ])
    expect(origins).toEqual({ '/p~0~1': '[ ]', '/r~1~0': null, '/s': null, '/s/t': null })
  })

  it('say nothing of what held something', () => {
    expect(edit('{ "a": { "b": 1 } }', [set(['a', 'c'], 1)]).origins).toEqual({})
  })

  it('never hold a comment, in which a secret may stand', () => {
    for (const text of ['// canary\n', '{ /* canary */ }', '{\n  "a": { // canary\n  }\n}']) {
      const { text: edited, origins } = edit(text, [set(['a', 'b'], 1)])
      expect(JSON.stringify(origins)).not.toContain('canary')
      expect(edit(edited, [remove('a', 'b')], origins).text).toBe(text)
    }
  })

  it('are kept while something is left, and dropped with the last entry', () => {
    const first = edit('{}', [set(['a', 'b'], 1), deny])
    const second = edit(first.text, [removal(deny)], first.origins)
    expect(second.origins).toEqual({ '': '{}', '/a': null })
    expect(edit(second.text, [remove('a', 'b')], second.origins)).toEqual({ text: '{}', origins: {} })
  })

  it('are dropped when the user has taken out what they speak of', () => {
    const { origins } = edit('{ "z": 1 }', [set(['a', 'b'], 1)])
    expect(edit('{ "z": 1 }', [remove('a', 'b')], origins)).toEqual({ text: '{ "z": 1 }', origins: {} })
    expect(edit('{ "a": {} }', [remove('a', 'b')], origins)).toEqual({ text: '{ "a": {} }', origins: {} })
  })

  it('that were there before the user emptied the table still count', () => {
    const { origins } = edit('{ "z": 1 }', [set(['a', 'b'], 1)])
    const again = edit('{ "z": 1, "a": {} }', [set(['a', 'b'], 1)], origins)
    expect(edit(again.text, [remove('a', 'b')], again.origins).text).toBe('{ "z": 1 }')
  })

  it('write nothing but blanks into the file, whatever a state file says', () => {
    const held = '{ "a": { "b": 1 } }'
    for (const origin of ['{ "evil": 1 }', '[1]', '{//\n}', '{"evil"', '[ ]x']) {
      const { text } = edit(held, [remove('a', 'b')], { '/a': origin })
      expect(text).toBe('{ "a": { } }')
    }
    expect(edit('{ "a": 1 }', [remove('a')], { '': '"evil"' }).text).toBe('')
    expect(edit('{ "a": 1 }', [remove('a')], { '': '// evil' }).text).toBe('')
  })
})

describe('The edits of the user between two of ours', () => {
  const server = set(['servers', 'ours'], { command: 'x' })

  it.each([
    {
      what: 'another entry behind ours',
      before: '{\n  "servers": {}\n}',
      change: (text: string) => text.replace('"x"\n    }', '"x"\n    },\n    "theirs": {} // mine'),
      after: '{\n  "servers": {\n    "theirs": {} // mine\n  }\n}',
    },
    {
      what: 'another entry before ours',
      before: '{\n  "servers": {}\n}',
      change: (text: string) => text.replace('"ours"', '"theirs": {}, // mine\n    "ours"'),
      after: '{\n  "servers": {\n    "theirs": {} // mine\n  }\n}',
    },
    {
      what: 'a comment in the table that was ours alone',
      before: '{ "a": 1 }\n',
      change: (text: string) => text.replace('{ "ours"', '{ /* mine */ "ours"'),
      after: '{ "a": 1, "servers": { /* mine */ } }\n',
    },
    {
      what: 'a comment behind our entry in the file that was ours alone',
      before: '',
      change: (text: string) => `${text}// mine\n`,
      after: '\n// mine\n',
    },
    {
      what: 'a comment before our entry in the file that was ours alone',
      before: '',
      change: (text: string) => `// mine\n${text}`,
      after: '// mine\n',
    },
    {
      what: 'another layout of the whole file',
      before: '{}',
      change: (text: string) => JSON.stringify(JSON.parse(text)),
      after: '{}',
    },
    {
      what: 'a trailing comma',
      before: '{\n  "a": 1\n}',
      change: (text: string) => text.replace(/\n\}$/, ',\n}'),
      after: '{\n  "a": 1,\n}',
    },
    {
      what: 'the entry that stood before ours, taken out',
      before: '{\n  "a": 1\n}',
      change: (text: string) => text.replace('\n  "a": 1,', ''),
      after: '{\n}',
    },
  ])('stay: $what', ({ before, change, after }) => {
    const { text, origins } = edit(before, [server])
    const changed = change(text)
    expect(changed).not.toBe(text)
    expect(edit(changed, [removal(server)], origins).text).toBe(after)
  })
})

describe('A large file', () => {
  const servers = Array.from({ length: 10_000 }, (_, index) =>
    set(['servers', `s${index}`], { command: 'x' }),
  )
  const rules = Array.from({ length: 10_000 }, (_, index) => addElement(['deny'], `rule ${index}`))

  it('takes ten thousand entries and gives them back', () => {
    const before = '{\n  "a": 1\n}\n'
    const { text, origins } = edit(before, [...servers, ...rules], {}, strictJson)
    const document = documentOf(text, strictJson)
    for (const { path, value } of servers) expect(document.valueAt(path)).toEqual(value)
    for (const place of rules) expect(document.rangeAt(place)).toBeDefined()
    const changes = servers.map(({ path }) => set(path, { command: 'y' }))
    const changed = edit(text, changes, origins, strictJson)
    const removals = [...servers, ...rules].map(removal)
    expect(edit(changed.text, removals, changed.origins, strictJson).text).toBe(before)
  })

  it('of many megabytes is edited in its own bytes only', () => {
    const before = `{\n  "history": ${JSON.stringify(Array(100_000).fill('some text of the user'))},\n  "servers": {}\n}\n`
    const { text, origins } = edit(before, servers.slice(0, 1), {}, strictJson)
    expect(text.startsWith(before.slice(0, -6))).toBe(true)
    expect(edit(text, servers.slice(0, 1).map(removal), origins).text).toBe(before)
  })
})

describe('Case 07: an existing file with comments and a trailing comma', () => {
  const before = [
    '{',
    '  // keep: note',
    '  "mcpServers": {',
    '    "mine": { "command": "npx", "args": ["-y", "mine"], "futureKey": true }, // keep: inline',
    '  },',
    '  "foreign": { "keep": 1 }',
    '}',
    '',
  ].join('\n')
  const added = set(['mcpServers', 'added'], { command: 'npx', args: ['-y', 'added'] })

  it('takes the entry and keeps all else', () => {
    const { text, origins } = edit(before, [added])
    const lines = [
      '    "added": {',
      '      "command": "npx",',
      '      "args": [',
      '        "-y",',
      '        "added"',
      '      ]',
      '    },',
      '',
    ].join('\n')
    expect(text).toBe(before.replace('  },\n  "foreign"', `${lines}  },\n  "foreign"`))
    expect(edit(text, [removal(added)], origins).text).toBe(before)
  })

  it('is refused at its first comment where the reader is strict', () => {
    expect(() => documentOf(before, strictJson)).toThrow(/takes no comments/)
    expect(() => documentOf(before, { ...lenientJson, comments: false })).toThrow('{"offset":4,"length":13}')
  })
})
