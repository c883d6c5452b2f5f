import {
  environmentName,
  type McpHttpServer,
  type McpServer,
  type McpStdioServer,
  type Path,
  type Spec,
} from '../spec/spec.ts'

/**
 * Everything in the language that a target may or may not honor, with the words of the table of targets.
 * Each target answers for each one, in both contexts.
 */
export const featureTitles = {
  stdio: 'a stdio server',
  environment: '`environment`',
  workingDirectory: '`workingDirectory`',
  variables: '`variables`',
  'variables.renamed': 'a variable under another name',
  http: 'an http server',
  headers: '`headers`',
  headerVariables: '`headerVariables`',
  bearerTokenVariable: '`bearerTokenVariable`',
  'oauth.login': '`oauth: login`',
  'oauth.clientCredentials': '`oauth` with client credentials',
  'tools.include': '`tools.include`',
  'tools.exclude': '`tools.exclude`',
  'requiresConfirmation.all': '`requiresConfirmation: true`',
  'requiresConfirmation.tools': '`requiresConfirmation` of single tools',
  startupTimeoutMs: '`startupTimeoutMs`',
  toolTimeoutMs: '`toolTimeoutMs`',
  required: '`required`',
} as const

export type Feature = keyof typeof featureTitles
export const features = Object.keys(featureTitles) as readonly Feature[]

/** A server that uses a feature, and the place in the spec where it does. */
export interface FeatureUse {
  readonly feature: Feature
  readonly server: McpServer
  readonly path: Path
}

/** The features that a server uses, in the order of `features`. */
export function featureUses(spec: Spec, server: McpServer): FeatureUse[] {
  const at = (...path: (string | number)[]): Path => ['servers', server.name, ...path]
  const own = server.transport === 'stdio' ? stdioPlaces(spec, server) : httpPlaces(server)
  const places: Partial<Record<Feature, Path>> = { ...own, ...commonPlaces(server) }
  return features.flatMap((feature) => {
    const path = places[feature]
    return path === undefined ? [] : [{ feature, server, path: at(...path) }]
  })
}

type Places = { [Key in Feature]?: Path | undefined }

function stdioPlaces(spec: Spec, server: McpStdioServer): Partial<Record<Feature, Path>> {
  const renamed = Object.entries(server.variables).find(
    ([name, variable]) => name !== environmentName(spec, variable),
  )
  return present({
    stdio: ['command'],
    environment: isEmpty(server.environment) ? undefined : ['environment'],
    workingDirectory: server.workingDirectory === undefined ? undefined : ['workingDirectory'],
    variables: isEmpty(server.variables) ? undefined : ['variables'],
    'variables.renamed': renamed && ['variables', renamed[0]],
  })
}

function httpPlaces(server: McpHttpServer): Partial<Record<Feature, Path>> {
  return present({
    http: ['url'],
    headers: isEmpty(server.headers) ? undefined : ['headers'],
    headerVariables: isEmpty(server.headerVariables) ? undefined : ['headerVariables'],
    bearerTokenVariable: server.bearerTokenVariable === undefined ? undefined : ['bearerTokenVariable'],
    'oauth.login': server.oauth === 'login' ? ['oauth'] : undefined,
    'oauth.clientCredentials': typeof server.oauth === 'object' ? ['oauth'] : undefined,
  })
}

function commonPlaces(server: McpServer): Partial<Record<Feature, Path>> {
  return present({
    'tools.include': server.tools?.include && ['tools', 'include'],
    'tools.exclude': server.tools?.exclude && ['tools', 'exclude'],
    'requiresConfirmation.all': server.requiresConfirmation === true ? ['requiresConfirmation'] : undefined,
    'requiresConfirmation.tools': Array.isArray(server.requiresConfirmation)
      ? ['requiresConfirmation']
      : undefined,
    startupTimeoutMs: server.startupTimeoutMs === undefined ? undefined : ['startupTimeoutMs'],
    toolTimeoutMs: server.toolTimeoutMs === undefined ? undefined : ['toolTimeoutMs'],
    required: server.required ? ['required'] : undefined,
  })
}

function present(places: Places): Partial<Record<Feature, Path>> {
  return Object.fromEntries(Object.entries(places).filter(([, path]) => path !== undefined))
}

function isEmpty(map: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(map).length === 0
}
