import type { Connection, ConnectionLog } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'

/** What is known of the servers of a launch when its harness has ended. */
export interface EndedLaunch {
  readonly spec: Spec
  readonly target: { readonly id: string; readonly title: string }
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
}

/** What became of one server. `unknown`: nothing was told, and the end of the harness says nothing about it. */
export interface Verdict {
  readonly server: string
  readonly status: Connection['status'] | 'unknown'
  readonly reason?: string | undefined
}

/** What became of each server, and the errors that follow: none when nothing that the launch needs is missing. */
export function judgeConnections(ended: EndedLaunch): {
  readonly verdicts: readonly Verdict[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const verdicts = ended.servers.map((server) => judge(ended, server))
  const needed = new Set(ended.servers.filter((server) => isNeeded(ended, server)).map(({ name }) => name))
  const failed = verdicts.filter(({ server, status }) => status === 'failed' && needed.has(server))
  if (ended.isInterrupted) return { verdicts, diagnostics: [] }
  const diagnostics = failed.map((verdict) => notConnected(ended, verdict))
  const candidates = ended.servers.filter((server) => isSuspect(ended, server)).map(({ name }) => name)
  return {
    verdicts,
    diagnostics: candidates.length > 1 ? [...diagnostics, oneOf(ended, candidates)] : diagnostics,
  }
}

const noSign = 'there is no sign that it connected'

function judge(ended: EndedLaunch, server: EndedLaunch['servers'][number]): Verdict {
  const { told, log, status, isInterrupted } = ended
  const word = told.get(server.name)
  if (word !== undefined) return word
  const verdict = (status: Verdict['status'], reason?: string): Verdict => ({
    server: server.name,
    status,
    reason,
  })
  if (isInterrupted || !isNeeded(ended, server)) return verdict('unknown')
  if (log.refusal === undefined) return status === 0 ? verdict('failed', noSign) : verdict('unknown')
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

function notConnected(ended: EndedLaunch, { server, reason = noSign }: Verdict): Diagnostic {
  const { spec, target, servers } = ended
  const isRequired = servers.some(({ name, required }) => name === server && required)
  const code = reason === noSign ? 'BRIDLE623' : 'BRIDLE622'
  return diagnostic(code, 'error', `\`${server}\` did not connect to ${target.title}: ${reason}`, {
    span: spec.source.span(['servers', server], 'key'),
    target: target.id,
    server,
    help: isRequired ? 'mend it, or take `required` out of the spec' : helpForAny(target.id),
  })
}

function oneOf({ spec, target, log }: EndedLaunch, [first = '', ...others]: readonly string[]): Diagnostic {
  const names = [first, ...others].map((name) => `\`${name}\``).join(', ')
  const span = (name: string) => spec.source.span(['servers', name], 'key')
  return diagnostic('BRIDLE624', 'error', `of ${names}, not all connected: ${log.refusal?.reason}`, {
    span: span(first),
    related: others.map((name) => ({ message: 'or this one', span: span(name) })),
    target: target.id,
    help: helpForAny(target.id),
  })
}

function helpForAny(target: string): string {
  return `mend it, leave it out with \`targets.${target}.servers.exclude\`, or go on without it: \`--no-require-servers\``
}
