import type { Connection as Word } from '../compile/target.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { type Connecting, connect } from '../mcp/connection.ts'
import type { McpServer } from '../spec/spec.ts'

/** Connects to a server and tells whether it did. An interruption is no failure of the server. */
export async function connectAndTell(
  server: McpServer,
  environment: Environment,
  signal: AbortSignal | undefined,
  tell: (word: Word) => void,
): Promise<Connecting> {
  const connecting = await connect(server, environment, signal)
  if (connecting.connection !== undefined) tell({ server: server.name, status: 'connected' })
  else if (!signal?.aborted) {
    tell({ server: server.name, status: 'failed', reason: connecting.diagnostics.map(reasonOf).join('; ') })
  }
  return connecting
}

/** The message and what stands beside it, such as the last words of the server. */
function reasonOf({ message, help }: Diagnostic): string {
  const reason = message.replace('the server did not connect: ', '')
  return help === undefined ? reason : `${reason}; ${help}`
}
