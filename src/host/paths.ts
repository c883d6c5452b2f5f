/** Whether the path is the folder or lies in it. Both are absolute, or both relative, and normalised. */
export function contains(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

/** Whether the path is one of the folders or lies in one. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => contains(folder, path))
}
