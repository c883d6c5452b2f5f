import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/compile/serialize.ts'
import type { Edit } from '../../../src/install/edit/document.ts'
import { parseJson } from '../../../src/install/edit/json.ts'
import { applied, comments, isSubsequence } from './json-model.ts'
import { edit, independentValue, lenientJson, removal, set, strictJson } from './json-support.ts'

/** Files as people and programs write them; kept byte for byte. */
const folder = new URL('../corpus/json/', import.meta.url)
const files = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}))

/** Where the harness that reads the file has its servers. */
const tables: readonly (readonly [name: RegExp, path: readonly string[]])[] = [
  [/^vscode-mcp/, ['servers']],
  [/^vscode-settings/, ['mcp', 'servers']],
  [/^opencode/, ['mcp']],
  [/^zed/, ['context_servers']],
  [/^other-keys/, ['mcp/servers~']],
  [/./, ['mcpServers']],
]

const local = { command: 'npx', args: ['-y', 'C:\\x "y"', ''], env: { A: '${A}\n' } }
const remote = { type: 'http', url: 'https://mcp.example.com/mcp?a=1&b=2', headers: {} }

function entriesFor(name: string): Edit[] {
  const table = tables.find(([pattern]) => pattern.test(name))?.[1] ?? []
  return [
    set([...table, 'bridle-local'], local),
    set([...table, 'bridle-remote'], remote),
    ...['mcp__bridle-local__delete', 'mcp__bridle-remote'].map((element) => ({
      path: ['permissions', 'deny'],
      element,
      value: element,
    })),
    set(['bridleTimeout'], 20_000),
  ]
}

it('The corpus is large enough to show many styles', () => {
  expect(files.length).toBeGreaterThanOrEqual(30)
  const has = (pattern: RegExp) => files.some(({ text }) => pattern.test(text))
  for (const style of [/\r\n/, /^\uFEFF/, /^\t/m, /,\s*\}/, /\/\//, /\/\*/, /^$/, /[^\n]$/]) {
    expect([style, has(style)]).toEqual([style, true])
  }
})

describe.each(files)('$name', ({ name, text }) => {
  const isStrict = 'document' in parseJson(text, strictJson)
  const syntax = isStrict ? strictJson : lenientJson
  const added = entriesFor(name)
  const changed = added.map((each) =>
    each.element === undefined ? { ...each, value: { ...remote, headers: { X: '1' } } } : each,
  )

  it('takes entries, twice with the same bytes, and gives back its own', () => {
    const first = edit(text, added, {}, syntax)
    expect(edit(first.text, added, first.origins, syntax)).toEqual(first)
    expect(edit(first.text, added.map(removal), first.origins, syntax)).toEqual({ text, origins: {} })
  })

  it('takes them one after the other, changes them, and gives them back in another order', () => {
    let state = edit(text, [], {}, syntax)
    for (const change of [...added, ...changed, ...changed, ...added.map(removal).reverse()]) {
      state = edit(state.text, [change], state.origins, syntax)
    }
    expect(state).toEqual({ text, origins: {} })
  })

  it('says what it said, and the entries', () => {
    const { text: after } = edit(text, added, {}, syntax)
    const expected = added.reduce<Json>(applied, independentValue(text, syntax) ?? {})
    expect(independentValue(after, syntax)).toEqual(expected)
    expect(comments(after)).toEqual(comments(text))
  })

  it('keeps every character', () => {
    const { text: after, origins } = edit(text, added, {}, syntax)
    const isBlankReplaced = Object.values(origins).some((origin) => origin !== null)
    expect(isBlankReplaced || isSubsequence(text, after)).toBe(true)
    expect(after.includes('\r\n')).toBe(text.includes('\r\n'))
    expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
    expect(after.endsWith('\n')).toBe(text.endsWith('\n') || text === '')
  })
})
