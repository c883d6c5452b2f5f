import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineSpec } from '../../src/api/define-spec.ts'
import type { SpecDefinition } from '../../src/spec/definition.ts'
import type { SpecInput } from '../../src/spec/schema.ts'
import { findTarget, type TargetId, targetIds } from '../../targets/index.ts'

/** A type without what the schema's own cannot say: `readonly`, the free keys, and keys that must not be there. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Value extends object
    ? {
        -readonly [Key in keyof Value as Key extends `x-${string}` | '$schema'
          ? never
          : [Exclude<Value[Key], undefined>] extends [never]
            ? never
            : Key]: Plain<Exclude<Value[Key], undefined>>
      }
    : Value

const whole = defineSpec({
  $schema: './bridle.schema.json',
  version: 1,
  variables: { API_KEY: {}, TOKEN: { env: 'OTHER_NAME' } },
  servers: {
    files: {
      title: 'Files',
      command: 'npx',
      arguments: ['-y', 'files-mcp', { verbatim: '${name}' }],
      workingDirectory: '.',
      environment: { LOG_LEVEL: 'warn' },
      variables: ['API_KEY'],
      tools: { include: ['read'], exclude: ['write'] },
      requiresConfirmation: ['read'],
      startupTimeoutMs: 1,
      toolTimeoutMs: 1,
      shared: true,
      required: true,
      enabled: false,
      'x-note': { any: 'thing' },
    },
    docs: {
      url: 'https://mcp.example.com/mcp',
      headers: { 'X-Team': 'core' },
      headerVariables: { 'X-Key': 'API_KEY' },
      oauth: { clientId: 'bridle', clientSecretVariable: 'TOKEN', scopes: ['read'] },
    },
    more: { url: 'https://mcp.example.com/more', bearerTokenVariable: 'TOKEN', requiresConfirmation: true },
    login: { url: 'https://mcp.example.com/login', oauth: 'login' },
    renamed: { command: 'a', variables: { KEY: 'API_KEY' } },
  },
  targets: {
    claude: { account: { variables: ['API_KEY'] }, environment: { A: 'b' } },
    codex: { servers: { exclude: ['docs', 'more'] }, omit: ['workingDirectory'] },
  },
})

describe('The type of a spec', () => {
  it('takes everything of the language', () => {
    expectTypeOf(whole).toEqualTypeOf<
      SpecDefinition<'API_KEY' | 'TOKEN', 'files' | 'docs' | 'more' | 'login' | 'renamed', TargetId>
    >()
  })

  it('says the same as the schema', () => {
    expectTypeOf<Plain<SpecDefinition>>().toEqualTypeOf<Plain<SpecInput>>()
  })

  it('knows every target', () => {
    expectTypeOf<TargetId>().toExtend<string>()
    for (const id of targetIds) expect(findTarget(id)?.id).toBe(id)
  })
})

describe('The compiler refuses', () => {
  it('what is not the language', () => {
    const secret = { API_KEY: {} }
    // @ts-expect-error there is one version
    defineSpec({ version: 2, servers: {} })
    // @ts-expect-error servers are needed
    defineSpec({ version: 1 })
    // @ts-expect-error an unknown key
    defineSpec({ version: 1, servers: {}, server: {} })
    // @ts-expect-error a server needs a command or a url
    defineSpec({ version: 1, servers: { a: {} } })
    // @ts-expect-error not both
    defineSpec({ version: 1, servers: { a: { command: 'a', url: 'https://a.example' } } })
    // @ts-expect-error a key of the other kind
    defineSpec({ version: 1, servers: { a: { url: 'https://a.example', arguments: [] } } })
    // @ts-expect-error an unknown key of a server
    defineSpec({ version: 1, servers: { a: { command: 'a', args: [] } } })
    // @ts-expect-error a variable that is not declared
    defineSpec({ version: 1, variables: secret, servers: { a: { command: 'a', variables: ['API_KY'] } } })
    // @ts-expect-error no variable is declared
    defineSpec({ version: 1, servers: { a: { url: 'https://a.example', bearerTokenVariable: 'API_KEY' } } })
    const a = { command: 'a' }
    // @ts-expect-error a server that there is not
    defineSpec({ version: 1, servers: { a }, targets: { codex: { servers: { include: ['b'] } } } })
    // @ts-expect-error a target that there is not
    defineSpec({ version: 1, servers: {}, targets: { codxe: {} } })
    // @ts-expect-error a restriction cannot be omitted
    defineSpec({ version: 1, servers: {}, targets: { codex: { omit: ['tools'] } } })
    // @ts-expect-error a value has no place in a spec
    defineSpec({ version: 1, variables: { API_KEY: { value: 'secret' } }, servers: {} })
  })
})
