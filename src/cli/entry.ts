#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { main } from './main.ts'
import { processTerminal } from './terminal.ts'

// Optimizing machine code costs more than it saves in a command that ends at once: with V8's default budget a check of
// 1,000 servers takes 1.7 times the CPU. What runs long is optimized all the same, later.
setFlagsFromString('--interrupt-budget=1500000')

// A reader that went away (`bridle targets | head -1`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
process.exitCode = await main(process.argv.slice(2), processTerminal())
