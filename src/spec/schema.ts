import * as z from 'zod/mini'
import { tuningFeatures } from './spec.ts'
import {
  argument,
  declaredVariable,
  environmentName,
  environmentValue,
  faults,
  fixedText,
  headerName,
  headerValue,
  literal,
  names,
  notEmpty,
  receivable,
  rule,
  serverName,
  toolName,
} from './values.ts'

/**
 * The language, field by field. The reader checks every value against these schemas where it stands, and
 * `schemas/bridle.schema.json` is made from them.
 */

/** What else is known of a mapping with fixed keys. */
export interface KeyTraits {
  /** Keys that are reserved for a later version of Bridle. */
  readonly later?: readonly string[]
  /** Keys that other tools use for the same thing, or `key: value` for one value of them → what to write. */
  readonly foreign?: Readonly<Record<string, string>>
  /** Without any of its keys the mapping says nothing. */
  readonly atLeastOne?: boolean
}

export const keyTraits = z.registry<KeyTraits>()

// Servers

const longestMs = 2 ** 31 - 1

function timeoutMs(description: string) {
  const error = `must be from 1 to ${longestMs} milliseconds.`
  const timeout = z
    .int({ error })
    .check(z.gte(1, { error }), z.lte(longestMs, { error }), z.describe(description))
  faults.add(timeout, { code: 'BRIDLE206', help: 'Remove the key to use the default.' })
  return timeout
}

/** A list or a map; both say which declared variables a server gets, and under which names. */
const variables = z.union([
  names(declaredVariable, 'Declared variables that the server gets under their own names.'),
  z
    .record(environmentName, declaredVariable)
    .check(z.describe('Name in the environment of the server → declared variable.')),
])

const clientCredentials = z
  .strictObject({
    clientId: literal(fixedText).check(notEmpty, z.meta({ minLength: 1, description: 'Literal.' })),
    clientSecretVariable: declaredVariable.check(z.describe('The declared variable with the secret.')),
    scopes: z.optional(
      names(
        z
          .string()
          .check(
            rule(
              'BRIDLE206',
              (scope) => /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(scope),
              'is not an OAuth scope (RFC 6749 3.3).',
              'Write one scope an item.',
            ),
          ),
        'The scopes to ask for.',
      ),
    ),
  })
  .check(z.describe('OAuth 2.0 client credentials grant (RFC 6749 4.4).'))

const toolFilter = z
  .strictObject({
    include: z.optional(names(toolName, 'Only these tools.')),
    exclude: z.optional(names(toolName, 'All but these tools; taken away after `include`.')),
  })
  .check(z.meta({ minProperties: 1, description: 'Which tools the agent may see.' }))
keyTraits.add(toolFilter, { atLeastOne: true })

const commonFields = {
  title: z.optional(z.string().check(receivable, z.describe('A name for people.'))),
  tools: z.optional(toolFilter),
  requiresConfirmation: z.optional(
    z
      .union([z.boolean(), names(toolName, 'These tools.')])
      .check(z.describe('The tools that never run unasked: `true` for all, or a list.')),
  ),
  startupTimeoutMs: z.optional(timeoutMs('How long the server may take to start, in milliseconds.')),
  toolTimeoutMs: z.optional(timeoutMs('How long one call may take, in milliseconds.')),
  shared: z.optional(
    z.boolean().check(z.describe('One connection for all sessions. By default true with a url, else false.')),
  ),
  required: z.optional(
    z.boolean().check(z.describe('Without this server nothing starts. By default false.')),
  ),
  enabled: z.optional(
    z.boolean().check(z.describe('false: the server is kept and checked, but not used. By default true.')),
  ),
}

const stdioFields = {
  command: literal(fixedText).check(
    notEmpty,
    z.meta({ minLength: 1, description: 'One program, by name or path, without its arguments.' }),
  ),
  arguments: z.optional(z.array(argument).check(z.describe('The arguments of the command, literal.'))),
  workingDirectory: z.optional(
    literal(fixedText).check(
      notEmpty,
      z.meta({ minLength: 1, description: 'Where the command is started; relative to the spec.' }),
    ),
  ),
  environment: z.optional(
    z
      .record(environmentName, environmentValue)
      .check(z.describe('Environment of the server, literal. Secrets go into `variables`.')),
  ),
  variables: z.optional(
    variables.check(z.describe('The declared variables that the server finds in its environment.')),
  ),
}

const httpFields = {
  url: literal(fixedText).check(
    rule(
      'BRIDLE206',
      isServerUrl,
      'is not an absolute http or https address.',
      'Write it whole, such as "https://mcp.example.com/mcp", with no blanks around it.',
    ),
    rule(
      'BRIDLE206',
      (text) => !text.includes('@') || !isServerUrl(text) || !hasUserInfo(text),
      'holds a user name or a password.',
      'Remove it: a token belongs to `bearerTokenVariable`, other credentials to `headerVariables`.',
    ),
    z.meta({
      pattern: '^(?![\\s\\S]*\\$\\{)[Hh][Tt][Tt][Pp][Ss]?://',
      description: 'Where the server speaks MCP over Streamable HTTP.',
    }),
  ),
  headers: z.optional(
    z
      .record(headerName, headerValue)
      .check(z.describe('Headers of every request, literal. Secrets go into `headerVariables`.')),
  ),
  headerVariables: z.optional(
    z.record(headerName, declaredVariable).check(z.describe('Header → declared variable, its whole value.')),
  ),
  bearerTokenVariable: z.optional(
    declaredVariable.check(z.describe('The declared variable that is sent as a bearer token.')),
  ),
  oauth: z.optional(
    z
      .union([
        z.literal('login', {
          error: 'must be "login", or a mapping with `clientId` and `clientSecretVariable`.',
        }),
        clientCredentials,
      ])
      .check(z.describe('`login`: the harness logs in, in the browser.')),
  ),
}

function isServerUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && !/[\s\u0000-\u001F\u007F]/.test(text) && URL.canParse(text)
}

function hasUserInfo(text: string): boolean {
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

const sse =
  'the address at which the server speaks Streamable HTTP as `url` (often it ends with `/mcp`, not with `/sse`), and no ' +
  'kind: the older HTTP+SSE is not spoken'

const foreignServerKeys = {
  args: '`arguments`',
  env: '`environment` for literals, or `variables` for secrets',
  cwd: '`workingDirectory`',
  type: 'nothing: `command` or `url` says which kind of server it is',
  'type: sse': sse,
  'transport: sse': sse,
  transport: 'nothing: `command` or `url` says which kind of server it is',
  disabled: '`enabled: false`',
  timeout: '`startupTimeoutMs` and `toolTimeoutMs`',
  httpUrl: '`url`',
  serverUrl: '`url`',
  bearer_token_env_var: '`bearerTokenVariable`',
  env_vars: '`variables`',
  env_http_headers: '`headerVariables`',
  http_headers: '`headers`',
  enabled_tools: '`tools: { include: […] }`',
  disabled_tools: '`tools: { exclude: […] }`',
  includeTools: '`tools: { include: […] }`',
  excludeTools: '`tools: { exclude: […] }`',
}

export const stdioServer = z
  .strictObject({ ...stdioFields, ...commonFields })
  .check(z.meta({ title: 'A server that is started as a command' }))
export const httpServer = z
  .strictObject({ ...httpFields, ...commonFields })
  .check(z.meta({ title: 'A server that is reached over HTTP' }))
export const serverSchema = z.union([stdioServer, httpServer])

/** Of both kinds: the fields of a server that does not say which one it is. */
export const anyServer = z.strictObject({
  ...stdioFields,
  ...httpFields,
  ...commonFields,
  command: z.optional(stdioFields.command),
  url: z.optional(httpFields.url),
})

for (const server of [stdioServer, httpServer, anyServer]) {
  keyTraits.add(server, { later: ['lower'], foreign: foreignServerKeys })
}

// The whole

export const variableSource = z
  .strictObject({
    env: z.optional(environmentName.check(z.describe('Its name in the environment of the launch.'))),
  })
  .check(
    z.describe('`{}`: the variable of this name in the environment of the launch; `env` gives another name.'),
  )
keyTraits.add(variableSource, {
  later: ['file', 'command', 'dotenv', 'pass', 'age', 'libsecret', 'prompt'],
  foreign: { environment: '`env`', variable: '`env`', value: 'nothing: a value has no place in a spec' },
})

export const accountSchema = z
  .strictObject({ variables: names(declaredVariable, 'Given to the harness under their declared names.') })
  .check(z.describe('How the harness is logged in, such as with an API key.'))

const serverChoice = z
  .strictObject({
    include: z.optional(names(serverName, 'Only these servers.')),
    exclude: z.optional(names(serverName, 'All but these servers.')),
  })
  .check(z.meta({ minProperties: 1, maxProperties: 1, description: 'Which servers this target gets.' }))
keyTraits.add(serverChoice, { atLeastOne: true })

const tuning = z.enum(tuningFeatures, { error: 'is not tuning, so it cannot be omitted.' })
faults.add(tuning, { code: 'BRIDLE215' })

export const targetSettings = z.strictObject({
  servers: z.optional(serverChoice),
  omit: z.optional(names(tuning, 'Tuning that this target may go without.')),
  account: z.optional(accountSchema),
  environment: z.optional(
    z
      .record(environmentName, environmentValue)
      .check(z.describe('Environment of the harness itself, literal; such as a base URL.')),
  ),
})
keyTraits.add(targetSettings, { later: ['lower'] })

const version = z
  .literal(1, { error: 'must be 1, the only version there is.' })
  .check(z.describe('Of the language; always 1.'))
faults.add(version, { code: 'BRIDLE203', help: 'Write `version: 1`.' })

export const specSchema = z
  .strictObject({
    version,
    variables: z.optional(
      z
        .record(environmentName, variableSource)
        .check(z.describe('Every secret that a server uses, by name, and where its value is found.')),
    ),
    servers: z.record(serverName, serverSchema).check(z.describe('The MCP servers, by name.')),
    targets: z.optional(
      z.record(z.string(), targetSettings).check(z.describe('The chosen harnesses, each with its settings.')),
    ),
  })
  .check(
    z.meta({ title: 'Bridle spec', description: 'MCP servers, described once for every agent harness.' }),
  )
keyTraits.add(specSchema, {
  later: ['sandbox', 'gateway'],
  foreign: {
    mcpServers: '`servers`',
    mcp_servers: '`servers`',
    mcp: '`servers`',
    env: '`variables`',
    secrets: '`variables`',
  },
})

export type SpecInput = z.infer<typeof specSchema>
export type AnyServerInput = z.infer<typeof anyServer>
