import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { interruptible } from './interrupt.ts'
import { main } from './main.ts'

// A reader that went away is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await interruptible((signal) =>
  main(process.argv.slice(2), {
    environment: process.env,
    out: (text) => void process.stdout.write(text),
    isTerminal: process.stdout.isTTY === true,
    err: (text) => void process.stderr.write(text),
    readFile: (file) => readFile(file, 'utf8'),
    append: appendFileSync,
    signal,
  }),
)
