import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Environment } from '../host/environment.ts'
import type { McpHttpServer } from '../spec/spec.ts'
import { ClientCredentials } from './client-credentials.ts'
import type { SecretValues } from './mask.ts'

/**
 * The connection to a Streamable HTTP server. Credentials stay within the origin of its url: the SDK follows a
 * redirect only there, and nothing of ours goes to the authorization server but what OAuth asks for.
 *
 * @param secrets receives every token that the server grants
 */
export function httpTransport(
  server: McpHttpServer,
  environment: Environment,
  secrets: SecretValues,
): StreamableHTTPClientTransport {
  const { oauth } = server
  const credentials =
    typeof oauth === 'object'
      ? new ClientCredentials(oauth, environment[oauth.clientSecretVariable] ?? '', secrets)
      : undefined
  return new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: requestHeaders(server, environment) },
    redirectPolicy: 'same-origin',
    onInsufficientScope: 'throw',
    ...(credentials && { authProvider: credentials }),
  })
}

/** Every header of ours as `fetch` takes it: a string of bytes, here those of UTF-8. */
export function requestHeaders(server: McpHttpServer, environment: Environment): Record<string, string> {
  const { headers, headerVariables, bearerTokenVariable } = server
  const token = bearerTokenVariable === undefined ? undefined : environment[bearerTokenVariable]
  const values = {
    ...headers,
    ...Object.fromEntries(
      Object.entries(headerVariables).map(([name, source]) => [name, environment[source] ?? '']),
    ),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  )
}
