import { describe, expect, it } from 'vitest'
import { checkToolNames } from '../../src/compile/check-tools.ts'
import type { ToolNames } from '../../src/compile/target.ts'
import { specOf, targetWith } from './support.ts'

const dashed = (rulesGoBy: ToolNames['rulesGoBy'], longest?: ToolNames['longest']): ToolNames => ({
  shown: (server, tool) => `${server}-${tool.replace(/[^\w-]/g, '-')}`,
  rulesGoBy,
  ...(longest && { longest }),
})

async function find(servers: string, tools?: ToolNames) {
  const spec = await specOf(`version: 1\nservers:\n${servers}targets: { probe: {} }\n`)
  const { names } = targetWith()
  return checkToolNames(spec, spec.servers, targetWith({ names: { ...names, ...(tools && { tools }) } }))
}

const meeting: readonly [name: string, servers: string, original: boolean, shown: boolean][] = [
  ['two tools of one server', '  a: { command: a, tools: { include: [b.c, b-c] } }\n', true, true],
  [
    'tools of two servers',
    '  a: { command: a, tools: { include: [b-c] } }\n  a-b: { command: a, requiresConfirmation: [c] }\n',
    true,
    true,
  ],
  [
    'a tool that is asked for and one that is taken away',
    '  a: { command: a, requiresConfirmation: [b.c], tools: { exclude: [b-c] } }\n',
    false,
    true,
  ],
  ['two tools that are taken away', '  a: { command: a, tools: { exclude: [b.c, b-c] } }\n', false, false],
  [
    'one tool, named twice',
    '  a: { command: a, tools: { include: [b] }, requiresConfirmation: [b] }\n',
    false,
    false,
  ],
  ['tools that stay apart', '  a: { command: a, tools: { include: [b, B] } }\n', false, false],
]

describe('Names of tools', () => {
  it.each(meeting)('that meet are an error, or not, for %s', async (_, servers, original, shown) => {
    const codes = async (tools?: ToolNames) => (await find(servers, tools)).map(({ code }) => code)
    expect(await codes(dashed('original'))).toEqual(original ? ['BRIDLE310'] : [])
    expect(await codes(dashed('shown'))).toEqual(shown ? ['BRIDLE310'] : [])
    expect(await codes()).toEqual([])
  })

  it('that meet are told with both places and a way out', async () => {
    const servers =
      '  a: { command: a, tools: { include: [b-c] } }\n  a-b: { command: a, requiresConfirmation: [c] }\n'
    expect(await find(servers, dashed('original'))).toEqual([
      {
        code: 'BRIDLE310',
        severity: 'error',
        message: 'Probe makes one tool of `b-c` of `a` and `c` of `a-b`: `a-b-c`',
        span: { file: 'bridle.yaml', line: 4, column: 45, length: 1 },
        related: [
          { message: 'the other one', span: { file: 'bridle.yaml', line: 3, column: 39, length: 3 } },
        ],
        target: 'probe',
        server: 'a-b',
        help: 'rename one of the two servers',
      },
    ])
  })

  it('that get too long are a warning that says by how much, but not where the tool is taken away', async () => {
    const names = dashed('shown', { length: 6, consequence: 'its model takes at most 6' })
    const found = await find(
      '  a: { command: a, requiresConfirmation: [four, "12345"], tools: { exclude: ["12345678"] } }\n',
      names,
    )
    expect(found).toMatchObject([
      {
        code: 'BRIDLE311',
        severity: 'warning',
        message: 'Probe calls this tool `a-12345`: 7 characters, and its model takes at most 6',
        help: 'give the server a name that is at least 1 character shorter',
      },
    ])
  })
})
