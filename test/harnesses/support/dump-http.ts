import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createDumpServer } from './dump-server.ts'
import { close, listen } from './loopback.ts'

/** One request as it came: each header with its value as bytes, one UTF-16 unit a byte (Latin-1). */
export interface RecordedRequest {
  readonly method: string
  /** The path and the query, as they came. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export interface DumpHttp {
  readonly url: string
  /** In order of arrival, refused ones too. */
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/**
 * The dumping server over Streamable HTTP (SDK 1.x, without sessions) on loopback. `dump` returns the requests so far,
 * `fingerprint` reads a header of its own request. Port 0 takes a free one; a request without `Bearer <token>` is
 * answered 401 when a token is given.
 */
export async function startDumpHttp({
  port = 0,
  token,
}: {
  port?: number
  token?: string
} = {}): Promise<DumpHttp> {
  const requests: RecordedRequest[] = []
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
    const headers = headersOf(request)
    requests.push({ method: request.method ?? '', target: request.url ?? '', headers })
    if (token !== undefined && headers['authorization'] !== `Bearer ${token}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    } else {
      answer(request, response, requests, headers).catch(() => response.destroy())
    }
  })
  const url = `http://127.0.0.1:${await listen(server, port)}/mcp`
  return { url, requests, close: () => close(server) }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: readonly RecordedRequest[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const mcp = createDumpServer({
    dump: () => ({ requests }),
    value: (name) => bytes(headers[name.toLowerCase()]),
    received: () => ({
      target: request.url ?? '',
      headers: onEveryRequest(requests.filter(({ target }) => target === request.url)),
    }),
  })
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void transport.close())
  // The SDK's own transport declares its callbacks without the exactness that our compiler settings ask for.
  await mcp.connect(transport as Parameters<typeof mcp.connect>[0])
  await transport.handleRequest(request, response)
}

/** Names in lower case; repeated headers joined, so that a doubled one never passes for a single one. */
function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = (request.rawHeaders[index] ?? '').toLowerCase()
    const value = request.rawHeaders[index + 1] ?? ''
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  return headers
}

/** The headers that all of the requests had with the same value: as bytes. */
function onEveryRequest(requests: readonly RecordedRequest[]): Record<string, Uint8Array> {
  const [first, ...others] = requests
  const common = Object.entries(first?.headers ?? {}).filter(([name, value]) =>
    others.every(({ headers }) => headers[name] === value),
  )
  return Object.fromEntries(common.map(([name, value]) => [name, Buffer.from(value, 'latin1')]))
}

function bytes(value: string | undefined): Uint8Array | undefined {
  return value === undefined ? undefined : Buffer.from(value, 'latin1')
}
