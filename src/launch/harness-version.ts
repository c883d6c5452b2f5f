import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { identityFor } from '../sandbox/identity.ts'
import { send } from '../sandbox/processes.ts'
import { pathOutside } from './find-program.ts'
import { passes } from './paths.ts'

const timeLimitMs = 20_000
const mostCharacters = 65_536
const versionPattern = /\d+\.\d+\.\d+/

/** What a program tells of itself. */
export interface HarnessAnswer {
  /** Undefined when it cannot be told. */
  readonly version: string | undefined
  /** All that it printed when it was asked for its version. */
  readonly text: string
}

/**
 * The program is asked, outside of any sandbox, unless a part of it lies in the project or is reached through it: there
 * an agent may have changed it. Its package is read then, and when there is no answer.
 *
 * @param argv the program, or an interpreter and the program as its script
 * @param unpacking the variable and the folder of a program that unpacks itself
 */
export async function harnessAnswer(
  argv: readonly [string, ...string[]],
  searchPath: string,
  project: string,
  unpacking: Readonly<Record<string, string>> = {},
): Promise<HarnessAnswer> {
  const isTrusted = argv.every((file) => !passes(file, project))
  const text = isTrusted ? await askVersion(argv, searchPath, project, unpacking) : ''
  const program = argv.at(-1) ?? argv[0]
  return { version: versionPattern.exec(text)?.[0] ?? versionOfPackage(realpathSync(program)), text }
}

/**
 * As the user that it will run as, with an empty home and working directory, which root does not give away, and none of
 * the launcher's variables but PATH: some programs load code from there. The folders of the project are taken out of
 * PATH (npx puts them in), since scripts find their interpreter by it.
 */
async function askVersion(
  [file, ...script]: readonly [string, ...string[]],
  searchPath: string,
  project: string,
  unpacking: Readonly<Record<string, string>>,
): Promise<string> {
  const home = mkdtempSync(path.join(tmpdir(), 'bridle-version-'))
  try {
    chmodSync(home, 0o755) // it may run as somebody else
    const child = spawn(file, [...script, '--version'], {
      ...identityFor(project),
      cwd: home,
      env: { PATH: pathOutside(searchPath, project), HOME: home, LANG: 'C.UTF-8', ...unpacking },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    return await outputOf(child)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** What it prints until it ends, and with it all that it started; nothing when it cannot be started. */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < mostCharacters) output += text
  })
  const endGroup = () => child.pid !== undefined && send(-child.pid, 'SIGKILL')
  await new Promise<void>((resolve) => {
    const giveUp = () => {
      endGroup()
      child.stdout?.destroy() // something that left the group may hold it open
      resolve()
    }
    const timer = setTimeout(giveUp, timeLimitMs)
    child.once('exit', endGroup)
    for (const event of ['error', 'close']) child.once(event, () => resolve(clearTimeout(timer)))
  })
  return output
}

function versionOfPackage(file: string): string | undefined {
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]
  if (folder === undefined) return undefined
  try {
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    return versionPattern.exec(String(version))?.[0]
  } catch {
    return undefined
  }
}
