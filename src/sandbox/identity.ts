import { statSync } from 'node:fs'

/** A user and group of the host. */
export interface Identity {
  readonly uid: number
  readonly gid: number
}

/**
 * As whom the sandbox runs when root starts it: as the owner of the project, since root without capabilities cannot
 * write there. In a project of root's it stays root. Undefined: as who started it.
 */
export function identityFor(project: string): Identity | undefined {
  if (process.geteuid?.() !== 0) return undefined
  const { uid, gid } = statSync(project)
  return uid === 0 ? undefined : { uid, gid }
}
