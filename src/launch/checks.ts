import { selectServers } from '../compile/select.ts'
import { isShellName } from '../compile/wrapper.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { realProject } from '../sandbox/project.ts'
import { SandboxRefusal } from '../sandbox/sandbox.ts'
import { noSettings } from '../spec/spec.ts'
import { fixedEnvironment } from './environment.ts'
import type { LaunchRequest } from './request.ts'

/** What stands against a launch whatever its servers are. */
export function checkRequest(request: LaunchRequest): Diagnostic[] {
  return [
    ...checkAccount(request),
    ...checkNames(request),
    ...checkArguments(request),
    ...checkHarness(request),
    ...checkNetwork(request),
    ...checkProject(request),
  ]
}

function checkAccount({ spec, target }: LaunchRequest): Diagnostic[] {
  const { accountNames, takesAnyAccountName, neededNames = [] } = target.launch
  const { accountVariables, environment } = spec.targets[target.id] ?? noSettings
  const isGiven =
    accountVariables.some((name) => takesAnyAccountName || accountNames.includes(name)) ||
    accountNames.some((name) => Object.hasOwn(environment, name))
  const missing = neededNames.filter(
    (name) => !accountVariables.includes(name) && !Object.hasOwn(environment, name),
  )
  if (missing.length > 0) {
    return [
      diagnostic('BRIDLE609', 'error', `${target.title} is given no ${missing.join(', ')}`, {
        target: target.id,
        span: spec.source.span(['targets', target.id], 'key'),
        help: `it needs all of ${neededNames.join(', ')}: a secret as a declared variable in \`targets.${target.id}.account.variables\`, the others in \`targets.${target.id}.environment\``,
      }),
    ]
  }
  if (accountNames.length === 0 || isGiven) return []
  return [
    diagnostic('BRIDLE609', 'error', `${target.title} is given no account`, {
      target: target.id,
      span: spec.source.span(['targets', target.id], 'key'),
      help: `give it one of ${accountNames.join(', ')}: a key as a declared variable (under another name in your environment: \`{ env: NAME }\`) in \`targets.${target.id}.account.variables\`, an address in \`targets.${target.id}.environment\``,
    }),
  ]
}

/** Names of the harness's environment that the spec sets and a launch cannot leave to it. */
function checkNames({ spec, target, network, arguments: args }: LaunchRequest): Diagnostic[] {
  const { accountVariables, environment } = spec.targets[target.id] ?? noSettings
  const fixed = fixedEnvironment({ searchFolders: [], home: '/', network })
  const planned = target.launch.plan({ servers: [], arguments: args, stateFolder: '/' }).environment
  const { unpackVariable, undoingNames } = target.launch
  const unpacking = unpackVariable === undefined ? [] : [unpackVariable]
  const own = new Set([...Object.keys({ ...fixed, ...planned }), ...unpacking].map(foldName))
  const refuse = (name: string, ...path: string[]): Diagnostic[] => {
    const reasons = [
      own.has(foldName(name)) && 'a launch sets it itself, to what is right in the sandbox',
      isShellName(name) && 'the shell that starts it keeps this name to itself',
      undoingNames.includes(name) && 'it would undo what a launch promises',
    ]
    const reason = reasons.find((each) => each !== false)
    if (reason === undefined) return []
    return [
      diagnostic('BRIDLE303', 'error', `\`${name}\` cannot be given to ${target.title}: ${reason}`, {
        target: target.id,
        span: spec.source.span(['targets', target.id, ...path, name], 'key'),
        help: path[0] === 'account' ? 'declare the variable under another name' : 'remove it from the spec',
      }),
    ]
  }
  return [
    ...Object.keys(environment).flatMap((name) => refuse(name, 'environment')),
    ...accountVariables.flatMap((name) => refuse(name, 'account', 'variables')),
  ]
}

/** npm reads its settings from the environment in capitals too. */
function foldName(name: string): string {
  return /^npm_config_/i.test(name) ? name.toLowerCase() : name
}

function checkArguments({ target, arguments: args }: LaunchRequest): Diagnostic[] {
  return target.launch
    .refuseArguments(args)
    .map(({ reason, help }) => diagnostic('BRIDLE608', 'error', reason, { target: target.id, help }))
}

function checkHarness({ target, harness, node }: LaunchRequest): Diagnostic[] {
  const { executable, oldestNode } = target.launch
  const meaningless = (option: string, help: string) =>
    diagnostic('BRIDLE608', 'error', `\`${option}\` has no meaning for ${target.title}`, {
      target: target.id,
      help,
    })
  return [
    ...(harness === undefined || executable !== undefined
      ? []
      : [meaningless('--harness', 'leave it out: that harness is a part of Bridle')]),
    ...(node === undefined || oldestNode !== undefined
      ? []
      : [meaningless('--node', 'leave it out: that harness does not choose a Node.js')]),
  ]
}

/** A guard that the backend lacks is never dropped in silence. */
function checkNetwork({ sandbox, network }: LaunchRequest): Diagnostic[] {
  if (sandbox.name !== 'none' || network === 'host') return []
  return [
    diagnostic('BRIDLE602', 'error', 'without a sandbox the network cannot be closed', {
      help: 'say so explicitly: `--sandbox none --network host`',
    }),
  ]
}

/** What waits in vain behind a closed network: most harnesses try for minutes, and say nothing. */
export function checkReach({ spec, target, network }: LaunchRequest): Diagnostic[] {
  if (network !== 'none') return []
  const unreachable = (what: string, rest: Partial<Diagnostic>): Diagnostic =>
    diagnostic('BRIDLE616', 'warning', `${what}: the network of the sandbox is closed`, {
      ...rest,
      help: 'add `--network host`, which opens all of it; the address 127.0.0.1 of the sandbox is its own',
    })
  const servers = selectServers(spec, target, 'launch').filter(({ transport }) => transport === 'http')
  return [
    ...(target.launch.accountNames.length === 0
      ? []
      : [unreachable(`${target.title} cannot reach its model`, { target: target.id })]),
    ...servers.map(({ name }) =>
      unreachable(`\`${name}\` cannot be reached`, {
        server: name,
        span: spec.source.span(['servers', name, 'url']),
      }),
    ),
  ]
}

/** The sandbox refuses these too; here the refusal stands beside all the others. */
function checkProject({ project }: LaunchRequest): Diagnostic[] {
  try {
    realProject(project)
    return []
  } catch (error) {
    if (error instanceof SandboxRefusal) return [error.diagnostic]
    throw error
  }
}
