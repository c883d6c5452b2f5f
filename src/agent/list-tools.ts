import type { Tool } from '@modelcontextprotocol/client'
import type { Connection } from '../compile/target.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import type { McpServer } from '../spec/spec.ts'
import { connectAndTell } from './connect-and-tell.ts'

/** What a server that connected offers, after its filter. */
export interface Listing {
  readonly server: McpServer
  readonly tools: readonly Tool[]
}

export interface Listings {
  readonly listings: readonly Listing[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Connects to all servers at once, lists the tools that their filters leave, and ends them again.
 *
 * @param tell is told of each server whether it connected, as soon as that is known
 */
export async function listTools(
  servers: readonly McpServer[],
  environment: Environment,
  signal?: AbortSignal,
  tell: (word: Connection) => void = () => {},
): Promise<Listings> {
  const results = await Promise.all(servers.map((server) => listOne(server, environment, signal, tell)))
  return {
    listings: results.flatMap(({ listing }) => listing ?? []),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  }
}

async function listOne(
  server: McpServer,
  environment: Environment,
  signal: AbortSignal | undefined,
  tell: (word: Connection) => void,
): Promise<{ listing?: Listing; diagnostics: readonly Diagnostic[] }> {
  const { connection, diagnostics } = await connectAndTell(server, environment, signal, tell)
  if (connection === undefined) return { diagnostics }
  await connection.close()
  return { listing: { server, tools: connection.tools }, diagnostics }
}
