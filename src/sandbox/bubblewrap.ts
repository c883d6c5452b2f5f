import { Holdings } from './holdings.ts'
import { home, plan, stateFolder } from './plan.ts'
import { realProject } from './project.ts'
import type { Sandbox, SandboxSession } from './sandbox.ts'
import { start } from './start.ts'
import { whyUnavailable } from './unavailable.ts'

/** Linux namespaces through the bubblewrap program. Nothing of a run lies on the host but what stands for absent paths: masks.ts. */
export const bubblewrap: Sandbox = {
  name: 'bubblewrap',
  unavailable: whyUnavailable,
  open: async (project) => openSession(realProject(project)),
}

function openSession(project: string): SandboxSession {
  return {
    home,
    stateFolder,
    async run(command, confinement) {
      const holdings = new Holdings()
      try {
        return await start(plan(command, { ...confinement, project }, holdings))
      } finally {
        holdings.release()
      }
    },
    dispose: async () => {}, // nothing of ours outlives a run
  }
}
