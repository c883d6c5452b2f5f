import type { Tool } from '@modelcontextprotocol/client'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { connect } from '../mcp/connection.ts'
import type { McpServer } from '../spec/spec.ts'

/** What a server that connected offers, after its filter. */
export interface Listing {
  readonly server: McpServer
  readonly tools: readonly Tool[]
}

export interface Listings {
  readonly listings: readonly Listing[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Connects to all servers at once, lists the tools that their filters leave, and ends them again. */
export async function listTools(
  servers: readonly McpServer[],
  environment: Environment,
  signal?: AbortSignal,
): Promise<Listings> {
  const results = await Promise.all(servers.map((server) => listOne(server, environment, signal)))
  return {
    listings: results.flatMap(({ listing }) => listing ?? []),
    diagnostics: results.flatMap(({ diagnostics }) => diagnostics),
  }
}

async function listOne(
  server: McpServer,
  environment: Environment,
  signal: AbortSignal | undefined,
): Promise<{ listing?: Listing; diagnostics: readonly Diagnostic[] }> {
  const { connection, diagnostics } = await connect(server, environment, signal)
  if (connection === undefined) return { diagnostics }
  await connection.close()
  return { listing: { server, tools: connection.tools }, diagnostics }
}
