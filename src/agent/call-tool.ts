import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { connect } from '../mcp/connection.ts'
import { refuseCall } from '../mcp/tools.ts'
import type { McpServer } from '../spec/spec.ts'
import { unknownServer } from '../spec/unknown-server.ts'

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

/** Starts one server, calls one of its tools and ends it again. What the spec forbids starts nothing. */
export async function callTool(
  servers: readonly McpServer[],
  environment: Environment,
  call: ToolCall,
  signal?: AbortSignal,
): Promise<CallResult> {
  const server = servers.find(({ name }) => name === call.server)
  if (server === undefined) return { diagnostics: [unknownServer(call.server, servers)] }
  const refusal = refuseCall(server, call.tool)
  if (refusal) return { diagnostics: [refusal] }
  const { connection, diagnostics } = await connect({ ...server, required: true }, environment, signal)
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
