import { compile } from '../compile/compile.ts'
import { judge, judgeContext } from '../compile/judge.ts'
import { isLaunchable, type Target } from '../compile/target.ts'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import type { Spec } from '../spec/spec.ts'
import { joinReaders } from './joint.ts'
import type { Scope } from './places.ts'
import {
  disagreementFindings,
  hasSeveralReaders,
  lossFindings,
  readersOf,
  serversOf,
} from './shared-files.ts'
import { emptyState } from './state.ts'
import { buildTasks } from './tasks.ts'

export interface JudgeRequest {
  readonly spec: Spec
  readonly chosen: readonly Target[]
  /** Every target that there is. */
  readonly targets: readonly Target[]
  /** One use, judged strictly; absent: both, and what only one of them can do is a note. */
  readonly use?: 'build' | 'run' | undefined
  /** Whether it is about the files of a project, of which some have several readers; the user's have one each. */
  readonly isOfProject: boolean
}

/** All that stands against a spec on the chosen targets, each by itself and together. No file is read. Pure. */
export function judgeAll(request: JudgeRequest): Diagnostic[] {
  const { spec, chosen, use, isOfProject } = request
  const single = chosen.flatMap((target) => {
    if (use === undefined) return judge(spec, target)
    return judgeContext(spec, target, use === 'build' ? 'standalone' : 'launch')
  })
  if (use === 'run' || !isOfProject) return single
  const shared = judgeSharedFiles(request)
  return [...single, ...(use === 'build' ? shared : shared.map((each) => withLaunch(each, request)))]
}

/** Any folder: only the names of the files in it are told. */
const scope: Scope = { kind: 'project', folder: '/', workingDirectory: '/' }

/** What a build of a project says of files with several readers, told from the spec alone. */
function judgeSharedFiles({ spec, chosen, targets }: JudgeRequest): Diagnostic[] {
  const context = { scope, targets, chosen }
  const tasks = buildTasks({ ...context, state: emptyState, isNamed: true }).filter((task) =>
    hasSeveralReaders(task, context),
  )
  const writers = new Set(tasks.flatMap(({ readers }) => readers.map(({ target }) => target)))
  const compiled = new Map([...writers].map((target) => [target, compile(spec, target, 'standalone')]))
  return tasks.flatMap((task) => {
    const file = {
      shown: task.stateName,
      text: undefined,
      targets: task.readers.map(({ target }) => target.id),
    }
    const readers = readersOf(task, spec, compiled)
    const joined = joinReaders(readers)
    const servers = serversOf(joined.written.map(({ entry }) => entry))
    return [
      ...disagreementFindings(file, task, spec, context, readers, joined),
      ...lossFindings(file, task, spec, context, servers),
    ]
  })
}

/** A launch has files of its own for each harness: where it is fine, what stands against the project's is a note. */
function withLaunch(found: Diagnostic, { spec, targets }: JudgeRequest): Diagnostic {
  if (found.severity !== 'error') {
    return { ...found, severity: 'note', message: `in the files of a project: ${found.message}` }
  }
  const target = targets.find(({ id }) => id === found.target)
  const isFine =
    target !== undefined && isLaunchable(target) && !hasErrors(judgeContext(spec, target, 'launch'))
  return isFine
    ? { ...found, severity: 'note', message: `only with \`bridle run ${target.id}\`: ${found.message}` }
    : found
}
