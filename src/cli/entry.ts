#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import packageJson from '../../package.json' with { type: 'json' }
import { describeFailure, failureStatus } from './failure.ts'

// Optimizing machine code costs more than it saves in a command that ends at once: with V8's default budget a check of
// 1,000 servers takes 1.7 times the CPU. What runs long is optimized all the same, later.
setFlagsFromString('--interrupt-budget=1500000')

const args = process.argv.slice(2)

// A reader that went away (`bridle targets | head -1`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  fail(`the output cannot be written: ${error.message}`)
})
process.stderr.on('error', () => {}) // there is nobody left to tell
process.on('uncaughtException', (error) => fail(describeFailure(error)))

if (args.length === 1 && args[0] === '--version') {
  // Scripts ask for it often, and it needs nothing of the command.
  process.stdout.write(`${packageJson.version}\n`)
} else {
  const [{ main }, { processTerminal }] = await Promise.all([import('./main.ts'), import('./terminal.ts')])
  process.exitCode = await main(args, processTerminal())
}

function fail(message: string): never {
  process.stderr.write(`bridle: ${message}\n`)
  process.exit(failureStatus(args))
}
