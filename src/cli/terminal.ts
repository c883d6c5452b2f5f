import { homedir } from 'node:os'
import type { Environment } from '../host/environment.ts'

/** The outside of a command: where it reads from and writes to. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Whether `out` is shown on a terminal. */
  readonly isTerminal: boolean
  /** Whether colours may be used on stdout and stderr. */
  readonly colors: { readonly out: boolean; readonly err: boolean }
  /** The width of the terminal in characters. */
  readonly columns: number
  readonly environment: Environment
  readonly workingDirectory: string
  readonly home: string
}

/**
 * The terminal of this process. Colour only on a terminal, and never with NO_COLOR (no-color.org).
 * Throws when the working directory was removed.
 */
export function processTerminal(): Terminal {
  const colorless = Boolean(process.env['NO_COLOR']) || process.env['TERM'] === 'dumb'
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    colors: {
      out: process.stdout.isTTY === true && !colorless,
      err: process.stderr.isTTY === true && !colorless,
    },
    columns: process.stderr.columns || process.stdout.columns || 100,
    environment: process.env,
    workingDirectory: process.cwd(),
    home: findHome(),
  }
}

/** Where nothing says what the home folder is (a user of a container), it is the root, as Docker has it. */
function findHome(): string {
  try {
    return process.env['HOME'] || homedir() || '/'
  } catch {
    return '/'
  }
}
