import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'

const versionTimeLimitMs = 20_000

/**
 * The version that a harness reports of itself, `undefined` when it gives none in time. It is asked with an empty
 * home and none of the user's variables but PATH.
 */
export async function harnessVersion(file: string, searchPath: string): Promise<string | undefined> {
  const environment = { PATH: searchPath, HOME: tmpdir(), LANG: 'C.UTF-8' }
  return new Promise((resolve) => {
    const options = { env: environment, timeout: versionTimeLimitMs, killSignal: 'SIGKILL' as const }
    const child = execFile(file, ['--version'], options, (_error, stdout) => {
      resolve(/\d+\.\d+\.\d+/.exec(stdout)?.[0])
    })
    child.stdin?.end()
  })
}

/** Compares the version found with the one that the target's facts were proved with. */
export function judgeVersion(target: Target, version: string | undefined, strict: boolean): Diagnostic[] {
  const { title, provedWith, launch } = target
  if (provedWith === undefined || launch.oldestVersion === undefined) return []
  const strictness = strict ? 'error' : 'warning'
  if (version === undefined) {
    return [
      diagnostic('BRIDLE611', strictness, `${title} did not tell its version`, {
        target: target.id,
        help: `Bridle was proved with ${provedWith}; check what \`${launch.executable} --version\` prints`,
      }),
    ]
  }
  if (compareVersions(version, launch.oldestVersion) < 0) {
    return [
      diagnostic('BRIDLE606', 'error', `${title} ${version} is older than ${launch.oldestVersion}`, {
        target: target.id,
        help: `install ${provedWith}, with which Bridle was proved; older ones are known to read the configuration differently`,
      }),
    ]
  }
  if (compareVersions(version, provedWith) > 0) {
    return [
      diagnostic('BRIDLE607', strictness, `${title} ${version} is newer than ${provedWith}`, {
        target: target.id,
        help: 'Bridle was not proved with it: what it does with the configuration may have changed',
      }),
    ]
  }
  return []
}

function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number))
  const difference = [0, 1, 2].map((part) => (a?.[part] ?? 0) - (b?.[part] ?? 0))
  return difference.find((each) => each !== 0) ?? 0
}
