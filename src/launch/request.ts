import type { LaunchableTarget } from '../compile/target.ts'
import type { Environment } from '../host/environment.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Spec } from '../spec/spec.ts'

/** A launch as the user asked for it. Every path is absolute and without symlinks. */
export interface LaunchRequest {
  /** Only the servers that take part, and those that the target leaves out. */
  readonly spec: Spec
  readonly specFile: string
  readonly target: LaunchableTarget
  /** What the user gave after `--`. */
  readonly arguments: readonly string[]
  readonly project: string
  /** In the project. */
  readonly workingDirectory: string
  readonly sandbox: Sandbox
  readonly network: 'none' | 'host'
  /** The program of the harness as the user wrote it, when it is not the one on PATH. */
  readonly harness?: string | undefined
  /** The Node.js for the harness as the user wrote it, when it is none of those that are looked for. */
  readonly node?: string | undefined
  readonly strictVersions: boolean
  /** Whether every server has to connect, and not only those that are `required`. */
  readonly requireServers: boolean
  /** The launcher's own environment: sources of secrets, PATH, XDG_CACHE_HOME. */
  readonly environment: Environment
  readonly home: string
}
