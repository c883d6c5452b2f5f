import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Path, Spec, VariableName } from '../spec/spec.ts'
import type { Context, EmittedDocument, LoweredServer, SecretField, Target } from './target.ts'

/** What a target writes for a spec, and which secrets a launch must inject for it. */
export interface Emission {
  readonly target: string
  readonly context: Context
  readonly files: readonly EmittedFile[]
  readonly servers: readonly LoweredServer[]
  /** Launch only: what the environment of the harness must hold. */
  readonly injections: readonly Injection[]
}

export interface EmittedFile extends EmittedDocument {
  readonly text: string
}

/** One variable of the harness's environment that carries a secret. */
export interface Injection {
  /** `BRIDLE_V<n>`, or the declared name for the harness's own account. */
  readonly name: string
  readonly variable: VariableName
  readonly field: SecretField | 'account'
  /** Where the spec uses it. */
  readonly paths: readonly Path[]
}

export interface Compilation {
  /** Absent when there are errors. */
  readonly emission?: Emission
  readonly diagnostics: readonly Diagnostic[]
}

export declare function compile(spec: Spec, target: Target, context: Context): Compilation
