import path from 'node:path'
import type { Injection } from '../compile/lower.ts'
import type { Confinement } from '../sandbox/sandbox.ts'
import { count } from '../text/count.ts'
import { shown } from '../text/shown.ts'
import type { AssembledLaunch } from './assemble.ts'
import type { Verdict } from './judge-connections.ts'
import type { PreparedLaunch } from './prepare.ts'

/** What is being started, in a few lines for stderr. Names of secrets, never a value. */
export function describeLaunch(
  { request, emission, version }: PreparedLaunch,
  { confinement }: AssembledLaunch,
): string[] {
  const { target, sandbox, network, specFile, project } = request
  const servers = emission.servers.map(({ name }) => name)
  const place =
    sandbox.name === 'none' ? 'WITHOUT a sandbox (it can do whatever you can)' : `in ${sandbox.name}`
  return [
    `${target.title}${version === undefined ? '' : ` ${version}`} ${place}, network ${network}`,
    `project ${project}, spec ${path.relative(project, specFile)}`,
    `${count(servers.length, 'server')}${servers.length === 0 ? '' : `: ${servers.join(', ')}`}`,
    ...(sandbox.name === 'none' ? [] : readableLines(confinement)),
    ...secretLines(emission.injections),
  ].map(shown)
}

/** What the agent sees of the host besides the project and the system, so that nobody has to find out. */
function readableLines({ readable }: Confinement): string[] {
  return readable.length === 0 ? [] : [`visible read-only: ${readable.join(', ')}`]
}

/** The level of a secret is stated as it is: in one sandbox, every process of it can read the environment of the others. */
function secretLines(injections: readonly Injection[]): string[] {
  if (injections.length === 0) return []
  const users = new Map<string, Set<string>>()
  for (const { variable, field, paths } of injections) {
    const names = users.get(variable) ?? new Set<string>()
    for (const path of paths) names.add(field === 'account' ? 'the harness itself' : String(path[1]))
    users.set(variable, names)
  }
  const list = [...users].map(([variable, names]) => `${variable} → ${[...names].join(', ')}`)
  return [`secrets, level shared (the agent's shell can read them): ${list.join('; ')}`]
}

const statusWords: Readonly<Record<Verdict['status'], string>> = {
  connected: 'connected',
  failed: 'did not connect',
  unused: 'not used',
  silent: 'there is no sign that it connected',
  unknown: 'not known whether it connected',
}

/** What became of each server, one line each. */
export function describeConnections(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ server, status, reason }) =>
    shown(`${server}: ${statusWords[status]}${reason === undefined ? '' : `: ${reason}`}`),
  )
}

/** Everything that would be started, for `--dry-run`: secrets by name only. */
export function describeDryRun(prepared: PreparedLaunch, { command, confinement }: AssembledLaunch): string {
  const secret = new Map(prepared.emission.injections.map(({ name, variable }) => [name, variable]))
  const variables = Object.entries(command.environment).map(([name, value]) =>
    secret.has(name) ? `${name}=<value of ${secret.get(name)}>` : `${name}=${quote(value)}`,
  )
  const sections: [string, readonly string[]][] = [
    ['command', [command.argv.map(quote).join(' ')]],
    ['working directory', [command.workingDirectory]],
    ['environment', variables],
    ['network', [confinement.network]],
    [
      'read-write',
      [
        confinement.project,
        ...confinement.writable.map(({ source, destination }) => `${source} as ${destination}`),
      ],
    ],
    ['protected in the project', [...confinement.protectedPaths, ...confinement.protectedIfPresent]],
    ['read-only', confinement.readable],
    ...confinement.files.map(({ path, text }): [string, string[]] => [path, text.trimEnd().split('\n')]),
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
    .join('\n')
}

/** As it could be pasted into a shell. Control characters, which could steer the terminal, as escapes (`$'…'`). */
function quote(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    const escaped = text.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, escapeControl)
    return `$'${escaped}'`
  }
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function escapeControl(character: string): string {
  return character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
