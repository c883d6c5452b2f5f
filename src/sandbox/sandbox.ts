import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { StateFolder } from './state-folder.ts'

/**
 * A place in which a harness runs. Every backend states what it cannot do by refusing in `unavailable`;
 * a wanted guard is never dropped in silence.
 */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'none'
  /** Why it cannot work on this machine, with the way out; undefined when it can. Starts nothing lasting. */
  unavailable(): Promise<Diagnostic | undefined>
  /**
   * Prepares the folders of one run. `dispose` removes whatever it made; it is safe to call twice.
   * Rejects with a SandboxRefusal when the project may not be opened to an agent.
   */
  open(project: string): Promise<SandboxSession>
}

export interface SandboxSession {
  /** The home folder as the harness sees it, absolute. */
  readonly home: string
  /** Private writable folder of the harness for this run, absolute as seen inside, not under a temporary folder. */
  readonly stateFolder: string
  /**
   * Runs the command to its end, passing signals on. Resolves with the exit status as a shell would give it.
   * Rejects with a SandboxRefusal when the confinement cannot be built; the command was not started then. So it does
   * when the command has ended and what it wrote to a standard stream was lost.
   *
   * @param onStart called right before the command is started
   */
  run(
    command: SandboxCommand,
    confinement: Confinement,
    onStart?: (running: RunningCommand) => void,
  ): Promise<number>
  dispose(): Promise<void>
}

export interface RunningCommand {
  /** Open until the session is disposed of. */
  readonly stateFolder: StateFolder
  /** Ends the command: asks it to (SIGTERM), and ends it with all that it started when it takes too long. */
  end(): void
}

export interface SandboxCommand {
  /** The program (absolute, or found on the PATH of `environment`) and its arguments. Visible to every user. */
  readonly argv: readonly string[]
  readonly workingDirectory: string
  /** The whole environment of the program, secrets among it. It stands in no file and no argv. Names are identifiers. */
  readonly environment: Readonly<Record<string, string>>
}

/** What the inside may see of the outside. Paths are absolute on the host and the same inside, unless said. */
export interface Confinement {
  /** Read-write, without its protected paths. */
  readonly project: string
  /**
   * Relative to the project: read-only where they exist, and not creatable where they do not. Of a nested path whose
   * parent is absent, the parent can be created, and the rest in it. `.git/config` and `.git/hooks` always belong to it.
   */
  readonly protectedPaths: readonly string[]
  /** The same, but creatable where they do not exist. */
  readonly protectedIfPresent: readonly string[]
  /** Files and folders bound read-only. What lies in the project is there already and is not bound again. */
  readonly readable: readonly string[]
  /** Lasting folders bound read-write, at another place inside. They exist, and belong to the project's owner. */
  readonly writable: readonly { readonly source: string; readonly destination: string }[]
  /** Texts without secrets that the inside finds as read-only files. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly network: 'none' | 'host'
}

/** Why a sandbox was not opened, or a command not started or not carried out whole, for the user. */
export class SandboxRefusal extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.name = 'SandboxRefusal'
    this.diagnostic = diagnostic
  }
}
