import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'

export interface TreeFile {
  /** Relative to the folder of the tree. */
  readonly path: string
  readonly text: string
}

/**
 * Writes every file below the folder, creating folders on the way. All contents are written under temporary names
 * first, so that a full disk or a missing permission leaves the old files as they were.
 */
export async function writeTree(folder: string, files: readonly TreeFile[]): Promise<Diagnostic[]> {
  const suffix = `.${randomBytes(6).toString('hex')}.tmp`
  const destinations = files.map((file) => ({ ...file, destination: path.join(folder, file.path) }))
  try {
    for (const { destination, text } of destinations) {
      await mkdir(path.dirname(destination), { recursive: true })
      await writeFile(destination + suffix, text)
    }
    for (const { destination } of destinations) await rename(destination + suffix, destination)
    return []
  } catch (error) {
    await Promise.allSettled(destinations.map(({ destination }) => rm(destination + suffix, { force: true })))
    const reason = error instanceof Error ? error.message : String(error)
    return [
      diagnostic('BRIDLE401', 'error', `the output cannot be written: ${reason}`, {
        help: 'name a folder that you may write to, with `--out DIR`',
      }),
    ]
  }
}
