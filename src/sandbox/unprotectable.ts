import { dirname } from 'node:path'
import { diagnostic } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'
import { SandboxRefusal } from './sandbox.ts'

/**
 * The refusal for a path that has to be protected from the agent and cannot be.
 *
 * @param reason what the system said of it
 */
export function unprotectable(path: string, reason: unknown): SandboxRefusal {
  return new SandboxRefusal(
    diagnostic(
      'BRIDLE603',
      'error',
      `${path} cannot be protected from the agent: ${failureReason(reason)}.`,
      { help: `Make ${dirname(path)} a folder that you can read and write, and look what lies there.` },
    ),
  )
}
