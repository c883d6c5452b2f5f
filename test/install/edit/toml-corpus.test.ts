import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  changedServer,
  documentOf,
  edit,
  isInsertion,
  remove,
  server,
  set,
  smallServer,
  untouched,
} from './toml-support.ts'

const folder = path.join(import.meta.dirname, '../corpus/toml')
const files = readdirSync(folder).map(
  (name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const,
)

describe('A file of the corpus', () => {
  it('is one of many', () => {
    expect(files.length).toBeGreaterThan(25)
  })

  it.each(files)('%s gets an entry in one place, and nothing else changes', (name, text) => {
    const { text: after } = edit(untouched(text), set('ours', server))
    if (name !== 'inline-servers-empty.toml') expect(isInsertion(text, after)).toBe(true)
    expect(documentOf(after).valueAt(['mcp_servers', 'ours'])).toEqual(server)
  })

  it.each(files)('%s stays the same when the same is written twice', (_, text) => {
    const edits = [set('ours', server), set('second', smallServer)]
    const once = edit(untouched(text), ...edits)
    expect(edit(once, ...edits)).toEqual(once)
    const oneByOne = edit(edit(untouched(text), set('ours', server)), set('second', smallServer))
    expect(oneByOne).toEqual(once)
  })

  it.each(files)('%s has its bytes again when the entries are removed, in any order', (_, text) => {
    const both = edit(untouched(text), set('ours', server), set('second', smallServer))
    const original = { text, origins: {} }
    expect(edit(both, remove('ours'), remove('second'))).toEqual(original)
    expect(edit(edit(both, remove('ours')), remove('second'))).toEqual(original)
    expect(edit(edit(both, remove('second')), remove('ours'))).toEqual(original)
  })

  it.each(files)(
    '%s has its bytes again after an entry was changed, and changed to a smaller one',
    (_, text) => {
      const added = edit(untouched(text), set('ours', server), set('second', server))
      const changed = edit(added, set('ours', changedServer), set('second', smallServer))
      expect(documentOf(changed.text).valueAt(['mcp_servers', 'ours'])).toEqual(changedServer)
      const exchanged = edit(changed, remove('second'), set('third', {}))
      expect(edit(exchanged, remove('third'), remove('ours'))).toEqual({ text, origins: {} })
    },
  )

  it.each(files)(
    "%s loses the user's own servers when they are taken over and removed, and nothing else",
    (_, text) => {
      const before = documentOf(text).valueAt([])
      const names = Object.keys((documentOf(text).valueAt(['mcp_servers']) ?? {}) as object)
      const replaced = edit(untouched(text), ...names.map((name) => set(name, server)))
      const removed = edit(replaced, ...names.map(remove))
      const rest = (value: unknown) => ({ ...(value as object), mcp_servers: undefined })
      expect(rest(documentOf(removed.text).valueAt([]))).toEqual(rest(before))
      expect(documentOf(removed.text).valueAt(['mcp_servers']) ?? {}).toEqual({})
    },
  )
})
