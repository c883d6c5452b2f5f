/**
 * What to add to the environment so that programs notice a closed network at once: their requests go to a port on
 * which nobody listens. Without it Codex waits 5 s for a name server. Loopback stays direct.
 */
export function networkEnvironment(network: 'none' | 'host'): Readonly<Record<string, string>> {
  return network === 'none' ? closedNetwork : {}
}

const closedPort = 'http://127.0.0.1:9'
const loopback = '127.0.0.1,localhost,::1'

const closedNetwork = {
  HTTP_PROXY: closedPort,
  http_proxy: closedPort,
  HTTPS_PROXY: closedPort,
  https_proxy: closedPort,
  NO_PROXY: loopback,
  no_proxy: loopback,
}
