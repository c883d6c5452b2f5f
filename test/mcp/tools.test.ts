import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkToolNames, filterTools, refuseCall } from '../../src/mcp/tools.ts'
import type { McpServer } from '../../src/spec/spec.ts'
import { stdioServer } from '../fixtures/servers.ts'

const cases: { tools?: McpServer['tools']; left: string[] }[] = [
  { left: ['a', 'b', 'c'] },
  { tools: { include: ['c', 'a'] }, left: ['a', 'c'] },
  { tools: { exclude: ['a'] }, left: ['b', 'c'] },
  { tools: { include: ['a', 'b'], exclude: ['b'] }, left: ['a'] },
  { tools: { include: ['A', 'a '] }, left: [] },
]

describe('the filter of a server', () => {
  it.each(cases)('$tools leaves $left', ({ tools, left }) => {
    expect(filterTools(serverWith({ tools }), declare(['a', 'b', 'c'])).map(({ name }) => name)).toEqual(left)
  })

  it('refuses the call of exactly what it leaves out of the list', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '__proto__', 'toString'), { minLength: 1 })
    fc.assert(
      fc.property(fc.option(names), fc.option(names), names, (include, exclude, offered) => {
        const server = serverWith({ tools: { ...(include && { include }), ...(exclude && { exclude }) } })
        const listed = filterTools(server, declare(offered)).map(({ name }) => name)
        expect(offered.filter((name) => refuseCall(server, name) === undefined)).toEqual(listed)
      }),
    )
  })
})

describe('names that match no tool', () => {
  it('are warnings, with the near ones suggested', () => {
    const server = serverWith({
      tools: { include: ['a', 'serach'], exclude: ['delet'] },
      requiresConfirmation: ['upload'],
    })
    const diagnostics = checkToolNames(server, declare(['a', 'search', 'delete']))
    expect(diagnostics.map(({ code, severity, message, help }) => [code, severity, message, help])).toEqual([
      [
        'BRIDLE702',
        'warning',
        '`tools.include` names `serach`, which the server does not offer',
        'did you mean `search`?',
      ],
      [
        'BRIDLE702',
        'warning',
        '`tools.exclude` names `delet`, which the server does not offer',
        'did you mean `delete`?',
      ],
      [
        'BRIDLE702',
        'warning',
        '`requiresConfirmation` names `upload`, which the server does not offer',
        '`bridle tools` shows what it offers once the filter is removed',
      ],
    ])
  })
})

function serverWith({
  tools,
  ...rest
}: {
  tools?: McpServer['tools'] | undefined
  requiresConfirmation?: string[]
}): McpServer {
  return stdioServer('dump.mjs', [], { ...rest, ...(tools && { tools }) })
}

function declare(names: readonly string[]) {
  return names.map((name) => ({ name, inputSchema: { type: 'object' as const } }))
}
