import type { McpHttpServer, McpStdioServer } from '../../src/spec/spec.ts'

/** A server of each kind with nothing set, and whatever the test sets. */
export function stdio(rest: Partial<McpStdioServer> = {}): McpStdioServer {
  return {
    transport: 'stdio',
    name: 'local',
    command: 'server',
    arguments: [],
    environment: {},
    variables: {},
    requiresConfirmation: false,
    required: false,
    enabled: true,
    ...rest,
  }
}

export function http(rest: Partial<McpHttpServer> = {}): McpHttpServer {
  return {
    transport: 'http',
    name: 'remote',
    url: 'https://mcp.example.com/mcp',
    headers: {},
    headerVariables: {},
    requiresConfirmation: false,
    required: false,
    enabled: true,
    ...rest,
  }
}
