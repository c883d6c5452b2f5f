import { createHash } from 'node:crypto'
import { chown, mkdir } from 'node:fs/promises'
import path from 'node:path'

/**
 * A lasting cache for package runners, private to the project: what an agent leaves in it can reach that project's
 * later launches and nothing else of the user's. Created when missing, readable by its owner only.
 *
 * @param owner who the sandbox runs as, when that is not who launches it
 */
export async function projectCache(request: {
  readonly project: string
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
}): Promise<string> {
  const { project, home, environment, owner } = request
  const digest = createHash('sha256').update(project).digest('hex').slice(0, 16)
  const name = `${path.basename(project)}-${digest}`
  const own = path.join(environment['XDG_CACHE_HOME'] || path.join(home, '.cache'), 'bridle')
  const folder = path.join(owner === undefined ? own : `/var/cache/bridle/${owner.uid}`, 'projects', name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (owner !== undefined) {
    await chown(path.dirname(path.dirname(folder)), owner.uid, owner.gid)
    await chown(path.dirname(folder), owner.uid, owner.gid)
    await chown(folder, owner.uid, owner.gid)
  }
  return folder
}
