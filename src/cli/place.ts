import { existsSync, realpathSync } from 'node:fs'
import { contains } from '../host/paths.ts'
import { findProject } from '../spec/find.ts'
import type { Spec } from '../spec/spec.ts'
import type { Terminal } from './terminal.ts'

/** Where a command works. Every path is absolute and without symlinks. */
export interface Place {
  /** With its real folder. */
  readonly spec: Spec
  readonly project: string
  readonly workingDirectory: string
  readonly home: string
}

export function findPlace(terminal: Terminal, spec: Spec): Place {
  const folder = realpathSync(spec.source.folder)
  const workingDirectory = realpathSync(terminal.workingDirectory)
  const home = realHome(terminal)
  const project = findProject(workingDirectory, folder, home)
  return {
    spec: { ...spec, source: { ...spec.source, folder } },
    // A spec from elsewhere (`--config`, `--user`) does not move the agent away from where Bridle was started.
    project: contains(project, workingDirectory) ? project : workingDirectory,
    workingDirectory,
    home,
  }
}

/** Without symlinks, where there is such a folder. */
export function realHome({ home }: Terminal): string {
  return existsSync(home) ? realpathSync(home) : home
}
