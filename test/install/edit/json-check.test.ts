import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../src/install/edit/document.ts'
import { isCarriedOut } from '../../../src/install/edit/json-check.ts'
import { parseTree } from '../../../src/install/edit/json-parse.ts'
import type { JsonTree } from '../../../src/install/edit/json-tree.ts'
import { planOf } from '../../../src/install/edit/plan.ts'
import { addElement, lenientJson, removal, remove, set } from './json-support.ts'

interface Case {
  readonly before: string
  readonly edits: readonly Edit[]
  readonly right: readonly string[]
  readonly wrong: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'an added member': {
    before: '{ "a": 1.0 }',
    edits: [set(['b'], 2)],
    right: ['{ "a": 1.0, "b": 2 }', '{"a": 1.0,/**/"b":2.0}'],
    wrong: [
      '',
      '2',
      '[1.0, 2]',
      '{ "a": 1.0 }',
      '{ "b": 2 }',
      '{ "b": 2, "a": 1.0 }',
      '{ "a": 1, "b": 2 }',
      '{ "a": 1.0, "b": 3 }',
      '{ "a": 1.0, "b": 2, "c": 3 }',
      '{ "a": 1.0, "b": 2, "b": 2 }',
      '{ "A": 1.0, "b": 2 }',
    ],
  },
  'a member in a table that did not exist': {
    before: '{ "a": 1 }',
    edits: [set(['b', 'c'], []), addElement(['d', 'e'], 1), remove('f', 'g')],
    right: ['{ "a": 1, "b": { "c": [] }, "d": { "e": [1] } }'],
    wrong: [
      '{ "a": 1, "b": { "c": [] }, "d": { "e": 1 } }',
      '{ "a": 1, "b": { "c": [] }, "d": { "e": [1, 1] } }',
      '{ "a": 1, "b": { "c": [] }, "d": { "e": [1] }, "f": {} }',
      '{ "a": 1, "b": [], "d": { "e": [1] } }',
    ],
  },
  'a file without a value': {
    before: '// mine',
    edits: [set(['a'], 1)],
    right: ['{ "a": 1 }'],
    wrong: ['', '{}', '{ "a": 1, "b": 2 }'],
  },
  'a file without a value, out of which something is removed': {
    before: '',
    edits: [remove('a')],
    right: ['', '\n'],
    wrong: ['{}', 'null'],
  },
  'a changed value': {
    before: '{ "a": { "b": 1 }, "c": [2] }',
    edits: [set(['a', 'b'], 3)],
    right: ['{ "a": { "b": 3 }, "c": [2] }'],
    wrong: [
      '{ "a": { "b": 1 }, "c": [2] }',
      '{ "a": {}, "c": [2] }',
      '{ "c": [2] }',
      '{ "a": { "b": 3 }, "c": [2, 2] }',
      '{ "a": { "b": 3, "d": 4 }, "c": [2] }',
    ],
  },
  'a member that goes': {
    before: '{ "a": { "b": 1 }, "c": { "d": 1, "e": [] } }',
    edits: [remove('a', 'b'), remove('c', 'd')],
    right: ['{ "a": {}, "c": { "e": [] } }', '{ "c": { "e": [] } }'],
    wrong: ['{ "a": { "b": 1 }, "c": { "e": [] } }', '{ "a": {}, "c": {} }', '{ "a": {} }', '{}', ''],
  },
  'the last member of a file': {
    before: '{ "a": { "b": 1 } }',
    edits: [remove('a', 'b')],
    right: ['{ "a": {} }', '{}', ''],
    wrong: ['{ "a": [] }', '[]', '{ "a": { "b": 1 } }', '{ "a": null }'],
  },
  elements: {
    before: '["x", "y", "x"]',
    edits: [removal(addElement([], 'x')), addElement([], 'y'), addElement([], 'z')],
    right: ['["x", "y", "z"]'],
    wrong: ['["y", "x", "z"]', '["y", "z"]', '["x", "y", "y", "z"]', '["x", "y"]', '["x", "y", "x", "z"]'],
  },
  'a table that was empty before': {
    before: '{ "a": {}, "c": 1 }',
    edits: [remove('a', 'b')],
    right: ['{ "a": {}, "c": 1 }'],
    wrong: ['{ "c": 1 }', '{ "a": [], "c": 1 }'],
  },
  'what is no table': {
    before: '{ "a": 1 }',
    edits: [remove('a', 'b')],
    right: ['{ "a": 1 }'],
    wrong: ['{ "a": {} }', '{}', ''],
  },
}

describe('The edited text is checked for', () => {
  it.each(Object.entries(cases))('%s', (_, { before, edits, right, wrong }) => {
    const isRight = (after: string) => isCarriedOut(treeOf(before), treeOf(after), planOf(edits))
    expect(right.filter((after) => !isRight(after))).toEqual([])
    expect(wrong.filter(isRight)).toEqual([])
  })
})

function treeOf(text: string): JsonTree {
  const tree = parseTree(text, lenientJson)
  if ('fault' in tree) throw new Error(tree.fault.message)
  return tree
}
