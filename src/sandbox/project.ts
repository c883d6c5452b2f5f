import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { SandboxRefusal } from './sandbox.ts'

/** Gives the real path of the project; throws a SandboxRefusal when an agent may not have it. */
export function realProject(project: string): string {
  const real = realpathSync(project)
  const refusal = refuseProject(real, realpathSync(homedir()))
  if (refusal) throw new SandboxRefusal(refusal)
  return real
}

/** Why this folder may not be opened to an agent. Both are real paths. */
export function refuseProject(project: string, home: string): Diagnostic | undefined {
  if (!contains(project, home)) return undefined
  const what =
    project === '/'
      ? 'the root of the file system'
      : project === home
        ? 'your home folder'
        : 'above your home folder'
  return diagnostic(
    'BRIDLE603',
    'error',
    `The project folder ${project} is ${what}: an agent could change all of it.`,
    {
      help: 'Move the spec into a folder of its own, and start Bridle there.',
    },
  )
}

/** Whether the path is the folder or lies in it. Both are absolute and normalised. */
export function contains(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}
