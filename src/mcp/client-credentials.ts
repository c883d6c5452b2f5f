import {
  type AuthProvider,
  ClientCredentialsProvider,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  fetchToken,
  selectResourceURL,
} from '@modelcontextprotocol/client'
import type { McpClientCredentials } from '../spec/spec.ts'
import type { SecretValues } from './mask.ts'

/**
 * OAuth client credentials grant (RFC 6749 section 4.4), as the MCP extension
 * `io.modelcontextprotocol/oauth-client-credentials` uses it. Tokens live in memory only, and one request at a time
 * asks for one. The secret is bound to the first issuer that got it: a server that later names another gets nothing.
 *
 * In place of the SDK's own flow (client 2.4.0), which puts the scopes that a server suggests before those of the
 * user, sends the headers of the MCP server to the authorization server, and writes OAuth errors to the console.
 */
export class ClientCredentials implements AuthProvider {
  readonly #credentials: McpClientCredentials
  readonly #clientSecret: string
  readonly #secrets: SecretValues
  #accessToken: string | undefined
  #issuer: string | undefined
  #request: Promise<void> | undefined

  constructor(credentials: McpClientCredentials, clientSecret: string, secrets: SecretValues) {
    this.#credentials = credentials
    this.#clientSecret = clientSecret
    this.#secrets = secrets
  }

  async token(): Promise<string | undefined> {
    return this.#accessToken
  }

  /** Called at each 401; the transport repeats the request once afterwards. */
  async onUnauthorized({ response, serverUrl }: { response: Response; serverUrl: URL }): Promise<void> {
    this.#request ??= this.#requestToken(response, serverUrl).finally(() => {
      this.#request = undefined
    })
    await this.#request
  }

  async #requestToken(response: Response, serverUrl: URL): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
    const found = await discoverOAuthServerInfo(serverUrl, resourceMetadataUrl && { resourceMetadataUrl })
    const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found
    this.#issuer ??= metadata?.issuer ?? authorizationServerUrl
    const { clientId, scopes } = this.#credentials
    const provider = new ClientCredentialsProvider({
      clientId,
      clientSecret: this.#clientSecret,
      clientName: 'bridle',
      expectedIssuer: this.#issuer,
    })
    const wanted =
      scopes.length > 0 ? scopes.join(' ') : (scope ?? resourceMetadata?.scopes_supported?.join(' '))
    const resource = await selectResourceURL(serverUrl, provider, resourceMetadata)
    const tokens = await fetchToken(provider, authorizationServerUrl, {
      ...(metadata && { metadata }),
      ...(resource && { resource }),
      ...(wanted && { scope: wanted }),
    })
    this.#secrets.add(tokens.access_token)
    this.#accessToken = tokens.access_token
  }
}
