import { describe, expect, it } from 'vitest'
import { inToml } from '../../src/diagnostics/notation.ts'

const helps: readonly (readonly [help: string, inToml: string])[] = [
  ['Write `version: 1` at the top.', 'Write `version = 1` at the top.'],
  ['or `omit: [toolTimeoutMs, cwd]` for this target', 'or `omit = ["toolTimeoutMs", "cwd"]` for this target'],
  ['`account: { variables: [NAME] }`.', '`account = { variables = ["NAME"] }`.'],
  ['write { verbatim: "…" } in its place', 'write { verbatim = "…" } in its place'],
  ['`{ env: NAME }` or `required: true`', '`{ env = "NAME" }` or `required = true`'],
  ['Write `tools: { include: […] }`.', 'Write `tools = { include = […] }`.'],
  [
    'Known here: env, file. See `arguments[3]`: it is literal.',
    'Known here: env, file. See `arguments[3]`: it is literal.',
  ],
]

describe('A help for a spec in TOML', () => {
  it.each(helps)('shows %s in the notation of TOML', (help, expected) => {
    expect(inToml(help)).toBe(expected)
    expect(inToml(expected)).toBe(expected)
  })
})
