import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  ProtocolError,
  SdkHttpError,
  type StreamableHTTPClientTransport,
  type Tool,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import packageJson from '../../package.json' with { type: 'json' }
import type { Environment } from '../host/environment.ts'
import type { McpServer } from '../spec/spec.ts'
import { httpTransport } from './http.ts'
import { mask, type SecretValues } from './mask.ts'
import { StdioTransport } from './stdio.ts'

/** A client and the transport that it owns. */
export interface Session {
  readonly client: Client
  readonly transport: StdioTransport | StreamableHTTPClientTransport
}

export interface SessionOptions {
  readonly server: McpServer
  readonly environment: Environment
  readonly secrets: SecretValues
  readonly signal: AbortSignal
  /** The limit of one request; the whole is limited by the signal. */
  readonly limitMs: number
  /** Called with each session that is begun, whether it comes to a good end or not: the caller closes it. */
  readonly begun: (session: Session) => void
}

/**
 * Opens a session: with `initialize`, as every server up to revision 2025-11-25 expects, and with `server/discover` of
 * 2026-07-28 only when the server answers that with an error. To ask the new way first, as the SDK's mode `auto`
 * does, is not safe: servers on some SDKs exit at any request before `initialize`, and a 500 to an unknown one counts
 * as an outage.
 *
 * @throws what the first way threw, when both fail
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  try {
    return await open(options, 'legacy')
  } catch (error) {
    if (!refusesInitialize(error)) throw error
    return await open(options, { pin: '2026-07-28' }).catch(() => {
      throw error
    })
  }
}

async function open(options: SessionOptions, mode: VersionNegotiationMode): Promise<Session> {
  const { server, environment, secrets, signal, limitMs } = options
  signal.throwIfAborted()
  const client = new Client(
    { name: 'bridle', version: packageJson.version },
    { versionNegotiation: { mode } },
  )
  const transport =
    server.transport === 'stdio'
      ? new StdioTransport(server, environment, (text) => mask(text, secrets))
      : httpTransport(server, environment, secrets)
  const session = { client, transport }
  options.begun(session)
  await client.connect(transport, { signal, timeout: limitMs })
  return session
}

function refusesInitialize(error: unknown): boolean {
  return error instanceof ProtocolError || (error instanceof SdkHttpError && error.status === 400)
}

/** Every page of the tools; none from a server that says it has none. */
export async function listAllTools(
  { client }: Session,
  signal: AbortSignal,
  limitMs: number,
): Promise<Tool[]> {
  // Without this, the SDK writes a line of its own to stdout (client 2.4.0).
  if (client.getServerCapabilities()?.tools === undefined) return []
  const { tools } = await client.listTools(undefined, { signal, timeout: limitMs })
  return tools
}

/** A server that does not answer the goodbye is left after this. */
const goodbyeMs = 1_000

/** Ends the session on both sides. Bounded, and never rejects. */
export async function closeSession({ client, transport }: Session): Promise<void> {
  if (!(transport instanceof StdioTransport)) {
    const goodbye = transport.terminateSession().catch(() => undefined)
    const controller = new AbortController()
    await Promise.race([goodbye, sleep(goodbyeMs, undefined, controller).catch(() => undefined)])
    controller.abort()
  }
  await client.close().catch(() => undefined)
  await transport.close().catch(() => undefined)
}
