import type { Connection } from '../compile/target.ts'
import { mask } from '../mcp/mask.ts'
import type { RunningCommand, SandboxSession } from '../sandbox/sandbox.ts'
import { environmentName } from '../spec/spec.ts'
import { shownPlainly } from '../text/shown.ts'
import type { AssembledLaunch } from './assemble.ts'
import { isNeeded } from './judge-connections.ts'
import type { PreparedLaunch } from './prepare.ts'

/** How a launch ended, and what its harness told of its servers. */
export interface WatchedEnd {
  /** Of the harness, as a shell has it. */
  readonly status: number
  /** By server: the last word on each. */
  readonly told: ReadonlyMap<string, Connection>
  /** Whether the user ended it. */
  readonly isInterrupted: boolean
  /** Whether it was ended because a server had failed. */
  readonly isCutShort: boolean
}

const pollMs = 150
const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs the harness to its end and learns meanwhile from its log which servers connected. When one that the launch
 * needs has failed, the harness is ended, since it would go on without. Rejects as `session.run` does.
 */
export async function runWatched(
  prepared: PreparedLaunch,
  session: SandboxSession,
  { command, confinement }: AssembledLaunch,
): Promise<WatchedEnd> {
  const { request, emission } = prepared
  const log = request.target.launch.connections
  const needed = emission.servers.filter((server) => isNeeded(request, server)).map(({ name }) => name)
  const names = log.refusal === undefined ? emission.servers.map(({ name }) => name) : needed
  const secrets = secretsOf(prepared)
  const told = new Map<string, Connection>()
  const statusOf = (name: string) => told.get(name)?.status
  let timer: NodeJS.Timeout | undefined
  let look: ((hasEnded: boolean) => void) | undefined
  /** What the log tells after that is about the end of the harness. */
  let isStopped: 'by the user' | 'for a server' | undefined

  function onStart({ stateFolder, end }: RunningCommand): void {
    if (names.length === 0) return
    const follow = stateFolder.follow(log.path)
    let length = 0
    let isLastLook = false
    look = (hasEnded) => {
      if (isStopped !== undefined) return
      const text = follow(hasEnded)
      if (text.length > length) {
        length = text.length
        for (const word of log.read(text, names)) told.set(word.server, presentable(word, secrets))
      }
      if (names.every((name) => statusOf(name) === 'connected')) clearInterval(timer)
      if (hasEnded || !needed.some((name) => statusOf(name) === 'failed')) return
      if (isLastLook) {
        isStopped = 'for a server'
        end()
      }
      isLastLook = true // others fail at the same time, and the harness may end by itself
    }
    timer = setInterval(look, pollMs, false)
  }
  const interrupt = (): void => {
    isStopped ??= 'by the user'
  }

  for (const signal of interruptions) process.on(signal, interrupt)
  try {
    const status = await session.run(command, confinement, onStart)
    look?.(true)
    return {
      status,
      told,
      isInterrupted: isStopped === 'by the user',
      isCutShort: isStopped === 'for a server',
    }
  } finally {
    clearInterval(timer)
    for (const signal of interruptions) process.off(signal, interrupt)
  }
}

/** Each value as the user has it and as the harness was given it. */
function secretsOf({ request, emission, secrets }: PreparedLaunch): string[] {
  const { spec, environment } = request
  const own = emission.injections.map(({ variable }) => environment[environmentName(spec, variable)] ?? '')
  return [...new Set([...own, ...Object.values(secrets)])]
}

const longestReason = 300

/** A reason comes from the log, where the server and the agent have their say too. */
function presentable({ reason, ...word }: Connection, secrets: readonly string[]): Connection {
  if (reason === undefined) return word
  const text = shownPlainly(mask(reason, secrets)).trim()
  return { ...word, reason: text.length > longestReason ? `${text.slice(0, longestReason)}…` : text }
}
