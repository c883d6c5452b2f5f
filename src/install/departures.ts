import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { fileOf, shownFile } from './places.ts'
import type { PlannedFile, TaskContext } from './plan-task.ts'
import type { State } from './state.ts'

/**
 * What harnesses lose for which nothing is written any more: their own files go, and one that they read too stays for
 * others. There they find the servers without their rules. Pure.
 *
 * @param after the state when the files are written
 */
export function departureFindings(
  planned: readonly PlannedFile[],
  after: State,
  { scope, targets }: Pick<TaskContext, 'scope' | 'targets'>,
): Diagnostic[] {
  if (scope.kind === 'user') return []
  return targets.flatMap((target) => {
    const gone = planned.filter((file) => file.targets.includes(target.id) && isEmptied(file))
    const names = new Set(gone.map(({ task }) => task.stateName))
    const staying = Object.entries(after.files).filter(([name]) => reads(target, name) && !names.has(name))
    if (gone.length === 0) return []
    return staying.map(([name, record]) => {
      const shown = shownFile(fileOf(name, scope), scope)
      const owners = targets.filter(({ id }) => record.targets.includes(id)).map(({ title }) => title)
      const lost = gone.map((file) => `\`${file.shown}\``).join(' and ')
      return diagnostic(
        'BRIDLE408',
        'warning',
        `${target.title} reads \`${shown}\` too, which stays for ${owners.join(' and ')}, and would lose what ${lost} said`,
        { target: target.id, help: `choose ${target.id} again, or do not start it in this project` },
      )
    })
  })
}

/** Whether what stood in the file goes, and nobody has anything in it any more. */
function isEmptied({ task, plan }: PlannedFile): boolean {
  const isLeft = task.readers.length === 0 && task.left.length === 0
  return isLeft && plan?.changes.some(({ kind }) => kind === 'removed') === true
}

function reads(target: Target, name: string): boolean {
  return target.alsoReads.includes(name) || target.files.some(({ project }) => project?.path === name)
}
