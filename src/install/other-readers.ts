import { compile } from '../compile/compile.ts'
import type { Json, JsonObject } from '../compile/serialize.ts'
import type { Target } from '../compile/target.ts'
import type { McpServer, Spec } from '../spec/spec.ts'
import { entriesOf, isObject, isSame } from './entries.ts'

/** What a server says that must not get lost, each with the server that says nothing else of the kind. */
const stakes = [
  { stake: 'secret', only: withoutRestrictions },
  { stake: 'restriction', only: withoutSecrets },
] as const

export interface Loss {
  readonly server: string
  readonly stake: (typeof stakes)[number]['stake']
}

/**
 * What a harness would lose of entries that were written for others in a file that it reads too: it needs another value
 * in a key that carries a secret or a restriction, needs further entries elsewhere, or cannot honor it at all. Pure.
 *
 * @param writers the targets for which the file is written
 * @param servers the names of the servers in it
 */
export function lossesOf(
  spec: Spec,
  reader: Target,
  writers: readonly Target[],
  servers: ReadonlySet<string>,
): Loss[] {
  const known = new Map<string, readonly Loss['stake'][]>()
  return spec.servers
    .filter(({ name }) => servers.has(name))
    .map(withoutTuning)
    .map(withoutLiterals)
    .flatMap((server) => {
      const kind = JSON.stringify({ ...server, name: '' })
      const lost =
        known.get(kind) ??
        stakes.filter(({ only }) => isLost(spec, reader, writers, only(server))).map(({ stake }) => stake)
      known.set(kind, lost)
      return lost.map((stake) => ({ server: server.name, stake }))
    })
}

/** Whether the harness loses what tells this server from a bare one. */
function isLost(spec: Spec, reader: Target, writers: readonly Target[], server: McpServer): boolean {
  const bare = withoutSecrets(withoutRestrictions(server))
  if (isSame(comparable(server), comparable(bare))) return false
  const [needed, neededBare] = [needsOf(spec, reader, server), needsOf(spec, reader, bare)]
  if (needed === undefined || needed.others > (neededBare?.others ?? 0)) return true
  return writers.some((writer) => {
    const [written, writtenBare] = [needsOf(spec, writer, server)?.entry, needsOf(spec, writer, bare)?.entry]
    const carriers = [
      ...differingKeys(written, writtenBare),
      ...differingKeys(needed.entry, neededBare?.entry),
    ]
    return carriers.some((key) => !isSame(written?.[key], needed.entry[key]))
  })
}

interface Needs {
  readonly entry: JsonObject
  /** How many entries go with it in other places. */
  readonly others: number
}

/** What a harness needs for a server; undefined when it cannot honor it. */
function needsOf(spec: Spec, target: Target, server: McpServer): Needs | undefined {
  const { emission } = compile({ ...spec, servers: [server], targets: {} }, target, 'standalone')
  if (emission === undefined) return undefined
  const entries = emission.files.flatMap(({ path, document }) =>
    entriesOf(document, target.files.find((file) => file.document === path)?.entries ?? []),
  )
  const own = entries.find(({ kind, path }) => kind === 'member' && path.at(-1) === server.name)
  return {
    entry: isObject(own?.value) ? own.value : {},
    others: entries.length - (own === undefined ? 0 : 1),
  }
}

function differingKeys(one: JsonObject = {}, other: JsonObject = {}): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (key) => !isSame(one[key], other[key]),
  )
}

function withoutTuning(server: McpServer): McpServer {
  const { startupTimeoutMs: _startup, toolTimeoutMs: _tool, ...rest } = server
  if (rest.transport === 'http') return { ...rest, required: false }
  const { workingDirectory: _folder, ...stdio } = rest
  return { ...stdio, required: false }
}

/** How a literal is written may differ, and is no loss of a secret. Servers that differ in nothing else are one kind. */
function withoutLiterals(server: McpServer): McpServer {
  const { title: _title, ...rest } = server
  return rest.transport === 'http'
    ? { ...rest, url: 'https://server.example.com/', headers: {} }
    : { ...rest, command: 'server', arguments: [], environment: {} }
}

function withoutRestrictions(server: McpServer): McpServer {
  const { tools: _tools, ...rest } = server
  return { ...rest, requiresConfirmation: false }
}

function withoutSecrets(server: McpServer): McpServer {
  if (server.transport === 'stdio') return { ...server, variables: {} }
  const { bearerTokenVariable: _token, oauth, ...rest } = server
  return { ...rest, ...(oauth === 'login' && { oauth }), headerVariables: {} }
}

/** A server as a value whose parts can be compared. */
function comparable(server: McpServer): Json {
  return JSON.parse(JSON.stringify(server))
}
