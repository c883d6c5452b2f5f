/**
 * The language as one writes it, for TypeScript. The same as the zod schemas in `schema.ts`, which a test compares; by
 * hand, since users have no zod, and so that names are checked too: of declared variables, of servers, of targets.
 */

/** A spec as one writes it. */
export interface SpecDefinition<
  Variable extends string = string,
  Server extends string = string,
  TargetId extends string = string,
> extends Extras {
  /** Where editors find the JSON Schema. */
  readonly $schema?: string
  /** Of the language; always 1. */
  readonly version: 1
  /** Every secret that a server uses, by name, and where its value is found when a harness is launched. */
  readonly variables?: Readonly<Record<Variable, VariableDefinition>>
  /** The MCP servers, by name: 1 to 32 letters, digits, `_` or `-`. */
  readonly servers: Readonly<Record<Server, ServerDefinition<NoInfer<Variable>>>>
  /** The chosen harnesses, each with its settings. */
  readonly targets?: {
    readonly [Id in TargetId]?: TargetDefinition<NoInfer<Variable>, NoInfer<Server>>
  }
}

/** Keys that begin with `x-` are left alone. */
interface Extras {
  readonly [extra: `x-${string}`]: unknown
}

/** `{}`: the variable of this name in the environment of the launch. */
export interface VariableDefinition extends Extras {
  /** Its name in the environment of the launch, where that is another one. */
  readonly env?: string
}

/** A literal in which `${` is refused, or one that says that the text itself is meant. */
export type Literal = string | VerbatimText

export interface VerbatimText extends Extras {
  /** Handed on as it stands, even where it holds `${`. */
  readonly verbatim: string
}

export type ServerDefinition<Variable extends string = string> =
  | StdioServerDefinition<Variable>
  | HttpServerDefinition<Variable>

interface CommonFields extends Extras {
  /** A name for people. */
  readonly title?: string
  /** Which tools the agent may see. Exact MCP tool names. */
  readonly tools?: ToolFilterDefinition
  /** The tools that never run unasked: `true` for all, or a list. By default false. */
  readonly requiresConfirmation?: boolean | readonly string[]
  /** How long the server may take to start, in milliseconds. */
  readonly startupTimeoutMs?: number
  /** How long one call may take, in milliseconds. */
  readonly toolTimeoutMs?: number
  /** One connection for all sessions. By default true with a `url`, else false. */
  readonly shared?: boolean
  /** Without this server nothing starts. By default false. */
  readonly required?: boolean
  /** false: the server is kept and checked, but not used. By default true. */
  readonly enabled?: boolean
}

/** A server that is started as a command. */
export interface StdioServerDefinition<Variable extends string = string>
  extends CommonFields,
    Never<'url' | 'headers' | 'headerVariables' | 'bearerTokenVariable' | 'oauth'> {
  /** One program, by name or path, without its arguments. Literal. */
  readonly command: string
  /** The arguments of the command. Literal. */
  readonly arguments?: readonly Literal[]
  /** Where the command is started; relative to the spec. Literal. */
  readonly workingDirectory?: string
  /** Environment of the server. Literal; secrets go into `variables`. */
  readonly environment?: Readonly<Record<string, Literal>>
  /** The declared variables that the server gets: under their own names, or name in the server → declared variable. */
  readonly variables?: readonly Variable[] | Readonly<Record<string, Variable>>
}

/** A server that is reached over Streamable HTTP. */
export interface HttpServerDefinition<Variable extends string = string>
  extends CommonFields,
    Never<'command' | 'arguments' | 'workingDirectory' | 'environment' | 'variables'> {
  /** An absolute http or https address. Literal. */
  readonly url: string
  /** Headers of every request. Literal; secrets go into `headerVariables`. */
  readonly headers?: Readonly<Record<string, Literal>>
  /** Header → declared variable, its whole value. */
  readonly headerVariables?: Readonly<Record<string, Variable>>
  /** The declared variable that is sent as a bearer token. */
  readonly bearerTokenVariable?: Variable
  /** `login`: the harness logs in, in the browser. */
  readonly oauth?: 'login' | ClientCredentialsDefinition<Variable>
}

/** The keys of the other kind of server. */
type Never<Key extends string> = { readonly [Name in Key]?: never }

/** `include` keeps, then `exclude` removes; at least one of the two. */
export interface ToolFilterDefinition extends Extras {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** OAuth 2.0 client credentials grant (RFC 6749 section 4.4). */
export interface ClientCredentialsDefinition<Variable extends string = string> extends Extras {
  readonly clientId: string
  readonly clientSecretVariable: Variable
  readonly scopes?: readonly string[]
}

export interface TargetDefinition<Variable extends string = string, Server extends string = string>
  extends Extras {
  /** Which servers this target gets: `include` or `exclude`. */
  readonly servers?: { readonly include?: readonly Server[]; readonly exclude?: readonly Server[] }
  /** Tuning that this target may go without. */
  readonly omit?: readonly ('startupTimeoutMs' | 'toolTimeoutMs' | 'workingDirectory')[]
  /** How the harness is logged in: declared variables, given to it under their declared names. */
  readonly account?: { readonly variables: readonly Variable[] }
  /** Environment of the harness itself. Literal. */
  readonly environment?: Readonly<Record<string, Literal>>
}
