import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import type { FileSyntax } from '../../src/compile/installed-file.ts'
import { files } from '../../targets/claude/files.ts'
import { claude } from '../../targets/claude/target.ts'
import { claudeFolders, runClaude, writeFiles } from './support/claude.ts'
import { useDumpServers } from './support/dump-tools.ts'

const { dumper } = useDumpServers()

/** What a file may be beside plain JSON, and whether the target says that the program takes it. */
const forms: Readonly<Record<string, [(json: string) => string, (syntax: FileSyntax) => boolean]>> = {
  'plain JSON': [(json) => json, () => true],
  'Windows line ends': [(json) => json.replaceAll('\n', '\r\n'), () => true],
  'a byte order mark': [(json) => `\ufeff${json}`, ({ byteOrderMark }) => byteOrderMark],
  comments: [(json) => `// one\n${json.replace('{', '{ /* another */')}`, ({ comments }) => comments],
  'a comma after the last member': [
    (json) => json.replace(/\}$/, ',}'),
    ({ trailingCommas }) => trailingCommas,
  ],
}

/** Below the folders of a run: the file of a project and the one of the user, for servers and for rules. */
const places = {
  servers: ['project/.mcp.json', 'state/.claude.json'],
  rules: ['project/.claude/settings.json', 'state/settings.json'],
}

function syntaxOf(file: string): FileSyntax | undefined {
  const installed = files.flatMap(({ project, user }) => [
    project && { file: `project/${project.path}`, syntax: project.syntax },
    user && 'reads' in user && { file: `state/${user.reads.path}`, syntax: user.reads.syntax },
    user && 'syntax' in user && { file: `state/${user.path}`, syntax: user.syntax },
  ])
  return installed.flatMap((each) => each || []).find((each) => each.file === file)?.syntax
}

describe.each(Object.entries(forms))(
  'a file with %s is read, where the target says so',
  (_, [write, isTaken]) => {
    test.each(places.servers)('%s', async (file) => {
      expect(await readBy({ [file]: write(servers()) })).toMatchObject({
        servers: isTaken(syntax(file)) ? { dump: 'connected' } : {},
      })
    })

    test.each(places.rules)('%s', async (file) => {
      const run = await readBy({ 'project/.mcp.json': servers(), [file]: write(rules) })
      expect(run.offered.includes('mcp__dump__extra')).toBe(!isTaken(syntax(file)))
    })
  },
)

it('In a folder below, the servers of a project are read and its rules are not, as the target says', async () => {
  const contents = { 'project/.mcp.json': servers(), 'project/.claude/settings.json': rules }
  const { servers: found, offered } = await readBy({ ...contents, 'project/.git/HEAD': '' }, 'below')
  expect(found).toEqual(claude.foundFromBelow.includes('.mcp.json') ? { dump: 'connected' } : {})
  expect(offered).toContain('mcp__dump__extra')
})

const rules = JSON.stringify({ permissions: { deny: ['mcp__dump__extra'] } }, null, 2)

function servers(): string {
  const { command, arguments: args } = dumper() as { command: string; arguments: string[] }
  return JSON.stringify({ mcpServers: { dump: { type: 'stdio', command, args } } }, null, 2)
}

function syntax(file: string): FileSyntax {
  const found = syntaxOf(file)
  if (found === undefined) throw new Error(`the target has no file ${file}`)
  return found
}

async function readBy(contents: Readonly<Record<string, string>>, below = '.') {
  const folders = claudeFolders()
  try {
    writeFiles(path.dirname(folders.project), contents)
    const project = path.join(folders.project, below)
    mkdirSync(project, { recursive: true })
    return await runClaude({ ...folders, project }, [], [], {})
  } finally {
    folders.dispose()
  }
}
