import { type Page, type Pages, spec } from './page.ts'

/** The language: what a spec may say. */
export const languagePages: Pages<'BRIDLE2'> = {
  BRIDLE201: inNotes(
    'A value is of another kind than the key takes. In YAML a text that looks like a number, true, false or null is one, unless it stands in quotes.',
    'arguments: [--port, 8080]',
    'arguments: [--port, "8080"]',
  ),
  BRIDLE202: inNotes(
    'The key is not part of the language, most often because it is misspelt. Keys that begin with x- are left alone.',
    'args: [--verbose]',
    'arguments: [--verbose]',
  ),
  BRIDLE203: spec(
    'A spec says with which version of the language it was written. There is only version 1.',
    `version: 2
servers: {}
`,
    `version: 1
servers: {}
`,
  ),
  BRIDLE204: spec(
    'A server is either a command to start or a url to reach, and which one it is follows from the key.',
    `version: 1
servers:
  notes: { title: Notes }
`,
    `version: 1
servers:
  notes: { title: Notes, command: notes-mcp }
`,
  ),
  BRIDLE205: spec(
    'A name holds characters that a harness, a system or a protocol would not take, or is kept by Bridle for itself.',
    `version: 1
servers:
  my notes: { command: notes-mcp }
`,
    `version: 1
servers:
  my-notes: { command: notes-mcp, title: My notes }
`,
  ),
  BRIDLE206: inNotes(
    'The value is of the right kind, but none that the key can have: out of range, empty, doubled or malformed.',
    'startupTimeoutMs: 0',
    'startupTimeoutMs: 20000',
  ),
  BRIDLE207: spec(
    'Texts in a spec are literal, so ${NAME} would reach the server as these very characters. Nearly always a variable is meant. If not, write { verbatim: … }, which is possible in arguments, environment and headers.',
    `version: 1
servers:
  notes:
    command: notes-mcp
    environment: { NOTES_TOKEN: "\${NOTES_TOKEN}" }
`,
    `version: 1
variables:
  NOTES_TOKEN: {}
servers:
  notes:
    command: notes-mcp
    variables: [NOTES_TOKEN]
    environment: { GREETING: { verbatim: "Hi \${name}" } }
`,
  ),
  BRIDLE208: inNotes(
    'A NUL ends a text for the operating system, and half a surrogate pair cannot be written as UTF-8: no program could receive them.',
    'arguments: ["a\\0b"]',
    'arguments: ["a", "b"]',
  ),
  BRIDLE209: spec(
    'A server names a variable that is not declared at the top. Declaring them in one place shows at a glance which secrets a spec needs.',
    `version: 1
servers:
  notes: { command: notes-mcp, variables: [NOTES_TOKEN] }
`,
    `version: 1
variables: { NOTES_TOKEN: {} }
servers:
  notes: { command: notes-mcp, variables: [NOTES_TOKEN] }
`,
  ),
  BRIDLE210: spec(
    'A variable is declared and no server or harness gets it. That is a warning: nothing breaks, but often a name was forgotten.',
    `version: 1
variables: { NOTES_TOKEN: {} }
servers:
  notes: { command: notes-mcp }
`,
    `version: 1
variables: { NOTES_TOKEN: {} }
servers:
  notes: { command: notes-mcp, variables: [NOTES_TOKEN] }
`,
  ),
  BRIDLE211: spec(
    'Two settings answer the same question, and Bridle does not guess which of them wins.',
    `version: 1
variables: { DOCS_TOKEN: {} }
servers:
  docs: { url: "https://mcp.example.com/mcp", oauth: login, bearerTokenVariable: DOCS_TOKEN }
`,
    `version: 1
variables: { DOCS_TOKEN: {} }
servers:
  docs: { url: "https://mcp.example.com/mcp", bearerTokenVariable: DOCS_TOKEN }
`,
  ),
  BRIDLE212: spec(
    'The word is reserved: a later version of Bridle will give it a meaning. Until then it is refused rather than ignored.',
    `version: 1
variables:
  NOTES_TOKEN: { file: ~/.config/notes/token }
servers:
  notes: { command: notes-mcp, variables: [NOTES_TOKEN] }
`,
    `version: 1
variables:
  NOTES_TOKEN: { env: NOTES_TOKEN_FROM_FILE }
servers:
  notes: { command: notes-mcp, variables: [NOTES_TOKEN] }
`,
  ),
  BRIDLE213: spec(
    'The keys under targets are the harnesses to write for, by the names that `bridle targets` lists.',
    `version: 1
servers: {}
targets: { built-in: {} }
`,
    `version: 1
servers: {}
targets: { builtin: {} }
`,
  ),
  BRIDLE214: spec(
    'A target includes or excludes a server that the spec does not have.',
    `version: 1
servers:
  notes: { command: notes-mcp }
targets:
  builtin: { servers: { exclude: [note] } }
`,
    `version: 1
servers:
  notes: { command: notes-mcp }
targets:
  builtin: { servers: { exclude: [notes] } }
`,
  ),
  BRIDLE215: spec(
    'A target may go without tuning: timeouts and the working directory. It may never go without a restriction or a credential; a server that needs one is left out for this target instead.',
    `version: 1
servers:
  notes: { command: notes-mcp, tools: { exclude: [delete_note] } }
targets:
  builtin: { omit: [tools] }
`,
    `version: 1
servers:
  notes: { command: notes-mcp, tools: { exclude: [delete_note] } }
targets:
  builtin: { servers: { exclude: [notes] } }
`,
  ),
  BRIDLE216: inNotes(
    'The key has a meaning for servers of the other kind only: headers belong to a url, arguments and environment to a command.',
    'headers: { X-Team: core }',
    'environment: { TEAM: core }',
  ),
  BRIDLE217: spec(
    'A mapping lacks a key that it cannot do without.',
    `version: 1
variables: { CRM_SECRET: {} }
servers:
  crm:
    url: https://crm.example.com/mcp
    oauth: { clientSecretVariable: CRM_SECRET }
`,
    `version: 1
variables: { CRM_SECRET: {} }
servers:
  crm:
    url: https://crm.example.com/mcp
    oauth: { clientId: bridle, clientSecretVariable: CRM_SECRET }
`,
  ),
  BRIDLE218: spec(
    'It is legal and will be taken as it is written, but people who write it nearly always mean something else: a command with its arguments in one text, a `~` or `$HOME` that only a shell would expand, npx without `-y`, a pattern in place of the name of a tool.',
    `version: 1
servers:
  notes: { command: "npx -y notes-mcp" }
`,
    `version: 1
servers:
  notes: { command: npx, arguments: [-y, notes-mcp] }
`,
  ),
  BRIDLE219: spec(
    'A literal has the shape of a well-known credential, or stands where one is mostly found: under a name such as API_KEY or DB_PASSWORD, in an Authorization header, behind an option such as --token, in an address. A spec is shared and committed, and literals stand in the files that Bridle writes. The secret is covered wherever Bridle shows the line.',
    `version: 1
servers:
  notes:
    command: notes-mcp
    environment: { NOTES_TOKEN: ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa }
`,
    `version: 1
variables: { NOTES_TOKEN: {} }
servers:
  notes: { command: notes-mcp, variables: [NOTES_TOKEN] }
`,
  ),
}

/** A spec with one server, in which one line differs. */
function inNotes(meaning: string, example: string, mend: string): Page {
  const around = (line: string) => `version: 1
servers:
  notes:
    command: notes-mcp
    ${line}
`
  return spec(meaning, around(example), around(mend))
}
