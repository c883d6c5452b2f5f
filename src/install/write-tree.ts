import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { failureReason } from '../text/failure.ts'

export interface TreeFile {
  /** Relative to the folder of the tree. */
  readonly path: string
  readonly text: string
}

/**
 * Writes every file below the folder, creating folders on the way. All contents are written under temporary names
 * first, so that a full disk or a missing permission leaves the old files as they were, and nothing new beside them.
 */
export async function writeTree(folder: string, files: readonly TreeFile[]): Promise<Diagnostic[]> {
  const suffix = `.${randomBytes(6).toString('hex')}.tmp`
  const created: string[] = []
  let destination = folder
  try {
    for (const file of files) {
      destination = path.join(folder, file.path)
      await refuseLinks(folder, path.dirname(file.path))
      const made = await mkdir(path.dirname(destination), { recursive: true })
      if (made !== undefined) created.push(made)
      created.push(destination + suffix)
      await refuseFolder(destination)
      await writeFile(destination + suffix, file.text, { flag: 'wx' })
    }
    for (const file of files) {
      destination = path.join(folder, file.path)
      await rename(destination + suffix, destination)
    }
    return []
  } catch (error) {
    await Promise.allSettled(created.map((each) => rm(each, { recursive: true, force: true })))
    return [
      diagnostic('BRIDLE401', 'error', `${destination} cannot be written: ${failureReason(error)}`, {
        help: 'name a folder that you may write to, with `--out DIR`',
      }),
    ]
  }
}

/**
 * A link below the folder is none of ours: a repository could bring `out/codex` as a link to the user's own `~/.codex`,
 * whose file would be replaced by one that the repository has written.
 */
async function refuseLinks(folder: string, below: string): Promise<void> {
  let place = folder
  for (const name of below.split(path.sep).filter((each) => each !== '.')) {
    place = path.join(place, name)
    const found = await lstat(place).catch(() => undefined)
    if (found?.isSymbolicLink()) throw new Error(`${place} is a link, which is not followed`)
  }
}

/** A file cannot be renamed to the name of a folder; found before the first one is renamed. */
async function refuseFolder(destination: string): Promise<void> {
  const found = await stat(destination).catch(() => undefined)
  if (found?.isDirectory()) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' })
}
