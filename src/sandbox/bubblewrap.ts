import { diagnostic } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'
import { Holdings } from './holdings.ts'
import type { Identity } from './identity.ts'
import { home, plan, stateFolder } from './plan.ts'
import { realProject } from './project.ts'
import { type Sandbox, SandboxRefusal, type SandboxSession } from './sandbox.ts'
import { start } from './start.ts'
import { openStateFolder, type StateFolder } from './state-folder.ts'
import { whyUnavailable } from './unavailable.ts'

/** Linux namespaces through the bubblewrap program. Nothing of a run lies on the host but what stands for absent paths: masks.ts. */
export const bubblewrap: Sandbox = {
  name: 'bubblewrap',
  unavailable: whyUnavailable,
  open: async (project) => openSession(realProject(project)),
}

function openSession(project: string): SandboxSession {
  const opened: StateFolder[] = []
  return {
    home,
    stateFolder,
    async run(command, confinement, onStart) {
      const holdings = new Holdings()
      try {
        const planned = plan(command, { ...confinement, project }, holdings)
        return await start(planned, ({ processOne, end }) => {
          if (onStart === undefined) return
          const folder = openInside(processOne, planned.identity)
          opened.push(folder)
          onStart({ stateFolder: folder, end })
        })
      } finally {
        holdings.release()
      }
    },
    async dispose() {
      for (const folder of opened) folder.close() // the only thing that outlives a run
    },
  }
}

/** The state folder of a sandbox in which nothing has run yet, so that no link can lie on the way. */
function openInside(processOne: number, identity: Identity | undefined): StateFolder {
  try {
    return openStateFolder(`/proc/${processOne}/root${stateFolder}`, identity)
  } catch (error) {
    const message = `what the harness tells of its servers cannot be read: ${failureReason(error)}; nothing was started`
    const help = 'the launcher must be allowed to look into the processes that it starts (/proc/PID/root)'
    throw new SandboxRefusal(diagnostic('BRIDLE602', 'error', message, { help }))
  }
}
