import { existsSync, realpathSync } from 'node:fs'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Scope } from './places.ts'

/** The files of a project in the home folder would be those of the user, which harnesses read everywhere. */
export function homeAsProject(scope: Scope, home: string): Diagnostic | undefined {
  if (scope.kind === 'user' || !existsSync(home) || realpathSync(home) !== scope.folder) return undefined
  return diagnostic('BRIDLE405', 'error', 'your home folder is no project', {
    help: "its files are the user's: write them with `--user`, or put the spec into a folder of its own",
  })
}
