import type { Evidence, Target } from '../../src/compile/target.ts'

const byHand = 'harnesses/claude-emission.test.ts'
const literals = 'harnesses/claude-literals.test.ts'
const rules = 'harnesses/claude-rules.test.ts'
const inSandbox = 'harnesses/claude-run.test.ts'

const proved = (file: string, title: string): Evidence => ({ test: [file, title] })

const literalsByHand = proved(
  literals,
  'arrive as arguments, in the environment, as headers and in the address',
)
const literalsInSandbox = proved(
  inSandbox,
  'literals arrive byte for byte as arguments, environment, address and headers',
)
const secretsInSandbox = proved(
  inSandbox,
  'case 11: reach the servers that are to have them, no other server, and no file, argument or output',
)
const filesByHand = proved(byHand, 'give each server its variables from the environment and keep the rules')

/** What each cell of the table rests on. */
export const evidence: NonNullable<Target['evidence']> = {
  stdio: { standalone: proved(literals, 'arrive as commands'), launch: literalsInSandbox },
  environment: { standalone: literalsByHand, launch: literalsInSandbox },
  workingDirectory: {
    standalone: { fact: 'Servers' },
    launch: proved(literals, 'arrive through the wrapper as commands and as working directories'),
  },
  variables: { standalone: filesByHand, launch: secretsInSandbox },
  'variables.renamed': { standalone: filesByHand, launch: secretsInSandbox },
  http: { standalone: literalsByHand, launch: literalsInSandbox },
  headers: { standalone: literalsByHand, launch: literalsInSandbox },
  headerVariables: { standalone: filesByHand, launch: secretsInSandbox },
  bearerTokenVariable: {
    standalone: proved(byHand, 'case 04: a bearer token is a reference that Claude Code expands'),
    launch: secretsInSandbox,
  },
  'oauth.login': {
    standalone: proved(
      'harnesses/login.test.ts',
      'Claude Code: its login is renewed, and used on every later start',
    ),
    launch: { fact: 'Login' },
  },
  'oauth.clientCredentials': { fact: 'Login' },
  'tools.include': {
    standalone: { fact: 'Tools and confirmation' },
    launch: proved(rules, 'include: no other tool runs, whatever the project says'),
  },
  'tools.exclude': {
    standalone: filesByHand,
    launch: proved(rules, 'exclude: the tool is gone, and a call all the same is refused'),
  },
  'requiresConfirmation.all': {
    standalone: filesByHand,
    launch: proved(rules, 'confirmation of every tool: none runs, and the other server is not touched by it'),
  },
  'requiresConfirmation.tools': {
    standalone: filesByHand,
    launch: proved(
      rules,
      'confirmation of one tool: it is refused, since nobody can be asked, and the others run',
    ),
  },
  startupTimeoutMs: {
    standalone: proved(byHand, 'a start-up timeout of $timeout in the settings of $place is one of $limit'),
    launch: proved(inSandbox, 'a server that exceeds its start-up timeout ends the run'),
  },
  toolTimeoutMs: {
    standalone: proved(byHand, 'is kept whole: it knows every key'),
    launch: proved(
      inSandbox,
      'a server that starts slowly is waited for, and a call that takes too long fails',
    ),
  },
  required: {
    standalone: { fact: 'Launch' },
    launch: proved(
      'harnesses/claude-connections.test.ts',
      'goes on without a server that is not needed, and not without a required one',
    ),
  },
}
