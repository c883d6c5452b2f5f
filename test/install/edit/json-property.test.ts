import fc from 'fast-check'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import type { FileSyntax } from '../../../src/compile/installed-file.ts'
import type { Json } from '../../../src/compile/serialize.ts'
import type { Edit, EntryPlace, Origins } from '../../../src/install/edit/document.ts'
import { entryValue, fileText, userText } from './json-arbitrary.ts'
import { applied, comments, isSubsequence } from './json-model.ts'
import { documentOf, edit, independentValue, lenientJson, removal, strictJson } from './json-support.ts'

const syntaxes: readonly (readonly [string, FileSyntax])[] = [
  ['strict JSON', strictJson],
  ['JSON with comments', { ...strictJson, comments: true }],
  ['JSON with all that a reader may take', lenientJson],
]

/** Where Bridle's entries go: no place lies inside another one. */
const places: readonly EntryPlace[] = [
  { path: ['mcpServers', 'a'] },
  { path: ['mcpServers', 'ours'] },
  { path: ['mcpServers', '__proto__'] },
  { path: ['permissions', 'deny'], element: 'one' },
  { path: ['permissions', 'deny'], element: { a: [1, 'two'] } },
  { path: ['permissions', 'deny'], element: 'three' },
  { path: ['b'] },
  { path: ['x/y~z', 'deep', 'er'] },
]

const some = fc.shuffledSubarray([...places], { minLength: 1 })
const all = fc.shuffledSubarray([...places], { minLength: places.length })
const values = fc.array(entryValue, { minLength: places.length, maxLength: places.length })
const begins = fc.array(fc.boolean(), { minLength: places.length, maxLength: places.length })

/** Entries for some of the places, in any order. */
const entries = fc.tuple(some, values).map(([chosen, each]) => filled(chosen, each))

/** Entries, the same places with other values, and the order in which they go again, each in several calls. */
const history = fc
  .record({ some, all, values, others: values, begins: fc.tuple(begins, begins, begins) })
  .map(({ some, all, values, others, begins: [first, second, third] }) => ({
    added: inCalls(filled(some, values), first),
    changed: inCalls(filled(some, others), second),
    removed: inCalls(all.filter((place) => some.includes(place)).map(removal), third),
  }))

function filled(chosen: readonly EntryPlace[], values: readonly Json[]): Edit[] {
  return chosen.map((place, index) => ({ ...place, value: place.element ?? values[index] ?? null }))
}

/** The edits in several calls; where a call begins. */
function inCalls(edits: readonly Edit[], begins: readonly boolean[]): Edit[][] {
  const calls: Edit[][] = [[]]
  for (const [index, each] of edits.entries()) {
    if (begins[index]) calls.push([])
    calls.at(-1)?.push(each)
  }
  return calls
}

/** Whether the file holds none of these entries, so that they are Bridle's alone, and can take them all. */
function lacks(text: string, added: readonly Edit[]): boolean {
  const document = documentOf(text)
  return added.every((each) => document.rangeAt(each) === undefined) && 'text' in document.edit(added, {})
}

describe.each(syntaxes)('In any file of %s', (_, syntax) => {
  const file = fileText(syntax)
  const always = { numRuns: 300 }

  it('adding and removing gives back the bytes, whatever changes and calls lie between', () => {
    fc.assert(
      fc.property(file, history, (before, { added, changed, removed }) => {
        fc.pre(lacks(before, added.flat()))
        let state: { text: string; origins: Origins } = { text: before, origins: {} }
        for (const call of [...added, ...changed, ...removed]) {
          state = edit(state.text, call, state.origins, syntax)
          expect(edit(state.text, call, state.origins, syntax)).toEqual(state)
        }
        expect(state).toEqual({ text: before, origins: {} })
      }),
      always,
    )
  })

  it('a value is written the same, but for blanks, at once and in place of another', () => {
    fc.assert(
      fc.property(file, history, (before, { added, changed }) => {
        fc.pre(lacks(before, added.flat()))
        const first = edit(before, added.flat(), {}, syntax)
        const second = edit(first.text, changed.flat(), first.origins, syntax)
        const atOnce = edit(before, changed.flat(), {}, syntax)
        expect(second.origins).toEqual(atOnce.origins)
        expect(second.text.replace(/\s/g, '')).toBe(atOnce.text.replace(/\s/g, ''))
      }),
      always,
    )
  })

  it('entries that take the place of others in one call go without a trace', () => {
    fc.assert(
      fc.property(file, entries, fc.nat({ max: places.length }), (before, added, count) => {
        fc.pre(lacks(before, added))
        const [old, young] = [added.slice(0, count), added.slice(count)]
        const first = edit(before, old, {}, syntax)
        const swapped = edit(first.text, [...old.map(removal), ...young], first.origins, syntax)
        const last = edit(swapped.text, young.map(removal), swapped.origins, syntax)
        expect(last).toEqual({ text: before, origins: {} })
      }),
      always,
    )
  })

  it('what the user changes in between stays', () => {
    fc.assert(
      fc.property(file, entries, fc.constantFrom('', 'CHANGED', 'a longer text'), (before, added, text) => {
        fc.pre(before.includes(userText) && lacks(before, added))
        const change = (each: string) => each.replaceAll(userText, text)
        const between = edit(before, added, {}, syntax)
        const after = edit(change(between.text), added.map(removal), between.origins, syntax)
        expect(after.text).toBe(change(before))
      }),
      always,
    )
  })

  it('an independent reader finds the entries, and all else as it was', () => {
    fc.assert(
      fc.property(file, entries, (before, added) => {
        const result = documentOf(before, syntax).edit(added, {})
        fc.pre('text' in result)
        const expected = added.reduce<Json>(applied, independentValue(before, syntax) ?? {})
        expect(independentValue(result.text, syntax)).toEqual(expected)
      }),
      always,
    )
  })

  it('adding inserts, and deletes no more than the blanks of what is empty', () => {
    fc.assert(
      fc.property(file, entries, (before, added) => {
        fc.pre(lacks(before, added))
        const { text, origins } = edit(before, added, {}, syntax)
        expect(comments(text)).toEqual(comments(before))
        const hadBlanks = Object.values(origins).some((origin) => origin !== null)
        if (!hadBlanks) expect(isSubsequence(before, text)).toBe(true)
      }),
      always,
    )
  })

  it('changing a value changes no other byte', () => {
    fc.assert(
      fc.property(file, fc.constantFrom('a', 'b', 'mcpServers'), entryValue, (before, key, value) => {
        const root = parseTree(before.replace('\uFEFF', ' '))
        const node = root && findNodeAtLocation(root, [key])
        fc.pre(node !== undefined)
        const head = before.slice(0, node.offset)
        const tail = before.slice(node.offset + node.length)
        const { text } = edit(before, [{ path: [key], value }], {}, syntax)
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
        const written = text.slice(head.length, text.length - tail.length)
        expect(independentValue(written, syntax)).toEqual(value)
      }),
      always,
    )
  })

  it('removing what the user wrote deletes that, and nothing else that means something', () => {
    fc.assert(
      fc.property(file, fc.subarray([...places], { minLength: 1 }), (before, chosen) => {
        const removals = chosen.map(removal)
        const { text } = edit(before, removals, {}, syntax)
        expect(isSubsequence(text, before)).toBe(true)
        const value = independentValue(before, syntax)
        expect(independentValue(text, syntax)).toEqual(value && removals.reduce<Json>(applied, value))
      }),
      always,
    )
  })
})
