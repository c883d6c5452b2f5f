import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../src/install/edit/document.ts'
import { addElement, edit, removal, remove, set } from './json-support.ts'

const server = set(['servers', 'new'], { command: 'x', args: ['-y', ''], env: {} })
const deny = addElement(['permissions', 'deny'], 'no')

interface Case {
  readonly before: string
  readonly edit: Edit
  readonly after: string
}

/** How an entry is written into files of many styles. */
const cases: Readonly<Record<string, Case>> = {
  'no file': {
    before: '',
    edit: server,
    after:
      '{\n  "servers": {\n    "new": {\n      "command": "x",\n      "args": [\n        "-y",\n        ""\n      ],\n      "env": {}\n    }\n  }\n}\n',
  },
  'an empty object': {
    before: '{}',
    edit: deny,
    after: '{\n  "permissions": {\n    "deny": [\n      "no"\n    ]\n  }\n}',
  },
  'an empty object over several lines': {
    before: '{\r\n\r\n}\r\n',
    edit: set(['a'], 1),
    after: '{\r\n  "a": 1\r\n}\r\n',
  },
  'a file of blanks': { before: '\r\n', edit: set(['a'], 1), after: '{\r\n  "a": 1\r\n}\r\n' },
  'a byte order mark alone': { before: '\uFEFF', edit: set(['a'], 1), after: '\uFEFF{\n  "a": 1\n}\n' },
  'a comment alone': { before: '// mine', edit: set(['a'], 1), after: '// mine\n{\n  "a": 1\n}' },
  'a comment and a line end': {
    before: '/* mine */\n\n',
    edit: set(['a'], 1),
    after: '/* mine */\n{\n  "a": 1\n}\n\n',
  },
  'one line': { before: '{ "a": 1 }', edit: set(['b'], [1, {}]), after: '{ "a": 1, "b": [1, {}] }' },
  'one line without blanks': {
    before: '{"a":1}',
    edit: server,
    after: '{"a":1,"servers":{"new":{"command":"x","args":["-y",""],"env":{}}}}',
  },
  'one line without blanks, empty inside': {
    before: '{"servers":{}}\n',
    edit: server,
    after: '{"servers":{"new":{"command":"x","args":["-y",""],"env":{}}}}\n',
  },
  'one line with blanks behind colons and commas only': {
    before: '{"a": 1, "c": {}}',
    edit: set(['b'], { x: 1, y: 2 }),
    after: '{"a": 1, "c": {}, "b": {"x": 1, "y": 2}}',
  },
  'one line with a blank inside braces': {
    before: '{ "servers": { } }',
    edit: set(['servers', 'a'], {}),
    after: '{ "servers": { "a": {} } }',
  },
  'a blank before each colon': {
    before: '{\n  "a" : 1\n}',
    edit: set(['b'], { c: 2 }),
    after: '{\n  "a" : 1,\n  "b" : {\n    "c" : 2\n  }\n}',
  },
  tabs: {
    before: '{\n\t"servers": {\n\t\t"old": {}\n\t}\n}\n',
    edit: set(['servers', 'new'], { a: 1 }),
    after: '{\n\t"servers": {\n\t\t"old": {},\n\t\t"new": {\n\t\t\t"a": 1\n\t\t}\n\t}\n}\n',
  },
  'four blanks': {
    before: '{\n    "servers": {}\n}\n',
    edit: set(['servers', 'new'], { a: 1 }),
    after: '{\n    "servers": {\n        "new": {\n            "a": 1\n        }\n    }\n}\n',
  },
  'an indentation that only another part of the file shows': {
    before: '{\n"b": {\n    "c": 1\n},\n"servers": {}\n}',
    edit: set(['servers', 'new'], 1),
    after: '{\n"b": {\n    "c": 1\n},\n"servers": {\n    "new": 1\n}\n}',
  },
  CRLF: {
    before: '{\r\n  "a": 1\r\n}\r\n',
    edit: set(['b'], { c: 2 }),
    after: '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}\r\n',
  },
  'mixed line ends: that of the neighbour': {
    before: '{\n  "a": 1,\r\n  "c": 3\n}',
    edit: set(['b'], [2]),
    after: '{\n  "a": 1,\r\n  "c": 3,\r\n  "b": [\r\n    2\r\n  ]\n}',
  },
  CR: { before: '{\r "a": 1\r}', edit: set(['b'], [2]), after: '{\r "a": 1,\r "b": [\r  2\r ]\r}' },
  'a byte order mark': { before: '\uFEFF{"a":1}', edit: set(['b'], 2), after: '\uFEFF{"a":1,"b":2}' },
  'a trailing comma': {
    before: '{\n  "a": 1,\n}',
    edit: set(['b'], [2]),
    after: '{\n  "a": 1,\n  "b": [\n    2\n  ],\n}',
  },
  'a trailing comma on one line': { before: '[1, 2,]', edit: addElement([], 3), after: '[1, 2, 3,]' },
  'a comment behind the last member': {
    before: '{\n  "a": 1 // one\n}',
    edit: set(['b'], 2),
    after: '{\n  "a": 1, // one\n  "b": 2\n}',
  },
  'comments before and behind the last comma': {
    before: '{\n  "a": 1 /* one */ , /* two */ // three\n  // four\n}',
    edit: set(['b'], 2),
    after: '{\n  "a": 1 /* one */ , /* two */ // three\n  "b": 2,\n  // four\n}',
  },
  'a comment over several lines behind the last member': {
    before: '{\n  "a": 1 /* one\n  two */\n}',
    edit: set(['b'], 2),
    after: '{\n  "a": 1, /* one\n  two */\n  "b": 2\n}',
  },
  'a comment before the last member on its line': {
    before: '{\n  /* one */ "a": 1\n}',
    edit: set(['b'], 2),
    after: '{\n  /* one */ "a": 1,\n  "b": 2\n}',
  },
  'a line comment behind a member on the first line': {
    before: '{ "a": 1 // one\n}',
    edit: set(['b'], 2),
    after: '{ "a": 1, // one\n  "b": 2\n}',
  },
  'a comment on one line': {
    before: '{"a":1/* one */}',
    edit: set(['b'], 2),
    after: '{"a":1,/* one */"b":2}',
  },
  'blanks behind the last member': {
    before: '{\n  "a": 1  \n}',
    edit: set(['b'], 2),
    after: '{\n  "a": 1,\n  "b": 2  \n}',
  },
  'an empty object with a comment': {
    before: '{\n  "servers": {\n      // none yet\n  }\n}',
    edit: set(['servers', 'a'], 1),
    after: '{\n  "servers": {\n      // none yet\n      "a": 1\n  }\n}',
  },
  'an empty object with a comment on its first line': {
    before: '{\n  "servers": { // none yet\n  }\n}',
    edit: set(['servers', 'a'], 1),
    after: '{\n  "servers": { // none yet\n    "a": 1\n  }\n}',
  },
  'an empty object with a comment on one line': {
    before: '{ "servers": {/* none */} }',
    edit: set(['servers', 'a'], { b: 1 }),
    after: '{ "servers": {/* none */ "a": { "b": 1 }} }',
  },
  'a comment over several lines between members on one line': {
    before: '{ "a": 1, /* one\n  two */ "b": 2 }',
    edit: set(['c'], {}),
    after: '{ "a": 1, /* one\n  two */ "b": 2, "c": {} }',
  },
  'several elements on a line': {
    before: '[\n  1, 2,\n  3, 4\n]',
    edit: addElement([], 5),
    after: '[\n  1, 2,\n  3, 4, 5\n]',
  },
  'a list on one line': {
    before: '{\n  "permissions": {\n    "deny": ["a"]\n  }\n}',
    edit: deny,
    after: '{\n  "permissions": {\n    "deny": ["a", "no"]\n  }\n}',
  },
  'a comma that begins the line': {
    before: '{ "a": 1\n, "b": 2\n}',
    edit: set(['c'], 3),
    after: '{ "a": 1\n, "b": 2, "c": 3\n}',
  },
}

/** How a value takes the place of another one. */
const replacements: Readonly<Record<string, Case>> = {
  'a scalar on a line of its own by an object': {
    before: '{\n  "a": null // x\n}',
    edit: set(['a'], { b: 1 }),
    after: '{\n  "a": {\n    "b": 1\n  } // x\n}',
  },
  'a scalar on one line by an object': {
    before: '{ "a": null, "c": 1 }',
    edit: set(['a'], { b: 1 }),
    after: '{ "a": { "b": 1 }, "c": 1 }',
  },
  'an object that stands on one line': {
    before: '{\n  "a" : { "b":1, "c":2 }\n}',
    edit: set(['a'], { b: 2 }),
    after: '{\n  "a" : { "b" : 2 }\n}',
  },
  'an object over several lines in a line of others': {
    before: '{ "z": 1, "a": {\n    "b": 1\n  } }',
    edit: set(['a'], { b: [] }),
    after: '{ "z": 1, "a": {\n    "b": []\n} }',
  },
  'a value on a line with another end than the others': {
    before: '{\r\n    "a": null,\n  "c": 1\n}',
    edit: set(['a'], { b: 1 }),
    after: '{\r\n    "a": {\r\n        "b": 1\r\n    },\n  "c": 1\n}',
  },
  'a value that comments surround': {
    before: '{ "a" /* 1 */ : /* 2 */ [1, 2] /* 3 */ }',
    edit: set(['a'], []),
    after: '{ "a" /* 1 */ : /* 2 */ [] /* 3 */ }',
  },
}

/** What goes with an entry that was there before, and what stays. */
const removals: Readonly<Record<string, Case>> = {
  'the first member': { before: '{ "a": 1, "b": 2 }', edit: remove('a'), after: '{ "b": 2 }' },
  'the last member': { before: '{ "a": 1, "b": 2 }', edit: remove('b'), after: '{ "a": 1 }' },
  'the only member': { before: '{ "a": 1 }', edit: remove('a'), after: '{ }' },
  'a member with a trailing comma': { before: '{\n  "a": 1,\n}', edit: remove('a'), after: '{\n}' },
  'a member in the middle': {
    before: '{\n  // a\n  "a": 1, // one\n\n  // b\n  "b": 2, // two\n  "c": 3\n}',
    edit: remove('b'),
    after: '{\n  // a\n  "a": 1, // one\n\n  // b\n   // two\n  "c": 3\n}',
  },
  'a member behind a line comment, with another one behind it': {
    before: '{ // one\n  "a": 1, "b": 2 }',
    edit: remove('a'),
    after: '{ // one\n   "b": 2 }',
  },
  'the last member behind a line comment, with the brace behind it': {
    before: '{ "a": 1, // one\n  "b": 2 }',
    edit: remove('b'),
    after: '{ "a": 1 // one\n   }',
  },
  'a member with a comment before its comma': {
    before: '{ "a": 1, "b": 2 /* two */ , "c": 3 }',
    edit: remove('b'),
    after: '{ "a": 1, /* two */  "c": 3 }',
  },
  'the last of two equal elements': {
    before: '["x", /* 1 */ "x", /* 2 */ "y"]',
    edit: { path: [], element: 'x', value: undefined },
    after: '["x", /* 1 */ /* 2 */ "y"]',
  },
}

describe('An entry is written into', () => {
  it.each(Object.entries(cases))('%s, and taken out of it again', (_, { before, edit: added, after }) => {
    const { text, origins } = edit(before, [added])
    expect(text).toBe(after)
    expect(edit(text, [added], origins)).toEqual({ text, origins })
    expect(edit(text, [removal(added)], origins)).toEqual({ text: before, origins: {} })
    expect(edit(before, [removal(added)])).toEqual({ text: before, origins: {} })
  })
})

describe('A value is written in place of', () => {
  it.each(Object.entries(replacements))('%s', (_, { before, edit: change, after }) => {
    expect(edit(before, [change])).toEqual({ text: after, origins: {} })
    expect(edit(after, [change]).text).toBe(after)
  })
})

describe('Out of the text is taken', () => {
  it.each(Object.entries(removals))('%s', (_, { before, edit: change, after }) => {
    expect(edit(before, [change]).text).toBe(after)
  })

  it('several at once, without a comment that swallows what is left', () => {
    const before = '{ "z": 1, // one\n  "a": 1,\n  "b": 2, "c": 3 }'
    expect(edit(before, [remove('a'), remove('b'), remove('c')]).text).toBe('{ "z": 1 // one\n   }')
    const spread = '{ // one\n  "a": 1, // two\n  "b": 2 /* 3 */ }'
    expect(edit(spread, [remove('a'), remove('b')]).text).toBe('{ // one\n   // two\n   /* 3 */ }')
  })
})
