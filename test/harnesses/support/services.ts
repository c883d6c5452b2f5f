import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { filesHolding } from './canary.ts'
import { startDumpHttp } from './dump-http.ts'
import { startMessagesModel } from './messages-model.ts'
import type { ToolCall } from './model.ts'
import { startResponsesModel } from './responses-model.ts'

/** What runs beside a harness inside a sandbox without a network. */
export interface ServicesConfig {
  readonly model: 'responses' | 'messages'
  readonly modelPort: number
  readonly dumpPort: number
  readonly script: readonly ToolCall[]
  /** Where the report is written. */
  readonly report: string
  /** Searched for the secrets of the run after the harness has ended. */
  readonly searched: readonly string[]
}

/** What happened inside. Holds no secret. */
export interface ServicesReport {
  readonly turns: number
  readonly offered: readonly string[]
  /** Results of the calls, as the model got them. */
  readonly results: readonly string[]
  /** Files that hold the value of a variable which Bridle injected. */
  readonly leaks: readonly string[]
  /** Names of the variables of the harness. */
  readonly variables: readonly string[]
}

/**
 * `services.mjs CONFIG HARNESS [ARGUMENT…]`: a scripted model and the dumping server over HTTP on loopback, and the
 * harness as its child, whose exit status is its own.
 */
const [configFile = '', harness = '', ...args] = process.argv.slice(2)
const config: ServicesConfig = JSON.parse(readFileSync(configFile, 'utf8'))
const start = config.model === 'responses' ? startResponsesModel : startMessagesModel
const model = await start(config.script, { port: config.modelPort })
const http = await startDumpHttp({ port: config.dumpPort })

const child = spawn(harness, args, { stdio: 'inherit' })
const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))

const secrets = Object.entries(process.env).flatMap(([name, value]) =>
  name.startsWith('BRIDLE_V') && value !== undefined ? [value] : [],
)
const report: ServicesReport = {
  turns: model.requests.length,
  offered: model.offeredTools(),
  results: model.results().map(({ text }) => text),
  leaks: filesHolding(secrets, config.searched),
  variables: Object.keys(process.env),
}
writeFileSync(config.report, JSON.stringify(report))
await Promise.all([model.close(), http.close()])
process.exit(status)
