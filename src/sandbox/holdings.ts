import { closeSync, openSync } from 'node:fs'
import { removePlaceholders } from './placeholders.ts'

/** What a run holds of the host, collected while it is prepared, so that a failure half-way gives all of it back. */
export class Holdings {
  readonly #descriptors: number[] = []
  /** Absolute paths of the empty folders that hold the place of absent paths. */
  readonly #placeholders: string[] = []

  /** Opens a path as a place only (open(2), O_PATH): for what may be neither read nor written by us. */
  open(path: string, flags = 0): number {
    const descriptor = openSync(path, pathOnly | flags)
    this.#descriptors.push(descriptor)
    return descriptor
  }

  addPlaceholder(path: string): void {
    this.#placeholders.push(path)
  }

  release(): void {
    for (const descriptor of this.#descriptors.splice(0)) closeSync(descriptor)
    removePlaceholders(this.#placeholders.splice(0))
  }
}

const pathOnly = 0o10000000 // O_PATH in asm-generic/fcntl.h; Node has no name for it
