import { createHash } from 'node:crypto'
import { lchownSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { Environment } from '../host/environment.ts'
import { contains } from '../host/paths.ts'
import type { Identity } from '../sandbox/identity.ts'
import { SandboxRefusal } from '../sandbox/sandbox.ts'
import { failureReason } from '../text/failure.ts'

/**
 * The lasting cache for package runners, private to the project: what an agent leaves in it can reach that project's
 * later launches and nothing else of the user's.
 *
 * @param owner who the sandbox runs as, when that is not who launches it
 */
export function cacheFolder(
  project: string,
  home: string,
  environment: Environment,
  owner: Identity | undefined,
): string {
  const digest = createHash('sha256').update(project).digest('hex').slice(0, 16)
  const top = cacheTop(home, environment, owner)
  return path.join(top, 'projects', `${path.basename(project).slice(0, 40)}-${digest}`)
}

/** Where Bridle keeps what lasts between launches and can be made again. */
export function cacheTop(home: string, environment: Environment, owner: Identity | undefined): string {
  const configured = environment['XDG_CACHE_HOME'] ?? ''
  const own = path.isAbsolute(configured) ? configured : path.join(home, '.cache')
  return owner === undefined ? path.join(own, 'bridle') : `/var/cache/bridle/${owner.uid}`
}

/**
 * A cache in the project could be exchanged by the agent for a link that leads out. A project that holds the whole home
 * folder is refused for that reason already.
 */
export function checkCache(project: string, home: string, folder: string): Diagnostic[] {
  if (!contains(project, folder) || contains(project, home)) return []
  return [
    diagnostic('BRIDLE602', 'error', `the cache folder ${folder} lies in the project`, {
      help: 'set XDG_CACHE_HOME to a folder outside of it: it keeps what `npx` and `uvx` fetch for the next launch',
    }),
  ]
}

/** Makes the folder where it is missing. Throws a SandboxRefusal when it cannot be made. */
export function makeCache(folder: string, owner: Identity | undefined): void {
  try {
    makePrivateFolder(folder, owner)
  } catch (error) {
    throw new SandboxRefusal(
      diagnostic('BRIDLE602', 'error', `the cache folder ${folder} cannot be made: ${failureReason(error)}`, {
        help: `it keeps what \`npx\` and \`uvx\` fetch; set XDG_CACHE_HOME to a folder that you may write to`,
      }),
    )
  }
}

/**
 * Makes the folder where it is missing. Only itself is given to the owner: whoever owned the folders above could put
 * a link in their place, and have root give away what it leads to. Throws as the file system does, and when somebody else
 * can change what lies in it.
 */
export function makePrivateFolder(folder: string, owner: Identity | undefined): void {
  mkdirSync(path.dirname(folder), { recursive: true, mode: owner === undefined ? 0o700 : 0o755 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (owner !== undefined) lchownSync(folder, owner.uid, owner.gid)
  const trusted = [0, process.geteuid?.(), owner?.uid]
  const foreign = cacheLevels(folder).find((level) =>
    [lstatSync(level), statSync(level)].some((stat) => !trusted.includes(stat.uid) || isOpen(stat)),
  )
  if (foreign !== undefined) throw new Error(`${foreign} belongs to another user, or others may write there`)
}

/** The folder, and those above it up to the one for the caches of all programs, which may lie in /tmp. */
function cacheLevels(folder: string): string[] {
  const [kind, top] = [path.dirname(folder), path.dirname(path.dirname(folder))]
  return [path.dirname(top), top, kind, folder]
}

/** Whether everybody may put something in place of what is there. */
function isOpen(stat: Stats): boolean {
  return stat.isDirectory() && (stat.mode & 0o1002) === 0o002
}
