import type { Connection, ConnectionLog } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'

/** What is known of the servers of a launch when its harness has ended. */
export interface EndedLaunch {
  readonly spec: Spec
  readonly target: { readonly id: string }
  readonly log: Pick<ConnectionLog, 'refusal'>
  /** All of them, in the order of the spec. */
  readonly servers: readonly { readonly name: string; readonly required: boolean }[]
  /** Whether a launch needs every server, and not only those that the spec requires. */
  readonly requireServers: boolean
  /** What the log told, by server; the last word on each. */
  readonly told: ReadonlyMap<string, Connection>
  /** Of the harness, as a shell has it. */
  readonly status: number
  /** Whether the user ended it: that is no failure of a server. */
  readonly isInterrupted: boolean
  /** Whether it was ended because a server had failed: others may have been on their way. */
  readonly isCutShort: boolean
}

/**
 * What became of one server. Nothing was told of one that is `silent`, although the harness ended well; nor of one that
 * is `unknown`, and the end of the harness says nothing about it.
 */
export interface Verdict {
  readonly server: string
  readonly status: Connection['status'] | 'silent' | 'unknown'
  readonly reason?: string | undefined
}

/** What became of each server, and the errors that follow: none when nothing that the launch needs is missing. */
export function judgeConnections(ended: EndedLaunch): {
  readonly verdicts: readonly Verdict[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const verdicts = ended.servers.map((server) => judge(ended, server))
  const needed = new Set(ended.servers.filter((server) => isNeeded(ended, server)).map(({ name }) => name))
  const missing = verdicts.filter(({ server }) => needed.has(server)).filter(isMissing)
  if (ended.isInterrupted) return { verdicts, diagnostics: [] }
  const diagnostics = missing.map((verdict) => notConnected(ended, verdict))
  const candidates = ended.servers.filter((server) => isSuspect(ended, server)).map(({ name }) => name)
  return {
    verdicts,
    diagnostics: candidates.length > 1 ? [...diagnostics, oneOf(ended, candidates)] : diagnostics,
  }
}

function isMissing({ status }: Verdict): boolean {
  return status === 'failed' || status === 'silent'
}

function judge(ended: EndedLaunch, server: EndedLaunch['servers'][number]): Verdict {
  const { told, log, status, isInterrupted, isCutShort } = ended
  const word = told.get(server.name)
  if (word !== undefined) return word
  const verdict = (status: Verdict['status'], reason?: string): Verdict => ({
    server: server.name,
    status,
    reason,
  })
  if (isInterrupted || isCutShort || !isNeeded(ended, server)) return verdict('unknown')
  if (log.refusal === undefined) return verdict(status === 0 ? 'silent' : 'unknown')
  if (status === 0) return verdict('unused')
  const suspects = ended.servers.filter((each) => isSuspect(ended, each))
  return suspects.length === 1 && isSuspect(ended, server)
    ? verdict('failed', log.refusal.reason)
    : verdict('unknown')
}

/** A server that the harness may have refused to begin without. */
function isSuspect(ended: EndedLaunch, server: EndedLaunch['servers'][number]): boolean {
  const { told, log, status } = ended
  return status === log.refusal?.status && isNeeded(ended, server) && !told.has(server.name)
}

/** Without it, the launch is an error. */
export function isNeeded(
  { requireServers }: Pick<EndedLaunch, 'requireServers'>,
  { required }: { readonly required: boolean },
): boolean {
  return required || requireServers
}

function notConnected(ended: EndedLaunch, { server, status, reason }: Verdict): Diagnostic {
  const { spec, target } = ended
  const [code, message] =
    status === 'silent'
      ? (['BRIDLE623', `there is no sign that \`${server}\` connected`] as const)
      : (['BRIDLE622', `\`${server}\` did not connect: ${reason}`] as const)
  return diagnostic(code, 'error', message, {
    span: spec.source.span(['servers', server], 'key'),
    target: target.id,
    server,
    help: wayOut(ended, [server]),
  })
}

function oneOf(ended: EndedLaunch, candidates: readonly string[]): Diagnostic {
  const { spec, target, log } = ended
  const [first = '', ...others] = candidates
  const names = [first, ...others].map((name) => `\`${name}\``).join(', ')
  const span = (name: string) => spec.source.span(['servers', name], 'key')
  return diagnostic(
    'BRIDLE624',
    'error',
    `at least one of ${names} did not connect: ${log.refusal?.reason}`,
    {
      span: span(first),
      related: others.map((name) => ({ message: 'or this one', span: span(name) })),
      target: target.id,
      help: wayOut(ended, candidates),
    },
  )
}

/** What has to be said so that the launch goes on without these: by default it needs also what is not `required`. */
function wayOut({ target, servers, requireServers }: EndedLaunch, names: readonly string[]): string {
  const isRequired = servers.some(({ name, required }) => required && names.includes(name))
  const steps = [
    ...(isRequired ? ['take `required` out of the spec'] : []),
    ...(requireServers ? ['start with `--no-require-servers`'] : []),
  ]
  return `mend it, leave it out with \`targets.${target.id}.servers.exclude\`, or go on without it: ${steps.join(' and ')}`
}
