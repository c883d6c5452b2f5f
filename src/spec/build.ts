import type { AnyServerInput, SpecInput } from './schema.ts'
import type { McpServer, Source, Spec, TargetSettings } from './spec.ts'

/** A spec in which no fault was found, in the form that everything downstream takes: one way to say each thing. */
export function buildSpec(input: SpecInput, source: Source): Spec {
  return {
    source,
    variables: mapValues(input.variables ?? {}, (variable, name) => ({
      kind: 'environment',
      name: variable.env ?? name,
    })),
    servers: Object.entries(input.servers).map(([name, server]) => buildServer(name, server)),
    targets: mapValues(input.targets ?? {}, buildSettings),
  }
}

function buildServer(name: string, server: AnyServerInput): McpServer {
  const { title, tools, startupTimeoutMs, toolTimeoutMs, shared, command, url } = server
  const common = {
    name,
    ...present({ title, tools: tools && present(tools), startupTimeoutMs, toolTimeoutMs, shared }),
    requiresConfirmation: server.requiresConfirmation ?? false,
    required: server.required ?? false,
    enabled: server.enabled ?? true,
  }
  if (url !== undefined) return { ...common, ...httpFields(url, server) }
  if (command !== undefined) return { ...common, ...stdioFields(command, server) }
  throw new Error(`The server ${name} passed without a command and a url.`)
}

function stdioFields(command: string, { workingDirectory, ...server }: AnyServerInput) {
  return {
    transport: 'stdio' as const,
    command,
    arguments: (server.arguments ?? []).map(plain),
    ...present({ workingDirectory }),
    environment: mapValues(server.environment ?? {}, plain),
    variables: asMap(server.variables ?? []),
  }
}

function httpFields(url: string, { bearerTokenVariable, oauth, ...server }: AnyServerInput) {
  const credentials = typeof oauth === 'object' ? { ...oauth, scopes: oauth.scopes ?? [] } : oauth
  return {
    transport: 'http' as const,
    url,
    headers: mapValues(server.headers ?? {}, plain),
    headerVariables: server.headerVariables ?? {},
    ...present({ bearerTokenVariable, oauth: credentials }),
  }
}

function buildSettings(settings: NonNullable<SpecInput['targets']>[string]): TargetSettings {
  const { servers, omit = [], account, environment = {} } = settings
  return {
    ...present({ servers: servers && present(servers) }),
    omit,
    accountVariables: account?.variables ?? [],
    environment: mapValues(environment, plain),
  }
}

function plain(text: string | { verbatim: string }): string {
  return typeof text === 'string' ? text : text.verbatim
}

function asMap(
  variables: readonly string[] | Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return isList(variables) ? Object.fromEntries(variables.map((name) => [name, name])) : variables
}

function isList(value: object): value is readonly string[] {
  return Array.isArray(value)
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> }

/** The fields that have a value: an absent one is not there, rather than undefined (exactOptionalPropertyTypes). */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>
}
