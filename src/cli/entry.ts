#!/usr/bin/env node
import { failureOf, internalFault, main } from './main.ts'
import { processTerminal } from './terminal.ts'

const args = process.argv.slice(2)

// A reader that went away (`bridle targets | head -1`) is no fault. Nobody reads what stderr would say then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  fail(`the output cannot be written: ${error.message}`)
})
process.stderr.on('error', () => {})
process.on('uncaughtException', (error) => fail(internalFault(error)))

try {
  process.exitCode = await main(args, processTerminal())
} catch (error) {
  fail(isRemovedFolder(error) ? 'the working directory does not exist any more' : internalFault(error))
}

function fail(message: string): never {
  process.stderr.write(`bridle: ${message}\n`)
  process.exit(failureOf(args))
}

function isRemovedFolder(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd'
}
