import { type FileSyntax, type InstalledFile, strictJson } from '../../src/compile/installed-file.ts'
import { paths } from './emission.ts'

/** Of every one of its files, also the user's, 2.1.332 takes a byte order mark, and neither comments nor surplus commas. */
const json: FileSyntax = { ...strictJson, byteOrderMark: true }

/** Where the documents of Claude Code go: the servers into one file, the rules about their tools into another. */
export const files: readonly InstalledFile[] = [
  {
    document: paths.standalone.mcp,
    entries: [{ kind: 'keys', path: ['mcpServers'] }],
    readBack: {
      executable: 'claude',
      folderVariable: 'CLAUDE_CONFIG_DIR',
      // It stores what it has understood of an entry, without the keys that it does not know.
      questions: (entries) =>
        Object.entries(entries).map(([name, entry]) => ({
          arguments: ['mcp', 'add-json', '-s', 'user', '--', name, '-'],
          input: JSON.stringify(entry),
        })),
      answerFile: '.claude.json',
      tellsAll: true,
      entries: ([state = '']) => JSON.parse(state).mcpServers,
    },
    project: {
      path: '.mcp.json',
      syntax: json,
      readWhen: 'Claude Code reads it at its next start, and asks before it uses a server for the first time',
    },
    user: {
      executable: 'claude',
      reads: {
        variable: 'CLAUDE_CONFIG_DIR',
        folder: '',
        path: '.claude.json',
        syntax: json,
        readWhen: 'Claude Code reads it at its next start',
      },
      add: (name) => ['mcp', 'add-json', '-s', 'user', name, '-'],
      remove: (name) => ['mcp', 'remove', '-s', 'user', name],
      readWhen: 'Claude Code reads it at its next start',
    },
  },
  {
    document: paths.standalone.settings,
    entries: [
      { kind: 'elements', path: ['permissions', 'deny'] },
      { kind: 'elements', path: ['permissions', 'ask'] },
      { kind: 'value', path: ['env', 'MCP_TIMEOUT'] },
    ],
    project: {
      path: '.claude/settings.json',
      syntax: json,
      readWhen: 'Claude Code reads it at its next start',
    },
    user: {
      variable: 'CLAUDE_CONFIG_DIR',
      folder: '.claude',
      path: 'settings.json',
      syntax: json,
      readWhen: 'Claude Code reads it at its next start',
    },
  },
]
