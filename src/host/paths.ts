import path from 'node:path'

/** Whether the path is the folder or lies in it. Both are absolute, or both relative, and normalised. */
export function contains(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

/** Whether the path is one of the folders or lies in one. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => contains(folder, path))
}

/** How a file is shown to the user: relative to the working directory where that is shorter. Both are absolute. */
export function shownPath(file: string, workingDirectory: string): string {
  const relative = path.relative(workingDirectory, file)
  return relative.length < file.length ? relative || '.' : file
}
