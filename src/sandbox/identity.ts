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

/** Does something with the rights of an identity: what it makes belongs to it, what it may not open stays closed. */
export function actAs<Result>(identity: Identity | undefined, action: () => Result): Result {
  if (!identity) return action()
  process.setegid?.(identity.gid)
  process.seteuid?.(identity.uid)
  try {
    return action()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}
