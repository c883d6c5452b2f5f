import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { realProject } from '../sandbox/project.ts'
import { SandboxRefusal } from '../sandbox/sandbox.ts'
import { noSettings } from '../spec/spec.ts'
import type { LaunchRequest } from './request.ts'

/** What stands against a launch whatever its servers are. */
export function checkRequest(request: LaunchRequest): Diagnostic[] {
  return [
    ...checkAccount(request),
    ...checkArguments(request),
    ...checkNetwork(request),
    ...checkProject(request),
  ]
}

function checkAccount({ spec, target }: LaunchRequest): Diagnostic[] {
  const settings = spec.targets[target.id] ?? noSettings
  const isGiven = settings.accountVariables.length > 0 || Object.keys(settings.environment).length > 0
  if (!target.launch.needsAccount || isGiven) return []
  return [
    diagnostic('BRIDLE609', 'error', `${target.title} is given no account`, {
      target: target.id,
      span: spec.source.span(['targets', target.id], 'key'),
      help: `declare its key and give it: \`targets: { ${target.id}: { account: { variables: [NAME] } } }\`; a base URL goes into \`targets.${target.id}.environment\``,
    }),
  ]
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
