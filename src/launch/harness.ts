import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { isBelow, placesTo } from './paths.ts'

const versionTimeLimitMs = 20_000
const versionPattern = /\d+\.\d+\.\d+/

/**
 * The version of a harness, `undefined` when it cannot be told. The program is asked, outside of any sandbox, unless
 * it lies in the project: there an agent may have changed it, so that its package is read instead.
 */
export async function harnessVersion(
  file: string,
  searchPath: string,
  project: string,
): Promise<string | undefined> {
  const isChangeable = placesTo(file).some((place) => isBelow(place, [project]))
  return isChangeable ? versionOfPackage(realpathSync(file)) : askVersion(file, searchPath, project)
}

/**
 * With an empty home and working directory, and none of the user's variables but PATH: some programs load code from
 * there. The folders of the project are taken out of PATH (npx puts them in), since scripts find their interpreter by it.
 */
async function askVersion(file: string, searchPath: string, project: string): Promise<string | undefined> {
  const home = mkdtempSync(path.join(tmpdir(), 'bridle-version-'))
  const trusted = searchPath
    .split(':')
    .filter((folder) => path.isAbsolute(folder) && !isBelow(path.resolve(folder), [project]))
  const environment = { PATH: trusted.join(':'), HOME: home, LANG: 'C.UTF-8' }
  const options = { cwd: home, env: environment, timeout: versionTimeLimitMs, killSignal: 'SIGKILL' as const }
  try {
    return await new Promise((resolve) => {
      const child = execFile(file, ['--version'], options, (_error, stdout) => {
        resolve(versionPattern.exec(stdout)?.[0])
      })
      child.stdin?.end()
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
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

/** Compares the version found with the one that the target's facts were proved with. */
export function judgeVersion(target: Target, version: string | undefined, strict: boolean): Diagnostic[] {
  const { title, provedWith, launch } = target
  if (provedWith === undefined || launch.oldestVersion === undefined) return []
  const strictness = strict ? 'error' : 'warning'
  const found = (
    code: Diagnostic['code'],
    severity: Diagnostic['severity'],
    message: string,
    help: string,
  ) => [diagnostic(code, severity, message, { target: target.id, help })]
  if (version === undefined) {
    const help = `Bridle was proved with ${provedWith}; see what \`${launch.executable} --version\` prints`
    return found('BRIDLE611', strictness, `${title} did not tell its version`, help)
  }
  if (compareVersions(version, launch.oldestVersion) < 0) {
    const help = `install ${provedWith}, with which Bridle was proved; older ones are known to read the configuration differently`
    return found('BRIDLE606', 'error', `${title} ${version} is older than ${launch.oldestVersion}`, help)
  }
  if (compareVersions(version, provedWith) > 0) {
    const help = 'Bridle was not proved with it: what it does with the configuration may have changed'
    return found('BRIDLE607', strictness, `${title} ${version} is newer than ${provedWith}`, help)
  }
  return []
}

/** By the numbers of `major.minor.patch`: negative when the left one is older. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number))
  const differences = [0, 1, 2].map((part) => (a?.[part] ?? 0) - (b?.[part] ?? 0))
  return differences.find((each) => each !== 0) ?? 0
}
