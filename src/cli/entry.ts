#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import packageJson from '../../package.json' with { type: 'json' }
import { describeFailure, failureStatus } from './failure.ts'

// Optimizing machine code costs more than it saves in a command that ends at once: with V8's defaults a check of 1,000
// servers takes 1.7 times the CPU on Node 20. What runs long is optimized all the same, later. V8 complains on stderr of
// a flag that it does not know, so that a version which is not known here gets none.
for (const flag of flagsOf(process.versions.v8)) setFlagsFromString(flag)

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

/** Of Node 20, and of Node 22 to 25. */
function flagsOf(v8: string): string[] {
  if (v8.startsWith('11.3.')) return ['--interrupt-budget=1500000']
  const isLater = /^1[234]\./.test(v8)
  return isLater ? ['--invocation-count-for-maglev=3000', '--invocation-count-for-turbofan=12000'] : []
}

function fail(message: string): never {
  process.stderr.write(`bridle: ${message}\n`)
  process.exit(failureStatus(args))
}
