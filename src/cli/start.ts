import { main } from './main.ts'
import { processTerminal } from './terminal.ts'

/** Runs the command in this process, and gives its exit code. One module, since each file that is loaded costs time. */
export function start(args: readonly string[]): Promise<number> {
  return main(args, processTerminal())
}
