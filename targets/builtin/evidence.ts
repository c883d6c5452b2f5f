import type { Evidence, Target } from '../../src/compile/target.ts'

const proved = (file: string, title: string): Evidence => ({ test: [file, title] })

const withSecret = proved(
  'agent/builtin.test.ts',
  'gives a server its secret, and prints what the tool answers',
)
const onEveryRequest = proved(
  'mcp/http.test.ts',
  'gets its headers, header variables and bearer token on every request',
)
const filtered = proved(
  'mcp/connection.test.ts',
  'reaches only what the filter leaves, at listing and at call',
)
const refusedCall = proved('mcp/connection.test.ts', 'that requires confirmation is refused')

/** What each cell of the table rests on; both contexts are alike. */
export const evidence: NonNullable<Target['evidence']> = {
  stdio: proved('mcp/stdio.test.ts', 'gets every literal byte for byte in its arguments and its environment'),
  environment: proved(
    'mcp/stdio.test.ts',
    'gets every literal byte for byte in its arguments and its environment',
  ),
  workingDirectory: proved('mcp/stdio.test.ts', 'starts in its working directory'),
  variables: withSecret,
  'variables.renamed': withSecret,
  http: onEveryRequest,
  headers: onEveryRequest,
  headerVariables: onEveryRequest,
  bearerTokenVariable: onEveryRequest,
  'oauth.login': proved(
    'targets/builtin/target.test.ts',
    'is refused for a login, with the harnesses that can',
  ),
  'oauth.clientCredentials': proved(
    'mcp/client-credentials.test.ts',
    'buy one token, which is then sent with each request',
  ),
  'tools.include': filtered,
  'tools.exclude': filtered,
  'requiresConfirmation.all': refusedCall,
  'requiresConfirmation.tools': refusedCall,
  startupTimeoutMs: proved('mcp/connection.test.ts', 'is a warning with the reason when it $what'),
  toolTimeoutMs: proved('mcp/connection.test.ts', 'that takes too long fails within its limit'),
  required: proved('agent/builtin.test.ts', 'ends with 1 when a required server does not connect'),
}
