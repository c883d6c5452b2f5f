import { environmentName, type McpServer, type Path, type Spec } from '../spec/spec.ts'

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
export function featureUses(spec: Spec, server: McpServer): readonly FeatureUse[] {
  const known = found.get(server) ?? findUses(spec, server)
  found.set(server, known)
  return known
}

/** A spec is judged for several targets in two contexts, and neither changes what its servers use. */
const found = new WeakMap<McpServer, readonly FeatureUse[]>()

function findUses(spec: Spec, server: McpServer): FeatureUse[] {
  const uses: FeatureUse[] = []
  for (const feature of features) {
    const place = places[feature](server, spec)
    if (place !== undefined) uses.push({ feature, server, path: ['servers', server.name, ...place] })
  }
  return uses
}

/** Where a server uses each feature, from its own key; undefined when it does not. */
const places: Readonly<Record<Feature, (server: McpServer, spec: Spec) => Path | undefined>> = {
  ...forTransport('stdio', {
    stdio: () => ['command'],
    environment: ({ environment }) => filled(environment, 'environment'),
    workingDirectory: ({ workingDirectory }) => given(workingDirectory, 'workingDirectory'),
    variables: ({ variables }) => filled(variables, 'variables'),
    'variables.renamed': ({ variables }, spec) => {
      const names = Object.keys(variables)
      const renamed = names.find((name) => name !== environmentName(spec, variables[name] ?? name))
      return given(renamed, 'variables', renamed)
    },
  }),
  ...forTransport('http', {
    http: () => ['url'],
    headers: ({ headers }) => filled(headers, 'headers'),
    headerVariables: ({ headerVariables }) => filled(headerVariables, 'headerVariables'),
    bearerTokenVariable: ({ bearerTokenVariable }) => given(bearerTokenVariable, 'bearerTokenVariable'),
    'oauth.login': ({ oauth }) => when(oauth === 'login', 'oauth'),
    'oauth.clientCredentials': ({ oauth }) => when(typeof oauth === 'object', 'oauth'),
  }),
  'tools.include': ({ tools }) => given(tools?.include, 'tools', 'include'),
  'tools.exclude': ({ tools }) => given(tools?.exclude, 'tools', 'exclude'),
  'requiresConfirmation.all': ({ requiresConfirmation }) =>
    when(requiresConfirmation === true, 'requiresConfirmation'),
  'requiresConfirmation.tools': ({ requiresConfirmation }) =>
    when(typeof requiresConfirmation !== 'boolean', 'requiresConfirmation'),
  startupTimeoutMs: ({ startupTimeoutMs }) => given(startupTimeoutMs, 'startupTimeoutMs'),
  toolTimeoutMs: ({ toolTimeoutMs }) => given(toolTimeoutMs, 'toolTimeoutMs'),
  required: ({ required }) => when(required, 'required'),
}

type OfTransport<Transport> = Extract<McpServer, { transport: Transport }>
type Place<Server> = (server: Server, spec: Spec) => Path | undefined

/** Features that only servers of one transport can use. */
function forTransport<Transport extends McpServer['transport'], Key extends Feature>(
  transport: Transport,
  own: Readonly<Record<Key, Place<OfTransport<Transport>>>>,
): Record<Key, Place<McpServer>> {
  const guarded = Object.entries<Place<OfTransport<Transport>>>(own).map(([feature, place]) => [
    feature,
    (server: McpServer, spec: Spec) =>
      server.transport === transport ? place(server as OfTransport<Transport>, spec) : undefined,
  ])
  return Object.fromEntries(guarded) as Record<Key, Place<McpServer>>
}

function when(holds: boolean, ...path: string[]): Path | undefined {
  return holds ? path : undefined
}

function given(value: unknown, ...path: (string | undefined)[]): Path | undefined {
  return value === undefined ? undefined : path.filter((step) => step !== undefined)
}

function filled(map: Readonly<Record<string, unknown>>, key: string): Path | undefined {
  for (const _ in map) return [key]
  return undefined
}
