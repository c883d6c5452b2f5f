#!/usr/bin/env node
import { main } from './main.ts'
import { processTerminal } from './terminal.ts'

// A reader that went away (`bridle targets | head -1`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
process.exitCode = await main(process.argv.slice(2), processTerminal())
