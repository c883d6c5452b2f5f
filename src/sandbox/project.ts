import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { contains } from '../host/paths.ts'
import { SandboxRefusal } from './sandbox.ts'

/** Gives the real path of the project; throws a SandboxRefusal when an agent may not have it. */
export function realProject(project: string): string {
  const real = realpathSync(project)
  const homes = [homedir(), homeOf(statSync(real).uid)].flatMap((home) =>
    home && existsSync(home) ? [realpathSync(home)] : [],
  )
  const refusal = homes.flatMap((home) => refuseProject(real, home) ?? [])[0]
  if (refusal) throw new SandboxRefusal(refusal)
  return real
}

/** The home of the project's owner: another one than ours when root starts Bridle. */
function homeOf(uid: number): string | undefined {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  return accounts.map((line) => line.split(':')).find((fields) => fields[2] === String(uid))?.[5]
}

/** Why this folder may not be opened to an agent. Real paths. */
export function refuseProject(project: string, home: string): Diagnostic | undefined {
  if (!contains(project, home)) return undefined
  const what =
    project === '/'
      ? 'the root of the file system'
      : project === home
        ? 'a home folder'
        : 'above a home folder'
  return diagnostic(
    'BRIDLE603',
    'error',
    `${project} is ${what}: an agent in it could change all that is yours.`,
    {
      help: 'Move the spec into a folder of its own, and start Bridle there.',
    },
  )
}
