import path from 'node:path'
import { environmentName, type McpServer, type Path, type Spec, type TargetSettings } from '../spec/spec.ts'
import { type SecretField, variableUses } from '../spec/variable-uses.ts'
import type { Context, LiteralField, LoweredServer, Target } from './target.ts'
import { wrapServer } from './wrapper.ts'

/** One variable of the harness's environment that carries a secret in a launch. */
export interface Injection {
  /** `BRIDLE_V<n>`, or the declared name for the harness's own account. */
  readonly name: string
  readonly variable: string
  readonly field: SecretField | 'account'
  /** Where the spec uses it. */
  readonly paths: readonly Path[]
}

export interface Lowered {
  readonly servers: readonly LoweredServer[]
  readonly injections: readonly Injection[]
}

/**
 * The servers as the target will write them: working directories absolute, variables named as in the environment of
 * the harness, stdio servers behind the wrapper in a launch, and every literal encoded last, so that the wrapper's own
 * text is encoded too.
 */
export function lower(
  spec: Spec,
  servers: readonly McpServer[],
  settings: TargetSettings,
  target: Target,
  context: Context,
): Lowered {
  const injections = context === 'launch' ? collectInjections(servers, settings, target.id) : []
  const harnessName =
    context === 'launch' ? injectedNames(injections) : (variable: string) => environmentName(spec, variable)
  const wrapped = context === 'launch' && target.launch?.startsServers === 'through the wrapper'
  const foreignNames = [
    ...new Set([...injections.map(({ name }) => name), ...(target.launch?.credentialNames ?? [])]),
  ]
  const isTaken = (text: string) => target.literals.refuse(text, 'argument') === undefined
  const lowered = servers
    .map((server) => withAbsoluteFolder(server, spec.source.folder))
    .map((server) => withHarnessNames(server, harnessName))
    .map((server) =>
      wrapped && server.transport === 'stdio' ? wrapServer(server, foreignNames, isTaken) : server,
    )
    .map((server) => withEncodedLiterals(server, target.literals.encode))
  return { servers: lowered, injections }
}

/**
 * One generated name for each pair of a variable and the kind of field it fills, since a target may encode a value
 * differently in each. Well-known names are avoided on purpose: several harnesses blank or reserve them.
 */
function collectInjections(
  servers: readonly McpServer[],
  settings: TargetSettings,
  targetId: string,
): Injection[] {
  const byUse = new Map<string, { variable: string; field: SecretField; paths: Path[] }>()
  for (const { variable, field, path } of servers.flatMap((server) => variableUses(server, server.name))) {
    const use = byUse.get(`${field} ${variable}`) ?? { variable, field, paths: [] }
    use.paths.push(path)
    byUse.set(`${field} ${variable}`, use)
  }
  const forServers = [...byUse.values()].map((use, index) => ({ name: `BRIDLE_V${index + 1}`, ...use }))
  const forHarness = settings.accountVariables.map((variable) => ({
    name: variable,
    variable,
    field: 'account' as const,
    paths: [['targets', targetId, 'account', 'variables', variable]],
  }))
  return [...forServers, ...forHarness]
}

/** The name under which a variable is injected for a kind of field. */
function injectedNames(injections: readonly Injection[]): (variable: string, field: SecretField) => string {
  const names = new Map(injections.map(({ name, variable, field }) => [`${field} ${variable}`, name]))
  return (variable, field) => {
    const name = names.get(`${field} ${variable}`)
    if (name === undefined) throw new Error(`no injection was made for ${variable} as ${field}`)
    return name
  }
}

function withAbsoluteFolder(server: McpServer, specFolder: string): McpServer {
  if (server.transport !== 'stdio' || server.workingDirectory === undefined) return server
  return { ...server, workingDirectory: path.resolve(specFolder, server.workingDirectory) }
}

function withHarnessNames(
  server: McpServer,
  harnessName: (variable: string, field: SecretField) => string,
): LoweredServer {
  if (server.transport === 'stdio') {
    return { ...server, variables: mapValues(server.variables, (name) => harnessName(name, 'environment')) }
  }
  const { bearerTokenVariable, oauth } = server
  return {
    ...server,
    headerVariables: mapValues(server.headerVariables, (name) => harnessName(name, 'header')),
    ...(bearerTokenVariable !== undefined && {
      bearerTokenVariable: harnessName(bearerTokenVariable, 'header'),
    }),
    ...(typeof oauth === 'object' && {
      oauth: { ...oauth, clientSecretVariable: harnessName(oauth.clientSecretVariable, 'clientSecret') },
    }),
  }
}

function withEncodedLiterals(
  server: LoweredServer,
  encode: (text: string, field: LiteralField) => string,
): LoweredServer {
  if (server.transport === 'http') {
    return {
      ...server,
      url: encode(server.url, 'url'),
      headers: mapValues(server.headers, (value) => encode(value, 'header')),
    }
  }
  const { workingDirectory } = server
  return {
    ...server,
    command: encode(server.command, 'command'),
    arguments: server.arguments.map((argument) => encode(argument, 'argument')),
    environment: mapValues(server.environment, (value) => encode(value, 'environment')),
    ...(workingDirectory !== undefined && { workingDirectory: encode(workingDirectory, 'workingDirectory') }),
  }
}

function mapValues(
  map: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}
