import { type Diagnostic, diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { noSettings, type Spec } from '../spec/spec.ts'
import { checkServers } from './check.ts'
import { type Injection, lower } from './lower.ts'
import { selectServers } from './select.ts'
import { serialize } from './serialize.ts'
import type { Context, EmittedDocument, LoweredServer, Target } from './target.ts'

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
  /** Made when it is asked for: the files of the user are edited, and never written from it. */
  readonly text: string
}

export interface Compilation {
  /** Absent when there are errors. */
  readonly emission?: Emission
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The emission of a spec for one target in one context, or everything that stands against it. Pure.
 * A restriction or a credential that the target cannot honor is always an error; nothing is left out in silence.
 *
 * @param requireServers whether a launch needs every server, and not only those that are `required`
 */
export function compile(
  spec: Spec,
  target: Target,
  context: Context,
  { requireServers = true }: { requireServers?: boolean } = {},
): Compilation {
  const settings = spec.targets[target.id] ?? noSettings
  const servers = selectServers(spec, target, context)
  const diagnostics = checkServers(spec, servers, target, context)
  if (hasErrors(diagnostics)) return { diagnostics }
  const lowered = lower(spec, servers, settings, target, context)
  const documents = target.emit(lowered.servers, context, { ...settings, requireServers })
  const mismatches = documents.flatMap((document) => checkDocument(document, target))
  if (mismatches.length > 0) return { diagnostics: [...diagnostics, ...mismatches] }
  const files = documents.map((document) => ({
    ...document,
    get text() {
      return serialize(document.format, document.document)
    },
  }))
  return { emission: { target: target.id, context, files, ...lowered }, diagnostics }
}

/** The last guard: what is not in the strict schema of the target is never written. */
function checkDocument({ path, document, schema }: EmittedDocument, target: Target): Diagnostic[] {
  const result = schema.safeParse(document)
  return (result.error?.issues ?? []).map((issue) =>
    diagnostic(
      'BRIDLE308',
      'error',
      `${path} would not be valid at ${issue.path.join('.')}: ${issue.message}`,
      {
        target: target.id,
        help: 'this is a fault of Bridle: please report it with the spec',
      },
    ),
  )
}
