import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import type { McpServer } from '../spec/spec.ts'
import { DeadlineError, withinDeadline } from './deadline.ts'
import { variableNames } from './environment.ts'
import { describeFault, isClosed } from './fault.ts'
import { mask, type SecretValues } from './mask.ts'
import { closeSession, listAllTools, openSession, type Session } from './session.ts'
import { StdioTransport } from './stdio.ts'
import { checkToolNames, filterTools, refuseCall, refuseUnknown } from './tools.ts'

/** Start-up and calls of a server that states no limit of its own. */
const defaultTimeoutMs = 60_000

export type Connecting =
  | { readonly connection: Connection; readonly diagnostics: readonly Diagnostic[] }
  | { readonly connection?: never; readonly diagnostics: readonly Diagnostic[] }

export type CallOutcome = { readonly result: CallToolResult } | { readonly refusal: Diagnostic }

/**
 * Connects to a server and lists its tools, both within its start-up limit. A server that fails leaves nothing behind.
 *
 * @param environment where the variables of the server are looked up, and its base environment
 * @returns the connection with BRIDLE702 warnings, or BRIDLE701: an error when the server is `required`
 */
export async function connect(
  server: McpServer,
  environment: Environment,
  signal?: AbortSignal,
): Promise<Connecting> {
  const missing = missingVariables(server, environment)
  if (missing.length > 0) return { diagnostics: missing }
  const secrets: SecretValues = new Set(variableNames(server).map((name) => environment[name] ?? ''))
  const limitMs = server.startupTimeoutMs ?? defaultTimeoutMs
  const begun: Session[] = []
  try {
    const [session, tools] = await withinDeadline(limitMs, signal, async (signal) => {
      const options = { server, environment, secrets, signal, limitMs, begun: begun.push.bind(begun) }
      const session = await openSession(options)
      return [session, await listAllTools(session, signal, limitMs)] as const
    })
    await Promise.all(begun.filter((other) => other !== session).map(closeSession))
    return {
      connection: new Connection(server, session, filterTools(server, tools), secrets),
      diagnostics: checkToolNames(server, tools),
    }
  } catch (error) {
    const { reason, help } = explain(error, begun.at(-1), secrets, 'startupTimeoutMs')
    await Promise.all(begun.map(closeSession))
    const severity = server.required ? 'error' : 'warning'
    const message = `the server did not connect: ${reason}`
    return { diagnostics: [diagnostic('BRIDLE701', severity, message, { server: server.name, help })] }
  }
}

/** A live connection to one server. `close` it: until then its process runs. */
export class Connection {
  readonly server: McpServer
  /** What the filter of the server leaves, in the order of the server. */
  readonly tools: readonly Tool[]
  readonly #session: Session
  readonly #secrets: SecretValues

  constructor(server: McpServer, session: Session, tools: readonly Tool[], secrets: SecretValues) {
    this.server = server
    this.tools = tools
    this.#session = session
    this.#secrets = secrets
  }

  /** Calls a tool within the limit of the server. A result with `isError` is a result: the tool itself said so. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<CallOutcome> {
    const { server, tools } = this
    const refusal = refuseCall(server, tool)
    if (refusal) return { refusal }
    if (!tools.some(({ name }) => name === tool)) return { refusal: refuseUnknown(server, tool, tools) }
    const limitMs = server.toolTimeoutMs ?? defaultTimeoutMs
    try {
      const result = await withinDeadline(limitMs, signal, (signal) =>
        this.#session.client.callTool(
          { name: tool, arguments: { ...args } },
          { signal, timeout: limitMs, maxTotalTimeout: limitMs },
        ),
      )
      return { result }
    } catch (error) {
      const { reason, help } = explain(error, this.#session, this.#secrets, 'toolTimeoutMs')
      const message = `the call of \`${tool}\` failed: ${reason}`
      return { refusal: diagnostic('BRIDLE704', 'error', message, { server: server.name, help }) }
    }
  }

  /** Ends the session and the server with all that it started. Bounded; safe to call twice. */
  async close(): Promise<void> {
    await closeSession(this.#session)
  }
}

function missingVariables(server: McpServer, environment: Environment): Diagnostic[] {
  return [...new Set(variableNames(server))]
    .filter((name) => !environment[name])
    .map((name) =>
      diagnostic('BRIDLE501', 'error', `no value for the variable \`${name}\`: it is not set, or empty`, {
        server: server.name,
        help: `set \`${name}\` in the environment`,
      }),
    )
}

/** What went wrong, how a stdio server ended, and what it wrote to stderr before; without secret values. */
function explain(
  error: unknown,
  session: Session | undefined,
  secrets: SecretValues,
  limit: 'startupTimeoutMs' | 'toolTimeoutMs',
): { reason: string; help: string | undefined } {
  const reason = describeFault(error, (text) => mask(text, secrets))
  const isLate = error instanceof DeadlineError
  const raise = `raise \`${limit}\` if it needs longer`
  if (!(session?.transport instanceof StdioTransport)) return { reason, help: isLate ? raise : undefined }
  const { ending, stderr } = session.transport.lastWords
  const hint = isLate ? raise : 'Run its command by hand to see more.'
  return {
    reason: ending !== undefined && isClosed(error) ? ending : reason,
    help:
      stderr.length > 0
        ? ['the last that it wrote to stderr:', ...stderr.map((line) => `  ${line}`), hint].join('\n')
        : isLate
          ? raise
          : undefined,
  }
}
