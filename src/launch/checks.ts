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
    ...checkNetwork(request),
    ...checkProject(request),
  ]
}

function checkAccount({ spec, target }: LaunchRequest): Diagnostic[] {
  const { accountNames } = target.launch
  const { accountVariables, environment } = spec.targets[target.id] ?? noSettings
  const isGiven = accountVariables.length > 0 || accountNames.some((name) => Object.hasOwn(environment, name))
  if (accountNames.length === 0 || isGiven) return []
  return [
    diagnostic('BRIDLE609', 'error', `${target.title} is given no account`, {
      target: target.id,
      span: spec.source.span(['targets', target.id], 'key'),
      help: `declare its key and give it: \`targets: { ${target.id}: { account: { variables: [NAME] } } }\`; or say in \`targets.${target.id}.environment\` where its model is (${accountNames.join(', ')})`,
    }),
  ]
}

/** Names of the harness's environment that the spec sets and a launch cannot leave to it. */
function checkNames({ spec, target, network, arguments: args }: LaunchRequest): Diagnostic[] {
  const { accountVariables, environment } = spec.targets[target.id] ?? noSettings
  const fixed = fixedEnvironment({ searchFolders: [], home: '/', network })
  const planned = target.launch.plan({ arguments: args, stateFolder: '/' }).environment
  const own = new Set(Object.keys({ ...fixed, ...planned }).map(foldName))
  const refuse = (name: string, ...path: string[]): Diagnostic[] => {
    const reason = own.has(foldName(name))
      ? 'a launch sets it itself, to what is right in the sandbox'
      : isShellName(name) && 'the shell that starts it keeps this name to itself'
    if (reason === false) return []
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

/** A guard that the backend lacks is never dropped in silence. */
function checkNetwork({ sandbox, network }: LaunchRequest): Diagnostic[] {
  if (sandbox.name !== 'none' || network === 'host') return []
  return [
    diagnostic('BRIDLE602', 'error', 'without a sandbox the network cannot be closed', {
      help: 'say so explicitly: `--sandbox none --network host`',
    }),
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
