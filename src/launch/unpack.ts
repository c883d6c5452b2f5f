import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { identityFor } from '../sandbox/identity.ts'
import { failureReason } from '../text/failure.ts'
import { cacheTop, makePrivateFolder } from './cache.ts'
import type { LocatedHarness } from './locate-harness.ts'
import { passes } from './paths.ts'
import type { LaunchRequest } from './request.ts'

/**
 * The folder in which a harness that unpacks itself does so, outside of the sandbox, when it is asked for its version.
 * Later launches run what lies there: it is shown to them read-only, and no project has a part in it. Undefined where the
 * harness does not unpack itself, and where it is not asked or not confined; it unpacks itself in a folder of the launch
 * then.
 */
export function prepareUnpacking(
  request: LaunchRequest,
  harness: LocatedHarness | undefined,
): { readonly folder?: string; readonly diagnostics: readonly Diagnostic[] } {
  const { target, sandbox, environment, project, home } = request
  if (harness === undefined || target.launch.unpackVariable === undefined) return { diagnostics: [] }
  if (sandbox.name === 'none' || passes(harness.file, project)) return { diagnostics: [] }
  const owner = identityFor(project)
  const digest = createHash('sha256').update(realpathSync(harness.file)).digest('hex').slice(0, 16)
  const folder = path.join(cacheTop(home, environment, owner), 'programs', `${target.id}-${digest}`)
  // An agent could have put a program there, which the harness would run at once. The cache is refused for it anyway.
  if (passes(folder, project)) return { diagnostics: [] }
  try {
    makePrivateFolder(folder, owner)
    return { folder, diagnostics: [] }
  } catch (error) {
    return {
      diagnostics: [
        diagnostic('BRIDLE621', 'error', `${target.title} cannot be unpacked: ${failureReason(error)}`, {
          target: target.id,
          help: `it unpacks itself into ${folder}; set XDG_CACHE_HOME to a folder that you may write to`,
        }),
      ],
    }
  }
}
