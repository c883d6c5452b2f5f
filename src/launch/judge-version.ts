import type { LaunchableTarget } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { HarnessAnswer } from './harness-version.ts'

/** Compares what the program tells of itself with the version that the target's facts were proved with. */
export function judgeVersion(
  target: LaunchableTarget,
  { version, text }: HarnessAnswer,
  strict: boolean,
): Diagnostic[] {
  const { title, provedWith, launch } = target
  if (provedWith === undefined || launch.oldestVersion === undefined) return []
  const strictness = strict ? 'error' : 'warning'
  const found = (
    code: Diagnostic['code'],
    severity: Diagnostic['severity'],
    message: string,
    help: string,
  ) => [diagnostic(code, severity, message, { target: target.id, help })]
  const { namesake } = launch
  if (namesake?.answer.test(text)) {
    return found('BRIDLE619', 'error', namesake.refusal.reason, namesake.refusal.help)
  }
  if (version === undefined) {
    const help = `Bridle was proved with ${provedWith}; see what \`${launch.executable} --version\` prints`
    return found('BRIDLE611', strictness, `${title} did not tell its version`, help)
  }
  if (compareVersions(version, launch.oldestVersion) < 0) {
    const help = `install ${provedWith}, with which Bridle was proved; older ones were not tried, or failed`
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
