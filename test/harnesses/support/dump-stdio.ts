import { setTimeout as wait } from 'node:timers/promises'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createDumpServer } from './dump-server.ts'

/**
 * The dumping server over stdio. Every argument is only dumped. The variable DUMP_START_DELAY_MS holds the start back,
 * DUMP_EXIT ends the process at once with that status.
 */
const { DUMP_START_DELAY_MS: delayMs, DUMP_EXIT: status } = process.env
if (status !== undefined) process.exit(Number(status))
if (delayMs !== undefined) await wait(Number(delayMs))

const environment = Object.fromEntries(
  Object.entries(process.env).map(([name, value]) => [name, value ?? '']),
)
const received = { argv: process.argv.slice(2), env: environment, cwd: process.cwd() }
const server = createDumpServer({
  dump: () => received,
  value: (name) => process.env[name],
  received: () => received,
})
await server.connect(new StdioServerTransport())
