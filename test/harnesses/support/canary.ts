import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Every file below the folders whose bytes hold one of the texts. Links are not followed, what vanishes is skipped. */
export function filesHolding(texts: readonly string[], folders: readonly string[]): string[] {
  return folders.flatMap((folder) => filesBelow(folder).filter((file) => holds(file, texts)))
}

/**
 * Looks at the arguments of every process of the machine again and again until it is stopped; then gives each command
 * line that held one of the texts.
 */
export function watchArguments(texts: readonly string[]): { stop(): readonly string[] } {
  const found = new Set<string>()
  const look = () => {
    for (const pid of readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
    )) {
      const file = `/proc/${pid}/cmdline`
      if (holds(file, texts)) found.add(readFileSync(file, 'utf8').replaceAll('\0', ' '))
    }
  }
  const timer = setInterval(look, 10)
  return {
    stop: () => {
      clearInterval(timer)
      look()
      return [...found]
    },
  }
}

function filesBelow(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(file) : entry.isFile() ? [file] : []
  })
}

function holds(file: string, texts: readonly string[]): boolean {
  const bytes = attempt(() => readFileSync(file))
  return bytes !== undefined && texts.some((text) => bytes.includes(text))
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
