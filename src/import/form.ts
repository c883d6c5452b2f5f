import type { Span } from '../diagnostics/diagnostic.ts'
import type { Node, Place } from '../spec/tree.ts'
import type { ForeignConfig, Scope } from './foreign.ts'
import type { ReferenceSyntax } from './references.ts'

/** All that is known of one form of configuration. Pure. */
export interface Form {
  /** For `--from`. */
  readonly id: string
  /** The program, or the form itself where several programs read it. */
  readonly program: string
  /** The target of Bridle that writes this form. */
  readonly target?: string
  readonly syntax: FormSyntax
  /** Where the program looks for it, the nearest first; empty when only a file can be named. */
  readonly places: readonly DefaultPlace[]
  /**
   * How the ends of its usual paths look (in lower case, with `/`), and what a file of any name holds in this form and in
   * no other. Where neither says it, the user does.
   */
  readonly fileNames: readonly string[]
  recognises(root: Node): boolean
  readonly references: ReferenceSyntax
  /** What is wrong with two definitions of one server: the nearer counts whole, or part by part. */
  readonly merge: 'whole' | 'parts'
  read(root: Node, context: FormContext): ForeignConfig
}

/** `strict json`: comments and trailing commas are read, and it is told that the program itself does not. */
export type FormSyntax = 'strict json' | 'json' | 'toml'

/** What the reader of a form is told beside the text. */
export interface FormContext {
  readonly form: Form
  at(place: Place): Span
  /** The raw text of a place, for numbers that are meant as texts. */
  raw(place: Place): string
  /** As the user knows it. */
  readonly file: string
  /** Of the file, unless it says more precisely itself. */
  readonly scope: Scope
  /** The folder of the project, absolute; some files hold settings for many. */
  readonly project?: string
}

export interface DefaultPlace {
  readonly scope: Scope
  /** In a project: relative to it. Of a user: relative to the folder. */
  readonly path: string
  /** The folder of the user's files, relative to the home. */
  readonly folder?: string
  /** The variable of the environment that names the folder, or another one in its place. */
  readonly variable?: string
  /** Only where the variable is set. */
  readonly needsVariable?: boolean
  /** Not read when one with this path was found: the program takes the first. */
  readonly unless?: string
}
