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

/**
 * Does something with the rights of an identity, which only root can take on: what it makes belongs to that identity,
 * and what that may not change stays as it is.
 */
export function actAs<Result>(identity: Identity | undefined, action: () => Result): Result {
  if (!identity) return action()
  const group = process.getegid?.() ?? 0
  try {
    process.setegid?.(identity.gid)
    process.seteuid?.(identity.uid)
    return action()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(group)
  }
}
