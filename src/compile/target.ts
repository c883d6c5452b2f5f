import type { McpServer } from '../spec/spec.ts'
import type { SecretField } from '../spec/variable-uses.ts'
import type { Feature, FeatureUse } from './feature.ts'
import type { InstalledFile } from './installed-file.ts'
import type { JsonObject } from './serialize.ts'

/**
 * `standalone`: files with which the user starts the harness by hand.
 * `launch`: our own start, with more flags, our environment and the wrapper around each stdio server.
 */
export const contexts = ['standalone', 'launch'] as const
export type Context = (typeof contexts)[number]

/** How a target honors a feature. A reason is a full sentence about the harness; help is the user's way out. */
export type Support =
  | { readonly kind: 'native' }
  /** Honored when `refuse` finds nothing; `condition` says it in words, for the table of targets. */
  | {
      readonly kind: 'conditional'
      readonly condition: string
      readonly refuse: (use: FeatureUse, all: readonly FeatureUse[]) => Refusal | undefined
    }
  | ({ readonly kind: 'unsupported' } & Refusal)
  /** The feature says nothing about this context. */
  | { readonly kind: 'inapplicable'; readonly reason: string }

/** What a harness makes of the names of tools. */
export interface ToolNames {
  /** The whole name. Of two tools that meet in it, one is lost in silence, or a rule for one is a rule for both. */
  shown(server: string, tool: string): string
  /** Which name filters and rules go by: where it is the shown one, an excluded tool takes away what it meets. */
  readonly rulesGoBy: 'shown' | 'original'
  /** More characters than this have the consequence, said as the end of a sentence; absent: none that matters. */
  readonly longest?: { readonly length: number; readonly consequence: string }
}

export interface Refusal {
  readonly reason: string
  readonly help: string
}

/** The kinds of place in which a literal of the spec is handed to a harness. */
export type LiteralField = 'command' | 'argument' | 'environment' | 'workingDirectory' | 'url' | 'header'

/** All that is known of one harness: data first, functions where data cannot say it. Pure. */
export interface Target {
  readonly id: string
  readonly title: string
  /** The version of the harness with which every cell of `supports` was proved; absent: not proved on the program. */
  readonly provedWith?: string
  /** Files and folders of a project from which the harness reads settings: an agent may not write them. */
  readonly projectFiles: readonly string[]
  readonly names: {
    /** Why the harness would not take a server of this name. */
    refuse(name: string): Refusal | undefined
    /** The name as the harness rewrites it; two servers that meet in it are refused. */
    fold(name: string): string
    /**
     * What the harness puts before the name of a tool to make the name that the model calls; absent where that cannot
     * be taken for another server's tool. Two servers are refused when one's begins with the other's: with `a-` and
     * `a-b-`, the tool `b-c` of the one and `c` of the other have one name.
     */
    toolPrefix?(name: string): string
    /** How it names tools; absent: it goes by the names that servers give, and tools never meet. */
    readonly tools?: ToolNames
  }
  readonly supports: Readonly<Record<Feature, Support | Readonly<Record<Context, Support>>>>
  readonly literals: {
    /** Why this text would not arrive verbatim in this field, whatever its encoding. */
    refuse(text: string, field: LiteralField): Refusal | undefined
    /** The text as it must be written, so that the harness hands on the text itself. */
    encode(text: string, field: LiteralField): string
    /**
     * What the harness makes of a text that another target may have encoded; undefined when that depends on the
     * environment. Absent: it is not known.
     */
    read?(text: string, field: LiteralField): string | undefined
  }
  readonly secrets: {
    /** Standalone: why the harness would not hand on the environment variable of this name. */
    refuseName(name: string, field: SecretField): Refusal | undefined
    /** Launch: why this value would not arrive verbatim. The reason must not hold the value. */
    refuseValue(value: string, field: SecretField): Refusal | undefined
    /** Launch: the value to inject so that the server receives `value` itself. */
    encodeValue(value: string, field: SecretField): string
  }
  /** The documents for these servers, in which every literal is encoded and every variable is a name. */
  emit(
    servers: readonly LoweredServer[],
    context: Context,
    settings: EmitSettings,
  ): readonly EmittedDocument[]
  /** Where each standalone document goes in a project and in the home of the user, and which parts of it are ours. */
  readonly files: readonly InstalledFile[]
  /** Files of a project from which it reads servers too, although Bridle writes its own elsewhere. */
  readonly alsoReads: readonly string[]
  /** Files of a project with servers that it finds from a folder below too, where it reads none of its others. */
  readonly foundFromBelow: readonly string[]
  /** How Bridle starts it; absent: it cannot, and every feature is judged for files alone. */
  readonly launch?: LaunchDefinition
  /** What each cell of `supports` rests on; absent while the target is not proved on the program. */
  readonly evidence?: Readonly<Record<Feature, Evidence | Readonly<Record<Context, Evidence>>>>
}

/** In which contexts a target is judged: one that Bridle cannot start has files alone. */
export function contextsOf(target: Target): readonly Context[] {
  return isLaunchable(target) ? contexts : ['standalone']
}

/** A target that `bridle run` can start. */
export interface LaunchableTarget extends Target {
  readonly launch: LaunchDefinition
}

export function isLaunchable(target: Target): target is LaunchableTarget {
  return target.launch !== undefined
}

/**
 * What a cell of the table rests on: the test that proves it on the real program (its file below `test`, and its
 * title), or the heading of `docs/targets/<id>.md` under which the fact stands.
 */
export type Evidence = { readonly test: readonly [file: string, title: string] } | { readonly fact: string }

/**
 * A server as a target sees it: enabled, checked, its literals encoded, its working directory absolute, and each
 * variable named as it is called in the environment of the harness.
 */
export type LoweredServer = McpServer

/** What else shapes an emission: the harness's own account and literals (`targets.<id>`), and what a launch needs. */
export interface EmitSettings {
  readonly accountVariables: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Launch: whether every server has to connect, and not only those that are `required`. Absent: yes. */
  readonly requireServers?: boolean
}

export interface EmittedDocument {
  /** Relative to the folder that receives the emission; in a launch, to the state folder of the harness. */
  readonly path: string
  readonly format: 'json' | 'toml'
  readonly document: JsonObject
  /**
   * What the document must match; each target has a strict schema of what it writes. Made when it is used (`z.lazy`):
   * the schemas of all targets would cost every start of the command several milliseconds.
   */
  readonly schema: EmissionSchema
}

/** The part of a zod schema that the compiler needs. */
export interface EmissionSchema {
  safeParse(value: unknown): {
    success: boolean
    error?: { issues: readonly { path: PropertyKey[]; message: string }[] }
  }
}

export interface LaunchDefinition {
  /** The program on PATH; absent for the built-in harness, which is Bridle's own. */
  readonly executable?: string
  /** `--version` answers below this are refused; absent for the built-in harness. */
  readonly oldestVersion?: string
  /** Another program of the same name, known by its answer to `--version`. */
  readonly namesake?: { readonly answer: RegExp; readonly refusal: Refusal }
  /**
   * Of a program that is a script for Node.js: the oldest version on which it works, so that it is not left to the
   * first `node` on PATH. The servers keep that one.
   */
  readonly oldestNode?: string
  /**
   * Of a program that unpacks itself at its first run and then runs what lies there: the variable that names the folder.
   * Bridle has it unpack itself before a launch, which sees the folder read-only.
   */
  readonly unpackVariable?: string
  /**
   * Agents of a project that the harness offers to the model without trust in the project, from the working directory up:
   * the folders of their files, and the key with which such a file brings servers of its own. A launch refuses those.
   */
  readonly agentFiles?: { readonly folders: readonly string[]; readonly keyOfServers: string }
  /**
   * How a stdio server is started: through the fixed shell wrapper, or by the harness itself with an environment of
   * its own (the built-in harness renames, strips and changes folder natively).
   */
  readonly startsServers: 'through the wrapper' | 'itself'
  /** Variables with which the harness would take in what no spec describes, or run another program: no spec sets them. */
  readonly undoingNames: readonly string[]
  /** Names that the harness holds for itself and that no server may inherit. */
  readonly credentialNames: readonly string[]
  /**
   * Names that tell the harness which model to ask and as whom. To start, it needs one of them from its settings; empty:
   * it needs none.
   */
  readonly accountNames: readonly string[]
  /** Names that it needs all of, from its settings, where one of `accountNames` is not enough. */
  readonly neededNames?: readonly string[]
  /** Whether it takes its key from an account variable of any name, since the emission names it. */
  readonly takesAnyAccountName: boolean
  /** What the user gets wrong in the arguments after `--`: modes not possible yet, arguments that undo a promise. */
  refuseArguments(args: readonly string[]): readonly Refusal[]
  /** How to learn which servers really connected, without a change to what the user sees. */
  readonly connections: ConnectionLog
  /** The command line and environment of the harness. Holds no secret. */
  plan(request: PlanRequest): LaunchPlan
}

export interface PlanRequest {
  /** As they were emitted. */
  readonly servers: readonly LoweredServer[]
  /** As the user gave them after `--`, already found acceptable. */
  readonly arguments: readonly string[]
  /** The private writable folder of the harness, absolute as seen inside; the emission's files lie in it. */
  readonly stateFolder: string
}

export interface LaunchPlan {
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** The log in which a harness says what became of its servers. It is read in memory and never kept or printed whole. */
export interface ConnectionLog {
  /** The file, or the folder whose files are all read, relative to the state folder. It may not exist yet. */
  readonly path: string
  /**
   * What the log tells so far of these servers (their names in the spec); of one that is not in the answer, nothing is
   * known yet. A later word on a server replaces an earlier one. Pure; the reason holds no value of a secret.
   */
  read(log: string, servers: readonly string[]): readonly Connection[]
  /**
   * Of a harness that begins its work only when every server that it was told to require has connected, and whose log
   * tells of its work alone: with which status it ends otherwise, and what that means. Its end with 0 without a word in
   * the log means that it had no work and used no server.
   */
  readonly refusal?: { readonly status: number; readonly reason: string }
}

export interface Connection {
  readonly server: string
  /** `unused`: this run had no need of it. */
  readonly status: 'connected' | 'failed' | 'unused'
  /** Why it failed, in the harness's words. */
  readonly reason?: string
}

export const native: Support = { kind: 'native' }

export function unsupported(reason: string, help: string): Support {
  return { kind: 'unsupported', reason, help }
}

export function inapplicable(reason: string): Support {
  return { kind: 'inapplicable', reason }
}
