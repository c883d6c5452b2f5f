import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { ancestors } from './paths.ts'
import type { LaunchRequest } from './request.ts'

const largestBytes = 1024 * 1024

/** Agents of the project that bring servers of their own: the harness would start what no spec describes. */
export function checkProjectAgents({ target, project, workingDirectory }: LaunchRequest): Diagnostic[] {
  const { agentFiles } = target.launch
  if (agentFiles === undefined) return []
  const { folders, keyOfServers } = agentFiles
  const places = [...new Set([...ancestors(workingDirectory, project), project])]
  return places
    .flatMap((place) => folders.map((folder) => path.join(place, folder)))
    .flatMap((folder) => filesBelow(folder))
    .filter((file) => bringsServers(file, keyOfServers))
    .map((file) =>
      diagnostic(
        'BRIDLE620',
        'error',
        `the agent in \`${path.relative(project, file)}\` brings servers of its own, and ${target.title} would start them`,
        {
          target: target.id,
          help: `move them into the spec, and take \`${keyOfServers}\` out of the file`,
        },
      ),
    )
}

/** As the harness finds them: below every folder, through links too. What cannot be read, it cannot read either. */
function filesBelow(folder: string, seen: Set<string> = new Set()): string[] {
  try {
    const real = realpathSync(folder)
    if (seen.has(real)) return []
    seen.add(real)
    return readdirSync(folder).flatMap((name) => {
      const file = path.join(folder, name)
      const stat = statSync(file, { throwIfNoEntry: false })
      if (stat?.isDirectory()) return filesBelow(file, seen)
      return stat?.isFile() && name.endsWith('.md') ? [file] : []
    })
  } catch {
    return []
  }
}

function bringsServers(file: string, key: string): boolean {
  try {
    if (statSync(file).size > largestBytes) return true
    return withoutEscapes(frontMatter(readFileSync(file, 'utf8'))).includes(key)
  } catch {
    return false
  }
}

/** What stands before the second line of three dashes; all of it where there is none. */
function frontMatter(text: string): string {
  return text.split(/^---\s*$/m, 2).join('')
}

/** A key in YAML may be written with escapes: `"mcp\x2dservers"`. */
function withoutEscapes(yaml: string): string {
  return yaml.replace(/\\\r?\n\s*/g, '').replace(/\\(?:x(\w{2})|u(\w{4})|U(\w{8}))/g, (whole, ...digits) => {
    const code = Number.parseInt(digits.find((each) => typeof each === 'string') ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
