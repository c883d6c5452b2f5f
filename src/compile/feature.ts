import type { McpServer, Path } from '../spec/spec.ts'

/** Everything in the language that a target may or may not honor. Each target answers for each one, in both contexts. */
export const features = [
  'stdio',
  'environment',
  'workingDirectory',
  'variables',
  'variables.renamed',
  'http',
  'headers',
  'headerVariables',
  'bearerTokenVariable',
  'oauth.login',
  'oauth.clientCredentials',
  'tools.include',
  'tools.exclude',
  'requiresConfirmation.all',
  'requiresConfirmation.tools',
  'startupTimeoutMs',
  'toolTimeoutMs',
  'required',
] as const

export type Feature = (typeof features)[number]

/** A server that uses a feature, and the place in the spec where it does. */
export interface FeatureUse {
  readonly feature: Feature
  readonly server: McpServer
  readonly path: Path
}
