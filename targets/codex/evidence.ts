import type { Evidence, Target } from '../../src/compile/target.ts'

const byHand = 'harnesses/codex.test.ts'
const literals = 'harnesses/codex-literals.test.ts'
const inSandbox = 'harnesses/codex-run.test.ts'

const proved = (file: string, title: string): Evidence => ({ test: [file, title] })

const literalsByHand = proved(
  literals,
  'arrive as arguments, in the environment, as headers and in the address',
)
const literalsInSandbox = proved(
  inSandbox,
  'arrive byte for byte as arguments, environment, address and headers',
)
const secretsInSandbox = proved(
  inSandbox,
  'reach the servers that are to have them, nobody else, and no file, argument or output',
)
const rulesByHand = proved(
  literals,
  'give a server its variables, headers from variables, and no other tool unasked',
)
const readBack = proved(byHand, 'holds what the spec says of %s, and no more')
const filtersInSandbox = proved(
  inSandbox,
  'filters hide tools from the model, and a call of a hidden tool does not reach the server',
)
const unasked = proved(
  byHand,
  'with the settings of a launch it runs unasked, so a launch refuses a confirmation',
)

/** What each cell of the table rests on. */
export const evidence: NonNullable<Target['evidence']> = {
  stdio: {
    standalone: proved(literals, 'arrive as commands and as working directories'),
    launch: literalsInSandbox,
  },
  environment: { standalone: literalsByHand, launch: literalsInSandbox },
  workingDirectory: {
    standalone: proved(literals, 'arrive as commands and as working directories'),
    launch: proved(literals, 'arrive through the wrapper as commands and as working directories'),
  },
  variables: { standalone: rulesByHand, launch: secretsInSandbox },
  'variables.renamed': { standalone: { fact: 'Servers' }, launch: secretsInSandbox },
  http: { standalone: literalsByHand, launch: literalsInSandbox },
  headers: { standalone: literalsByHand, launch: literalsInSandbox },
  headerVariables: { standalone: rulesByHand, launch: secretsInSandbox },
  bearerTokenVariable: {
    standalone: proved(byHand, 'is on every request, and only its name is in the file'),
    launch: secretsInSandbox,
  },
  'oauth.login': {
    standalone: proved(
      'harnesses/login.test.ts',
      'Codex: its login is renewed, and used on every later start',
    ),
    launch: { fact: 'Login' },
  },
  'oauth.clientCredentials': { fact: 'Login' },
  'tools.include': { standalone: rulesByHand, launch: filtersInSandbox },
  'tools.exclude': { standalone: rulesByHand, launch: filtersInSandbox },
  'requiresConfirmation.all': {
    standalone: proved(byHand, 'headless, a tool that asks is refused, as a standalone file promises'),
    launch: unasked,
  },
  'requiresConfirmation.tools': { standalone: rulesByHand, launch: unasked },
  startupTimeoutMs: {
    standalone: readBack,
    launch: proved(inSandbox, 'ends the run when it exceeds its timeout, before the model is asked'),
  },
  toolTimeoutMs: {
    standalone: readBack,
    launch: proved(
      inSandbox,
      'a call that takes longer than its timeout fails, another server keeps its own',
    ),
  },
  required: {
    standalone: proved(byHand, 'that is not set stops the run before a request'),
    launch: proved(
      'harnesses/codex-connections.test.ts',
      'goes on without a server that is not needed, and not without a required one',
    ),
  },
}
