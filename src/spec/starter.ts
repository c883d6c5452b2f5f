/**
 * The spec that `bridle init` writes (`starterToml` with `--format toml`): valid as it stands, and short enough to read.
 * The schema is that of the installed package, so that it fits the installed version.
 */
export const starterSpec = `# yaml-language-server: $schema=./node_modules/bridle/schemas/bridle.schema.json
# The line above gives your editor completion and checks. Where Bridle is not installed in this folder,
# write the path of its schemas/bridle.schema.json there.

version: 1

# Secrets by name. Their values stay out of this file: they are taken from the environment
# of \`bridle run\`, and reach only the servers that name them.
variables:
  NOTES_TOKEN: {}
  # DOCS_TOKEN: { env: TOKEN_FOR_DOCS }     # from an environment variable of another name

servers:
  # A server that is started as a command. Texts are literal: nothing in them is replaced.
  notes:
    command: npx
    arguments: [-y, notes-mcp]
    environment: { LOG_LEVEL: warn }
    variables: [NOTES_TOKEN]
    tools: { exclude: [delete_note] }       # the agent never sees this tool
    requiresConfirmation: [create_note]     # and is asked about before it uses this one

  # A server that is reached over HTTP.
  # docs:
  #   url: https://mcp.example.com/mcp
  #   bearerTokenVariable: DOCS_TOKEN

# The harnesses to write for. \`bridle targets\` tells what each of them can do.
targets:
  builtin: {}
  # claude: { account: { variables: [ANTHROPIC_API_KEY] } }
`

/** The same in TOML; the first line is what the editors' extensions for TOML know (Taplo). */
export const starterToml = `#:schema ./node_modules/bridle/schemas/bridle.schema.json
# The line above gives your editor completion and checks. Where Bridle is not installed in this folder,
# write the path of its schemas/bridle.schema.json there.

version = 1

# Secrets by name. Their values stay out of this file: they are taken from the environment
# of \`bridle run\`, and reach only the servers that name them.
[variables]
NOTES_TOKEN = {}
# DOCS_TOKEN = { env = "TOKEN_FOR_DOCS" }   # from an environment variable of another name

# A server that is started as a command. Texts are literal: nothing in them is replaced.
[servers.notes]
command = "npx"
arguments = ["-y", "notes-mcp"]
environment = { LOG_LEVEL = "warn" }
variables = ["NOTES_TOKEN"]
tools = { exclude = ["delete_note"] }       # the agent never sees this tool
requiresConfirmation = ["create_note"]      # and is asked about before it uses this one

# A server that is reached over HTTP.
# [servers.docs]
# url = "https://mcp.example.com/mcp"
# bearerTokenVariable = "DOCS_TOKEN"

# The harnesses to write for. \`bridle targets\` tells what each of them can do.
[targets.builtin]

# [targets.claude.account]
# variables = ["ANTHROPIC_API_KEY"]
`
