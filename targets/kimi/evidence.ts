import type { Evidence, Target } from '../../src/compile/target.ts'

const byHand = 'harnesses/kimi.test.ts'
const literals = 'harnesses/kimi-literals.test.ts'
const inSandbox = 'harnesses/kimi-run.test.ts'

const proved = (file: string, title: string): Evidence => ({ test: [file, title] })

/** What each cell of the table rests on. */
export const evidence: NonNullable<Target['evidence']> = {
  stdio: proved(literals, 'arrive as arguments, in the environment, as headers and in the address'),
  environment: {
    standalone: proved(literals, 'arrive as arguments, in the environment, as headers and in the address'),
    launch: proved(inSandbox, 'literals arrive byte for byte as arguments, environment, headers and address'),
  },
  workingDirectory: proved(literals, 'arrive as commands and as working directories'),
  variables: {
    standalone: proved(byHand, 'a variable is inherited under its own name, and its value is in no file'),
    launch: proved(
      inSandbox,
      'reach the servers that are to have them, nobody else, and no file, argument or output',
    ),
  },
  'variables.renamed': {
    standalone: { fact: 'Variables' },
    launch: proved(
      inSandbox,
      'reach the servers that are to have them, nobody else, and no file, argument or output',
    ),
  },
  http: proved(literals, 'arrive as arguments, in the environment, as headers and in the address'),
  headers: proved(literals, 'arrive as arguments, in the environment, as headers and in the address'),
  headerVariables: { fact: 'Variables' },
  bearerTokenVariable: {
    standalone: proved(byHand, 'a bearer token is on every request, and only its name is in the file'),
    launch: proved(
      inSandbox,
      'reach the servers that are to have them, nobody else, and no file, argument or output',
    ),
  },
  'oauth.login': {
    standalone: proved(
      'harnesses/login.test.ts',
      'Kimi Code: its login is renewed, and used on every later start',
    ),
    launch: { fact: 'Login' },
  },
  'oauth.clientCredentials': { fact: 'Login' },
  'tools.include': proved(
    byHand,
    'a filtered tool is not offered, and a call of it does not reach the server',
  ),
  'tools.exclude': proved(
    byHand,
    'a filtered tool is not offered, and a call of it does not reach the server',
  ),
  'requiresConfirmation.all': proved(
    byHand,
    'a rule that asks or denies is ignored, so a confirmation is refused',
  ),
  'requiresConfirmation.tools': proved(
    byHand,
    'a rule that asks or denies is ignored, so a confirmation is refused',
  ),
  startupTimeoutMs: proved(byHand, 'each server has a start-up timeout of its own'),
  toolTimeoutMs: proved(byHand, 'each server has a timeout of its own for a call'),
  required: {
    standalone: { fact: 'Servers' },
    launch: proved(inSandbox, 'a required server that does not connect ends the run'),
  },
}
