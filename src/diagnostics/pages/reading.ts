import { type Pages, spec, words } from './page.ts'

/** Finding and reading the file. */
export const readingPages: Pages<'BRIDLE1'> = {
  BRIDLE101: words(
    'Bridle looks for bridle.yaml, bridle.json or bridle.toml in the working directory and the folders above it, no further than the root of the git repository or the home folder.',
    'bridle check, in a repository that has no bridle.yaml',
    'bridle init writes a spec to begin with; bridle check --config FILE reads one from elsewhere.',
  ),
  BRIDLE102: words(
    'A folder holds two specs, such as bridle.yaml and bridle.json. Bridle does not guess which of them you keep up to date.',
    'ls: bridle.json  bridle.yaml',
    'Delete all but one, or name the one that is meant: bridle check --config bridle.yaml',
  ),
  BRIDLE103: words(
    'The system does not let Bridle read the file: you have no permission, it is a folder, or a link leads back to itself.',
    'bridle check --config ./specs, where specs is a folder',
    'bridle check --config ./specs/bridle.yaml',
  ),
  BRIDLE104: words(
    'A spec has at most 8 MiB, which is far more than ten thousand servers need. A larger file is the wrong file.',
    'bridle check --config database.json',
    'bridle check --config bridle.json',
  ),
  BRIDLE105: words(
    'A spec is UTF-8 text. The file has other bytes: it is binary, or was saved in another encoding.',
    'An editor on Windows saved bridle.yaml as UTF-16.',
    'Save the file as UTF-8; a byte order mark does no harm.',
  ),
  BRIDLE106: spec(
    'The text is not YAML 1.2 (in a .json file not JSON, in a .toml file not TOML 1.1). The place is where reading came to an end; the cause often stands on the line before.',
    `version: 1
servers:
  notes:
    command: npx
    arguments: [-y, notes-mcp
`,
    `version: 1
servers:
  notes:
    command: npx
    arguments: [-y, notes-mcp]
`,
  ),
  BRIDLE107: spec(
    'A key stands twice in one mapping. Many readers silently keep the last one; Bridle wants to know which is meant.',
    `version: 1
servers:
  notes: { command: notes-mcp }
  notes: { command: old-notes-mcp }
`,
    `version: 1
servers:
  notes: { command: notes-mcp }
  old-notes: { command: old-notes-mcp }
`,
  ),
  BRIDLE108: spec(
    'A YAML alias stands inside the value that it stands for, or aliases of aliases grow beyond all use.',
    `version: 1
x-shared: &shared { again: *shared }
servers: {}
`,
    `version: 1
x-shared: &shared { toolTimeoutMs: 60000 }
servers:
  notes: { <<: *shared, command: notes-mcp }
`,
  ),
  BRIDLE109: spec(
    'YAML can do more than a spec needs: tags, directives, several documents, keys that are not text. Anchors, aliases and merge keys are welcome.',
    `version: 1
servers:
  8080: { command: notes-mcp }
`,
    `version: 1
servers:
  "8080": { command: notes-mcp }
`,
  ),
  BRIDLE110: spec(
    'The file holds nothing, or something that is not a mapping of keys to values.',
    `# to be written
`,
    `version: 1
servers: {}
`,
  ),
  BRIDLE111: words(
    'TOML has dates and times, the language has not. A text that looks like a date stands in quotes.',
    'environment = { SINCE = 2024-05-01 } in bridle.toml',
    'environment = { SINCE = "2024-05-01" }',
  ),
}
