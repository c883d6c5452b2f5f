import { closeSync, openSync } from 'node:fs'
import { removeEmptyFolder } from './placeholders.ts'

/** What a run holds of the host, collected while it is prepared, so that a failure half-way gives all of it back. */
export class Holdings {
  readonly #descriptors: number[] = []
  readonly #folders: string[] = []

  /** Opens a path as a place only (open(2), O_PATH): for what may be neither read nor written by us. */
  open(path: string, flags = 0): number {
    const descriptor = openSync(path, pathOnly | flags)
    this.#descriptors.push(descriptor)
    return descriptor
  }

  /** Has a folder removed at the end if it is empty then; the last one added goes first. */
  addFolder(path: string): void {
    this.#folders.unshift(path)
  }

  release(): void {
    for (const folder of this.#folders.splice(0)) removeEmptyFolder(folder) // by way of the descriptors
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor)
  }
}

const pathOnly = 0o10000000 // O_PATH in asm-generic/fcntl.h; Node has no name for it
