import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fromJSONSchema } from 'zod'
import { specJsonSchema } from '../../src/spec/json-schema.ts'
import { starterSpec } from '../../src/spec/starter.ts'
import { targetIds } from '../../targets/index.ts'
import { specValue } from './arbitrary.ts'

const document = specJsonSchema(targetIds)
const schema = fromJSONSchema(document as Parameters<typeof fromJSONSchema>[0])

describe('The JSON Schema', () => {
  it('is the one that is checked in', () => {
    expect(JSON.parse(readFileSync('schemas/bridle.schema.json', 'utf8'))).toEqual(document)
  })

  it('takes the starter spec', () => {
    expect(schema.safeParse(parse(starterSpec))).toMatchObject({ success: true })
  })

  it('takes what the reader takes', () => {
    fc.assert(
      fc.property(specValue, (value) => {
        expect(schema.safeParse(value)).toMatchObject({ success: true })
      }),
    )
  })

  const server = (fields: object) => ({ version: 1, servers: { s: fields } })
  it.each<[string, object]>([
    ['an unknown key', server({ command: 'x', args: [] })],
    ['a key of the other kind', server({ command: 'x', headers: {} })],
    ['both kinds', server({ command: 'x', url: 'https://h' })],
    ['neither kind', server({ title: 'x' })],
    ['a number as an argument', server({ command: 'x', arguments: [5] })],
    ['a reference in a literal', server({ command: '${x}' })],
    ['a timeout of 0', server({ command: 'x', toolTimeoutMs: 0 })],
    ['a name with a blank', { version: 1, servers: { 'a b': { command: 'x' } } }],
    ['another version', { version: 2, servers: {} }],
    ['an unknown target', { version: 1, servers: {}, targets: { clude: {} } }],
    ['a reserved variable', { version: 1, servers: {}, variables: { BRIDLE_X: {} } }],
  ])('refuses %s', (_, value) => {
    expect(schema.safeParse(value)).toMatchObject({ success: false })
  })

  it('says something about every field', () => {
    const silent = fieldsOf(document as Json).filter(({ field }) => field['description'] === undefined)
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})

type Json = { readonly [key: string]: unknown }

/** The fields of every mapping within, but for those whose name says all. */
function fieldsOf(node: Json): { name: string; field: Json }[] {
  const own = Object.entries((node['properties'] ?? {}) as Record<string, Json>)
  const inner = Object.values(node).filter(
    (value): value is Json => typeof value === 'object' && value !== null,
  )
  return [...own.map(([name, field]) => ({ name, field })), ...inner.flatMap(fieldsOf)]
}
