import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { filesHolding, searchFor } from '../../support/canary.ts'
import { startChatModel } from './chat-model.ts'
import { startDumpHttp } from './dump-http.ts'
import { startMessagesModel } from './messages-model.ts'
import type { ToolCall } from './model.ts'
import { startResponsesModel } from './responses-model.ts'

const models = { responses: startResponsesModel, messages: startMessagesModel, chat: startChatModel }

/** What runs beside a harness inside a sandbox without a network. */
export interface ServicesConfig {
  readonly model: keyof typeof models
  readonly modelPort: number
  readonly dumpPort: number
  readonly script: readonly ToolCall[]
  /** Where the report is written. */
  readonly report: string
  /** The variables of the launch that hold secrets; a harness has some under these names, the others as BRIDLE_V<n>. */
  readonly secretNames: readonly string[]
}

/** What happened inside. Holds no secret. */
export interface ServicesReport {
  readonly turns: number
  readonly offered: readonly string[]
  /** Results of the calls, as the model got them. */
  readonly results: readonly string[]
  /** Files inside that hold a secret which the harness was given. */
  readonly leaks: readonly string[]
  /** Names of the variables of the harness. */
  readonly variables: readonly string[]
}

const kernelTypes = new Set(['proc', 'sysfs', 'devpts', 'mqueue', 'cgroup2'])

/**
 * `services.mjs CONFIG HARNESS [ARGUMENT…]`: a scripted model and the dumping server over HTTP on loopback, and the
 * harness as its child, whose exit status is its own.
 */
const [configFile = '', harness = '', ...args] = process.argv.slice(2)
const config: ServicesConfig = JSON.parse(readFileSync(configFile, 'utf8'))
const model = await models[config.model](config.script, { port: config.modelPort })
const http = await startDumpHttp({ port: config.dumpPort })

const child = spawn(harness, args, { stdio: 'inherit' })
process.on('SIGTERM', () => child.kill('SIGTERM')) // a launch that ends early, or a user
const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))

const secrets = Object.entries(process.env).flatMap(([name, value]) =>
  (name.startsWith('BRIDLE_V') || config.secretNames.includes(name)) && value !== undefined ? [value] : [],
)
const report: ServicesReport = {
  turns: model.requests.length,
  offered: model.offeredTools(),
  results: model.results().map(({ text }) => text),
  leaks: filesHolding(searchFor(secrets), writableFolders()).map((leak) => `inside: ${leak}`),
  variables: Object.keys(process.env),
}
writeFileSync(config.report, JSON.stringify(report))
await Promise.all([model.close(), http.close()])
process.exit(status)

/** Every mount that can be written to, and where temporary files would go. The kernel's own file systems hold no files. */
function writableFolders(): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , type = '', options = '']) => /^rw\b/.test(options) && !kernelTypes.has(type))
    .map(([, folder = '']) =>
      folder.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
    )
}
