import { type Pages, specFor, words } from './page.ts'

/** What one harness cannot do. */
export const targetPages: Pages<'BRIDLE3'> = {
  BRIDLE301: specFor(
    'claude',
    'The harness has no way to do what the spec asks for. Bridle refuses instead of leaving it out, since you could not see that it is missing. `bridle targets` shows what each harness can do.',
    `version: 1
variables: { CRM_SECRET: {} }
servers:
  crm:
    url: https://crm.example.com/mcp
    oauth: { clientId: bridle, clientSecretVariable: CRM_SECRET }
targets: { claude: {} }
`,
    `version: 1
variables: { CRM_SECRET: {} }
servers:
  crm:
    url: https://crm.example.com/mcp
    oauth: { clientId: bridle, clientSecretVariable: CRM_SECRET }
targets: { builtin: {} }
`,
  ),
  BRIDLE302: specFor(
    'claude',
    'The files of `bridle build` cannot express this for the harness, but `bridle run` can see to it. A note, so that you know why a build alone is refused.',
    `version: 1
servers:
  notes: { command: notes-mcp, tools: { include: [search] } }
targets: { claude: {} }
`,
    `version: 1
servers:
  notes: { command: notes-mcp, tools: { exclude: [delete_note] } }
targets: { claude: {} }
`,
  ),
  BRIDLE303: specFor(
    'claude',
    'The harness, or the launch, keeps the name for itself, or would read it as another one.',
    `version: 1
servers:
  notes__work: { command: notes-mcp }
targets: { claude: {} }
`,
    `version: 1
servers:
  notes-work: { command: notes-mcp }
targets: { claude: {} }
`,
  ),
  BRIDLE304: specFor(
    'codex',
    'The harness rewrites names, and two of yours become the same one: one server would answer for the other.',
    `version: 1
servers:
  my-notes: { command: notes-mcp }
  my_notes: { command: other-notes-mcp }
targets: { codex: {} }
`,
    `version: 1
servers:
  my-notes: { command: notes-mcp }
  other-notes: { command: other-notes-mcp }
targets: { codex: {} }
`,
  ),
  BRIDLE305: specFor(
    'claude',
    'Texts arrive as they are written. Where a harness would change one and there is no way to write it so that it arrives, that target refuses it.',
    `version: 1
servers:
  docs: { url: "https://mcp.example.com/mcp", headers: { X-Team: Müller } }
targets: { claude: {} }
`,
    `version: 1
servers:
  docs: { url: "https://mcp.example.com/mcp", headers: { X-Team: Mueller } }
targets: { claude: {} }
`,
  ),
  BRIDLE306: specFor(
    'claude',
    'The harness blanks some well-known variables before a server could see them, so the server would get an empty secret. `bridle run` passes it under another name.',
    `version: 1
variables: { NPM_TOKEN: {} }
servers:
  docs: { url: "https://mcp.example.com/mcp", bearerTokenVariable: NPM_TOKEN }
targets: { claude: {} }
`,
    `version: 1
variables: { NPM_TOKEN: { env: DOCS_TOKEN } }
servers:
  docs: { url: "https://mcp.example.com/mcp", bearerTokenVariable: NPM_TOKEN }
targets: { claude: {} }
`,
  ),
  BRIDLE307: specFor(
    'claude',
    'The harness honors the feature under a condition, which this use does not meet.',
    `version: 1
servers:
  notes: { command: notes-mcp, toolTimeoutMs: 500 }
targets: { claude: {} }
`,
    `version: 1
servers:
  notes: { command: notes-mcp, toolTimeoutMs: 1000 }
targets: { claude: {} }
`,
  ),
  BRIDLE308: words(
    'What Bridle was about to write does not match its own strict schema of what the harness reads. That is a fault of Bridle; nothing was written.',
    'bridle build reports it for a spec in which nothing is wrong.',
    'Please report it with the spec. Until it is mended, leave the named server out for this target.',
  ),
  BRIDLE309: specFor(
    'claude',
    'The harness can do this when you start it by hand with the files of `bridle build`, but not yet when `bridle run` starts it.',
    `version: 1
servers:
  crm: { url: "https://crm.example.com/mcp", oauth: login }
targets: { claude: {} }
`,
    `version: 1
variables: { CRM_TOKEN: {} }
servers:
  crm: { url: "https://crm.example.com/mcp", bearerTokenVariable: CRM_TOKEN }
targets: { claude: {} }
`,
  ),
  BRIDLE310: specFor(
    'claude',
    'The harness rewrites the names of tools, and two that the spec names become the same one: the harness loses one of them, or takes a rule for one as a rule for both.',
    `version: 1
servers:
  notes:
    command: notes-mcp
    requiresConfirmation: [notes.delete]
    tools: { exclude: [notes_delete] }
targets: { claude: {} }
`,
    `version: 1
servers:
  notes:
    command: notes-mcp
    requiresConfirmation: [notes.delete]
targets: { claude: {} }
`,
  ),
  BRIDLE311: specFor(
    'claude',
    'The harness puts the name of the server in front of the name of a tool, and the model behind it takes no name of this length. A warning, since other models may take it.',
    `version: 1
servers:
  enterprise-database-management:
    command: database-mcp
    requiresConfirmation: [delete_all_customer_data_at_once]
targets: { claude: {} }
`,
    `version: 1
servers:
  database:
    command: database-mcp
    requiresConfirmation: [delete_all_customer_data_at_once]
targets: { claude: {} }
`,
  ),
}
