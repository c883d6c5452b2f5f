#!/usr/bin/env node
import packageJson from '../../package.json' with { type: 'json' }
import { describeFailure, failureStatus } from './failure.ts'

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
  const { start } = await import('./start.ts')
  process.exitCode = await start(args)
}

function fail(message: string): never {
  process.stderr.write(`bridle: ${message}\n`)
  process.exit(failureStatus(args))
}
