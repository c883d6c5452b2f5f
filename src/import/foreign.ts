import type { Diagnostic, Span } from '../diagnostics/diagnostic.ts'

/**
 * What stands between every form of configuration and the spec: servers with the places of their parts, references
 * already told from literals by the rules of the program that reads the file.
 */
export interface ForeignServer {
  /** As it is called in the file. */
  readonly name: string
  readonly span: Span
  /** The program that reads the file, for messages. */
  readonly program: string
  readonly scope: Scope
  /** A name for people, where the form has a place for one. */
  readonly title?: string
  /** It is one of the ways to reach the same server, and the servers of its file are the others. */
  readonly isOneWay?: boolean
  /** Said in so many words; otherwise `command` or `url` says it. */
  readonly transport?: 'stdio' | 'http'
  readonly command?: Text
  readonly arguments?: readonly Text[]
  readonly workingDirectory?: Text
  readonly environment?: readonly NamedText[]
  readonly url?: Text
  readonly headers?: readonly NamedText[]
  readonly oauth?: 'login' | ForeignClientCredentials
  /** Empty: no tool at all. */
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Whether a tool asks that `asksFor` does not name. */
  readonly asksByDefault?: boolean
  readonly asksFor?: readonly ToolConfirmation[]
  readonly startupTimeoutMs?: number
  readonly toolTimeoutMs?: number
  readonly shared?: boolean
  readonly required?: boolean
  readonly enabled?: boolean
  /** What there is to tell of it. One of BRIDLE422 leaves the server out. */
  readonly findings: readonly Diagnostic[]
}

/** The nearer wins: `local` is the user's own choice for one project. */
export const scopes = ['local', 'project', 'user'] as const
export type Scope = (typeof scopes)[number]

/** A text, taken apart by the rules of the program that reads it. */
export interface Text {
  readonly parts: readonly Part[]
  readonly span: Span
}

/** A literal, or a reference to a value that does not stand in the file. */
export type Part = string | Reference

export interface Reference {
  /**
   * `environment`: a variable of the environment; `input`: what the user is asked for; `other`: something of which only
   * the program knows, such as the folder of a workspace.
   */
  readonly kind: 'environment' | 'input' | 'other'
  readonly name: string
  /** What the program takes when there is no such variable. */
  readonly fallback?: string
  /** The file says that it is a secret; so is its default value. */
  readonly isSecret?: boolean
}

export interface NamedText {
  readonly name: string
  readonly text: Text
}

export interface ToolConfirmation {
  readonly tool: string
  readonly asks: boolean
}

export interface ForeignClientCredentials {
  readonly clientId: string
  readonly scopes: readonly string[]
}

/** What one file says. */
export interface ForeignConfig {
  readonly servers: readonly ForeignServer[]
  readonly policies: readonly Policy[]
  readonly findings: readonly Diagnostic[]
}

/** A rule that stands outside of the servers and concerns some of them, such as a permission. */
export interface Policy {
  /** The server under this rule; undefined when the rule does not concern it. */
  apply(server: ForeignServer): ForeignServer | undefined
  /** What to tell when it concerns none of the imported servers. */
  readonly unused?: Diagnostic
}

/** Whether something was found that keeps the server out of the spec. */
export function isLeftOut({ findings }: Pick<ForeignServer, 'findings'>): boolean {
  return findings.some(({ code }) => code === 'BRIDLE422')
}
