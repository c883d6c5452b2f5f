import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { TreeFile } from './write-tree.ts'

/**
 * The files in the folders of these targets that the build did not write: an earlier build has left them, and a
 * harness that is given the folder would still read them.
 *
 * @param folders of the targets that were built, relative to the folder of the tree
 */
export async function findLeftovers(
  folder: string,
  folders: readonly string[],
  files: readonly TreeFile[],
): Promise<Diagnostic[]> {
  const written = new Set(files.map((file) => path.join(folder, file.path)))
  const found = await Promise.all(folders.map((each) => filesIn(path.join(folder, each))))
  return found
    .flat()
    .filter((file) => !written.has(file))
    .map((file) =>
      diagnostic('BRIDLE402', 'warning', `\`${file}\` is not part of this build`, {
        help: 'an earlier build may have left it: remove it, so that no harness reads it',
      }),
    )
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
