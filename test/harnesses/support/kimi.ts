import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context } from '../../../src/compile/target.ts'
import { kimi } from '../../../targets/kimi/target.ts'
import { type ChatModel, startChatModel } from './chat-model.ts'
import { compiled } from './compiled.ts'
import type { ToolCall } from './model.ts'
import { kimiProgram, newerNode } from './programs.ts'
import { type Finished, runProgram, type Session } from './run-program.ts'

/** A run of the real Kimi Code by hand, without Bridle, against a scripted model. */
export interface KimiRun extends Finished {
  readonly model: ChatModel
  /** Names of the tools of MCP servers that the model was offered. */
  readonly offered: readonly string[]
  /** As the model got them, without the time that each took. */
  readonly results: readonly string[]
  /** Everything that Kimi Code wrote into its state folder and that Bridle would read of it. */
  readonly log: string
}

export interface KimiOptions {
  /** `mcp.json` of the user; absent: none. */
  readonly servers?: string
  readonly config?: string
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** A folder for what Kimi Code is to find again; absent: a fresh one. */
  readonly root?: string
  /** Where it is started, relative to the project; it must exist. */
  readonly folder?: string
  /** What somebody does meanwhile. */
  readonly user?: (session: Session) => Promise<void>
}

/** `mcp.json` as Bridle writes it. */
export async function serversFile(spec: object, context: Context = 'standalone'): Promise<string> {
  const { files } = await compiled(spec, kimi, context)
  return files[0]?.text ?? ''
}

export async function runKimi(script: readonly ToolCall[], options: KimiOptions): Promise<KimiRun> {
  const root = options.root ?? mkdtempSync(path.join(tmpdir(), 'bridle-kimi-'))
  const [home, project] = [path.join(root, 'state'), path.join(root, 'project')]
  for (const folder of [home, project]) mkdirSync(folder, { recursive: true })
  const {
    servers,
    config,
    files = {},
    environment = {},
    args = ['-p', 'call the tools'],
    user,
    folder = '.',
  } = options
  writeFiles(home, {
    ...(servers !== undefined && { 'mcp.json': servers }),
    ...(config !== undefined && { 'config.toml': config }),
  })
  writeFiles(project, files)
  const model = await startChatModel(script)
  try {
    const finished = await runProgram([newerNode, kimiProgram, ...args], {
      workingDirectory: path.join(project, folder),
      environment: { ...baseEnvironment(root, home, model.url), ...environment },
      ...(user !== undefined && { user }),
    })
    return {
      ...finished,
      model,
      offered: model.offeredTools().filter((name) => name.startsWith('mcp__')),
      results: model.results().map(({ text }) => withoutTime(text)),
      log: logOf(home),
    }
  } finally {
    await model.close()
    if (options.root === undefined) rmSync(root, { recursive: true, force: true })
  }
}

/** The model gets each result after a line `Wall time: … seconds`. */
export function withoutTime(text: string): string {
  return text.replace(/^Wall time: [\d.]+ seconds\n/, '')
}

function baseEnvironment(root: string, home: string, modelUrl: string): Record<string, string> {
  return {
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: root,
    LANG: 'C.UTF-8',
    KIMI_CODE_HOME: home,
    KIMI_DISABLE_TELEMETRY: '1',
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    KIMI_MODEL_NAME: 'scripted',
    KIMI_MODEL_API_KEY: 'key-of-the-test',
    KIMI_MODEL_BASE_URL: modelUrl,
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

function logOf(home: string): string {
  const files = existsSync(home) ? readdirSync(home, { recursive: true, encoding: 'utf8' }) : []
  const logs = files.filter((file) => /(\.log|wire\.jsonl)$/.test(file)).sort()
  return logs.map((file) => readFileSync(path.join(home, file), 'utf8')).join('')
}
