import type { Evidence, Target } from '../../src/compile/target.ts'

const byHand = 'harnesses/copilot.test.ts'
const literals = 'harnesses/copilot-literals.test.ts'
const inSandbox = 'harnesses/copilot-run.test.ts'

const proved = (file: string, title: string): Evidence => ({ test: [file, title] })

const literalsArrive = proved(
  literals,
  'arrive as arguments, in the environment, as headers and in addresses',
)
const secretsArrive = proved(
  inSandbox,
  'reach the servers that are to have them, nobody else, and no file, argument or output',
)
const variablesArrive = proved(
  byHand,
  'a variable arrives under the name that the server expects, and its value is in no file',
)
const headersArrive = proved(
  byHand,
  'a header and a bearer token are on every request, and only their names are in the file',
)
const confirmations = {
  standalone: proved(
    byHand,
    'a tool that its server calls read-only runs unasked, so a file can require nothing',
  ),
  launch: proved(byHand, 'what needs a confirmation is refused in a launch, whatever its server says of it'),
}
const filters = proved(byHand, 'a filtered tool is not offered, and a call of it does not reach the server')

/** What each cell of the table rests on. */
export const evidence: NonNullable<Target['evidence']> = {
  stdio: literalsArrive,
  environment: literalsArrive,
  workingDirectory: proved(literals, 'arrive as commands and as working directories'),
  variables: { standalone: variablesArrive, launch: secretsArrive },
  'variables.renamed': { standalone: variablesArrive, launch: secretsArrive },
  http: literalsArrive,
  headers: literalsArrive,
  headerVariables: { standalone: headersArrive, launch: secretsArrive },
  bearerTokenVariable: { standalone: headersArrive, launch: secretsArrive },
  'oauth.login': {
    standalone: proved(
      'harnesses/login.test.ts',
      'Copilot CLI: its login is renewed, and used on every later start',
    ),
    launch: { fact: 'Login' },
  },
  'oauth.clientCredentials': { fact: 'Login' },
  'tools.include': filters,
  'tools.exclude': filters,
  'requiresConfirmation.all': confirmations,
  'requiresConfirmation.tools': confirmations,
  startupTimeoutMs: proved(byHand, 'a server has a minute to start, also with a shorter timeout'),
  toolTimeoutMs: proved(
    byHand,
    'a call and a listing that take longer than the timeout of their server fail',
  ),
  required: {
    standalone: { fact: 'Servers' },
    launch: proved(inSandbox, 'a server that does not start ends the run, with its name and the reason'),
  },
}
