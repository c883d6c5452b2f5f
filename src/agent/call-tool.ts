import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Connection } from '../compile/target.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { refuseCall } from '../mcp/tools.ts'
import type { McpServer } from '../spec/spec.ts'
import { unknownServer } from '../spec/unknown-server.ts'
import { connectAndTell } from './connect-and-tell.ts'

export interface ToolCall {
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface CallResult {
  /** Absent when the call was refused or failed. */
  readonly result?: CallToolResult
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Starts one server, calls one of its tools and ends it again. What the spec forbids starts nothing.
 *
 * @param tell is told whether the server connected, and of every server that was not used
 */
export async function callTool(
  servers: readonly McpServer[],
  environment: Environment,
  call: ToolCall,
  signal?: AbortSignal,
  tell: (word: Connection) => void = () => {},
): Promise<CallResult> {
  const server = servers.find(({ name }) => name === call.server)
  const refusal = server === undefined ? unknownServer(call.server, servers) : refuseCall(server, call.tool)
  for (const { name } of servers) {
    if (name !== call.server || refusal) tell({ server: name, status: 'unused' })
  }
  if (server === undefined || refusal) return { diagnostics: refusal ? [refusal] : [] }
  const needed = { ...server, required: true }
  const { connection, diagnostics } = await connectAndTell(needed, environment, signal, tell)
  if (connection === undefined) return { diagnostics }
  try {
    const outcome = await connection.call(call.tool, call.arguments, signal)
    return 'refusal' in outcome
      ? { diagnostics: [...diagnostics, outcome.refusal] }
      : { result: outcome.result, diagnostics }
  } finally {
    await connection.close()
  }
}
