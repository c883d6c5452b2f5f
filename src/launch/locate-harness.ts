import path from 'node:path'
import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { type ExposedProgram, type Exposure, exposeProgram } from './expose-program.ts'
import { type FoundNode, findNode } from './find-node.ts'
import { findOutside, findProgram, isThere } from './find-program.ts'
import { isNodeScript } from './interpreter.ts'
import { builtinProgram } from './package.ts'
import type { LaunchRequest } from './request.ts'

/** The program that is started and what goes before its own arguments. */
export interface LocatedHarness extends ExposedProgram {
  readonly leadingArguments: readonly string[]
}

export interface HarnessSearch {
  readonly harness?: LocatedHarness
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Finds the program of the harness: of the built-in one, this Node and a file of Bridle's own. A harness is never taken
 * from the project unless the user names it: what an agent put there would be started as the harness the next time.
 */
export async function locateHarness(request: LaunchRequest): Promise<HarnessSearch> {
  const { target, workingDirectory, project, home, environment, sandbox } = request
  const { executable, oldestNode } = target.launch
  const searchPath = environment['PATH'] ?? ''
  const exposure = { searchPath, workingDirectory, project, home, isSandboxed: sandbox.name !== 'none' }
  const found = findHarness(request, exposure)
  if (found !== undefined && oldestNode !== undefined && isNodeScript(found)) {
    return locateScript(found, oldestNode, request, exposure)
  }
  const program = found === undefined ? undefined : exposeProgram(found, exposure)
  if (program === undefined || program.refusal !== undefined) {
    return { diagnostics: [unusable(request, exposure, program)] }
  }
  if (executable !== undefined) return { harness: { ...program, leadingArguments: [] }, diagnostics: [] }
  const file = builtinProgram()
  const folders = [...program.folders, path.dirname(file)]
  return { harness: { ...program, folders, leadingArguments: [file] }, diagnostics: [] }
}

/** A harness that needs a newer Node.js than others: it is started by that one, which is not put on PATH for it. */
async function locateScript(
  script: string,
  oldestNode: string,
  request: LaunchRequest,
  exposure: Exposure,
): Promise<HarnessSearch> {
  const { node, asked } = await findNode(script, oldestNode, request.node, exposure)
  if (node === undefined) return { diagnostics: [withoutNode(request, oldestNode, asked)] }
  const program = exposeProgram(script, { ...exposure, interpreter: node.file })
  if (program.refusal !== undefined) return { diagnostics: [unusable(request, exposure, program)] }
  const { file } = exposeProgram(node.file, exposure)
  return {
    harness: { ...program, file, searchFolders: [], leadingArguments: [program.file] },
    diagnostics: [],
  }
}

function withoutNode(
  { target, node }: LaunchRequest,
  oldest: string,
  asked: readonly FoundNode[],
): Diagnostic {
  const tell = ({ file, version }: FoundNode) => `${file} (${version ?? 'its version is not known'})`
  const found = asked.map(tell).join(', ') || (node === undefined ? 'none' : `no program at ${node}`)
  return diagnostic(
    'BRIDLE618',
    'error',
    `${target.title} needs Node.js ${oldest} or newer; found: ${found}`,
    {
      target: target.id,
      help: `install one, or name it: \`bridle run ${target.id} --node PATH\`; the servers keep the \`node\` of your PATH`,
    },
  )
}

function findHarness({ target, harness }: LaunchRequest, exposure: Exposure): string | undefined {
  if (harness !== undefined) {
    const named = findProgram(path.resolve(exposure.workingDirectory, harness), exposure)
    return named ?? (harness.includes('/') ? undefined : findOutside(harness, exposure))
  }
  if (target.launch.executable === undefined) return process.execPath
  return findOutside(target.launch.executable, exposure)
}

function unusable(
  { target, harness }: LaunchRequest,
  exposure: Exposure,
  program: ExposedProgram | undefined,
): Diagnostic {
  const name = harness ?? target.launch.executable ?? process.execPath
  const say = (code: Code, reason: string, help: string) =>
    diagnostic(code, 'error', `\`${name}\` ${reason}`, { target: target.id, help })
  if (program?.refusal !== undefined) return say('BRIDLE605', program.refusal.reason, program.refusal.help)
  const version = target.provedWith === undefined ? '' : ` ${target.provedWith}`
  const install = `install ${target.title}${version} so that it is on PATH, or name its program with \`--harness PATH\``
  const inProject = harness === undefined ? findProgram(name, exposure) : undefined
  if (inProject !== undefined) {
    const help = `an agent could have put it there: if you trust it, say so with \`--harness ${inProject}\`; or ${install}`
    return say('BRIDLE605', `was found only in the project, as ${inProject}`, help)
  }
  const named = harness === undefined ? name : path.resolve(exposure.workingDirectory, harness)
  return isThere(named, exposure)
    ? say(
        'BRIDLE612',
        'is not a file that you may execute',
        `\`chmod +x\` makes a program executable; or ${install}`,
      )
    : say('BRIDLE605', 'was not found', install)
}
