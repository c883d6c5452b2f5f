import { type FileSyntax, type InstalledFile, strictJson } from '../../src/compile/installed-file.ts'
import { paths } from './emission.ts'

/** What its reader takes in the user's file, and in no other: elsewhere such a file is dropped whole, in silence. */
const lenientJson: FileSyntax = { format: 'json', comments: true, trailingCommas: true, byteOrderMark: true }

export const files: readonly InstalledFile[] = [
  {
    document: paths.standalone,
    entries: [{ kind: 'keys', path: ['mcpServers'] }],
    readBack: {
      executable: 'copilot',
      folderVariable: 'COPILOT_HOME',
      document: { path: 'mcp-config.json', format: 'json', table: 'mcpServers' },
      questions: () => [{ arguments: ['mcp', 'list', '--json'] }],
      tellsAll: false,
      entries: ([answer = '']) => JSON.parse(answer).mcpServers,
    },
    project: {
      path: '.mcp.json',
      syntax: strictJson,
      readWhen:
        'Copilot CLI reads it at its next start, in a folder that you trust; with `-p`, when you add `--trust-folder`',
    },
    user: {
      variable: 'COPILOT_HOME',
      folder: '.copilot',
      path: 'mcp-config.json',
      syntax: lenientJson,
      readWhen: 'Copilot CLI reads it at its next start',
    },
  },
]
