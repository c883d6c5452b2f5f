import type { McpHttpServer, McpStdioServer } from '../../../src/spec/spec.ts'

/** A server of each kind with nothing set, and whatever the test sets. */
export function stdio(changes: Partial<McpStdioServer> = {}): McpStdioServer {
  return {
    name: 'local',
    transport: 'stdio',
    command: 'node',
    arguments: [],
    environment: {},
    variables: {},
    requiresConfirmation: false,
    required: false,
    enabled: true,
    ...changes,
  }
}

export function http(changes: Partial<McpHttpServer> = {}): McpHttpServer {
  return {
    name: 'remote',
    transport: 'http',
    url: 'https://mcp.example.com/mcp',
    headers: {},
    headerVariables: {},
    requiresConfirmation: false,
    required: false,
    enabled: true,
    ...changes,
  }
}
