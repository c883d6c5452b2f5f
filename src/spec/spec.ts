import type { Span } from '../diagnostics/diagnostic.ts'

/** A place in the spec, from its root: `['servers', 'docs', 'headers', 'X-Team']`. */
export type Path = readonly (string | number)[]

/**
 * Where a spec came from. Spans are looked up by path, so that the values stay plain.
 * In a list of names, the name itself is a step too: `[…, 'variables', 'API_KEY']` finds the item `API_KEY`.
 * A path that does not exist gives the key of its nearest ancestor.
 */
export interface Source {
  /** As shown to the user. */
  readonly file: string
  /** Absolute; `workingDirectory` is relative to it. */
  readonly folder: string
  readonly text: string
  span(path: Path, part?: 'key' | 'value'): Span
}

/** A spec that was read and found well-formed: names checked, lists of names turned into maps, defaults filled in. */
export interface Spec {
  readonly source: Source
  readonly variables: Readonly<Record<VariableName, VariableSource>>
  readonly servers: readonly McpServer[]
  readonly targets: Readonly<Record<string, TargetSettings>>
}

/** The name under which a spec declares a secret. */
export type VariableName = string

/** Where the value of a declared variable is found when a harness is launched. */
export interface VariableSource {
  readonly kind: 'environment'
  /** The name in the environment of the launch. */
  readonly name: string
}

export type McpServer = McpStdioServer | McpHttpServer

interface McpServerBase {
  readonly name: string
  readonly title?: string
  readonly tools?: McpToolFilter
  /** `true`: every tool; a list: these tools. */
  readonly requiresConfirmation: boolean | readonly string[]
  readonly startupTimeoutMs?: number
  readonly toolTimeoutMs?: number
  readonly shared?: boolean
  readonly required: boolean
  readonly enabled: boolean
}

export interface McpStdioServer extends McpServerBase {
  readonly transport: 'stdio'
  readonly command: string
  readonly arguments: readonly string[]
  /** As written: relative to the folder of the spec. */
  readonly workingDirectory?: string
  readonly environment: Readonly<Record<string, string>>
  /** Name in the server's environment → declared variable. */
  readonly variables: Readonly<Record<string, VariableName>>
}

export interface McpHttpServer extends McpServerBase {
  readonly transport: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Header → declared variable, which gives the whole value. */
  readonly headerVariables: Readonly<Record<string, VariableName>>
  readonly bearerTokenVariable?: VariableName
  readonly oauth?: 'login' | McpClientCredentials
}

/** `include` keeps, then `exclude` removes. Exact MCP tool names. */
export interface McpToolFilter {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** OAuth 2.0 client credentials grant (RFC 6749 section 4.4). */
export interface McpClientCredentials {
  readonly clientId: string
  readonly clientSecretVariable: VariableName
  readonly scopes: readonly string[]
}

/** Features that a target may go without when the spec says so: losing one loses comfort, never a restriction. */
export const tuningFeatures = ['startupTimeoutMs', 'toolTimeoutMs', 'workingDirectory'] as const
export type TuningFeature = (typeof tuningFeatures)[number]

export interface TargetSettings {
  readonly servers?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] }
  readonly omit: readonly TuningFeature[]
  /** Declared variables given to the harness itself, under their declared names. */
  readonly accountVariables: readonly VariableName[]
  /** Literals for the harness itself. */
  readonly environment: Readonly<Record<string, string>>
}

export const noSettings: TargetSettings = { omit: [], accountVariables: [], environment: {} }

/** The name of a declared variable in the environment of the user, where a harness started by hand finds it. */
export function environmentName(spec: Spec, variable: VariableName): string {
  return spec.variables[variable]?.name ?? variable
}
