import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LaunchableTarget } from '../../src/compile/target.ts'
import { checkProjectAgents } from '../../src/launch/project-agents.ts'
import type { LaunchRequest } from '../../src/launch/request.ts'
import { Workplace } from '../fixtures/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const agentFiles = { folders: ['.github/agents', '.claude/agents'], keyOfServers: 'mcp-servers' }
const target = { id: 'tool', title: 'Tool', launch: { agentFiles } } as unknown as LaunchableTarget

function found(workingDirectory = '.'): string[] {
  const { project } = place
  const request = { target, project, workingDirectory: path.join(project, workingDirectory) } as LaunchRequest
  return checkProjectAgents(request).map(({ message }) => /`([^`]*)`/.exec(message)?.[1] ?? message)
}

const servers = '---\nname: a\nmcp-servers: { own: { command: node } }\n---\nText.\n'

describe('agents of a project', () => {
  it.each([
    ['a block', '---\nname: a\nmcp-servers:\n  own:\n    command: node\n---\n'],
    ['a flow', servers],
    ['quotes', '---\n"mcp-servers": {}\n---\n'],
    ['an escape', '---\n"mcp\\x2dservers": {}\n---\n'],
    ['another escape', '---\n"mcp\\u002Dservers": {}\n---\n'],
    ['a longer escape', '---\n"\\U0000006dcp-servers": {}\n---\n'],
    ['a line that goes on', '---\n? "mcp-\\\n  servers"\n: {}\n---\n'],
    ['JSON', '---\r\n{"mcp-servers": {}}\r\n---\r\n'],
    ['a byte order mark', `\ufeff${servers}`],
    ['no end', '---\nmcp-servers: {}\n'],
    ['more than an agent has', `${'x'.repeat(1024 * 1024)}\n`],
  ])('are refused when they bring servers, written with %s', (_, text) => {
    place.write('project/.github/agents/a.md', text)
    expect(found()).toEqual(['.github/agents/a.md'])
  })

  it.each([
    ['no servers', '---\nname: a\n---\nText.\n'],
    ['the word in their text', '---\nname: a\n---\nState mcp-servers in the spec.\n'],
    ['a broken escape', '---\nname: "\\UFFFFFFFF"\n---\n'],
  ])('are left alone with %s', (_, text) => {
    place.write('project/.github/agents/a.md', text)
    expect(found()).toEqual([])
  })

  it('are looked for where the harness does: in folders, through links, from the working folder up', () => {
    place.write('project/.github/agents/team/deep.md', servers)
    place.write('project/.claude/agents/a.md', servers)
    place.write('project/sub/.github/agents/b.md', servers)
    place.write('project/elsewhere/c.md', servers)
    place.write('project/.github/agents/notes.txt', servers)
    symlinkSync('../../elsewhere', path.join(place.project, '.github/agents/linked'))
    symlinkSync('.', path.join(place.project, '.github/agents/again'))
    const top = ['.claude/agents/a.md', '.github/agents/linked/c.md', '.github/agents/team/deep.md']
    expect(found().sort()).toEqual(top)
    expect(found('sub').sort()).toEqual([...top, 'sub/.github/agents/b.md'])
  })

  it('are no matter for a harness that does not offer them', () => {
    place.write('project/.github/agents/a.md', servers)
    const other = { ...target, launch: {} } as LaunchableTarget
    expect(checkProjectAgents({ target: other, project: place.project } as LaunchRequest)).toEqual([])
  })
})
