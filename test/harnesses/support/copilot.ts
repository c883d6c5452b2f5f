import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Context } from '../../../src/compile/target.ts'
import { copilot } from '../../../targets/copilot/target.ts'
import { type ChatModel, startChatModel } from './chat-model.ts'
import { compiled } from './compiled.ts'
import type { ToolCall } from './model.ts'
import { copilotBinary, copilotUnpacked } from './programs.ts'
import { type Finished, onTerminal, runProgram, type Session } from './run-program.ts'

/** A run of the real Copilot CLI without a sandbox, against a scripted model. */
export interface CopilotRun extends Finished {
  readonly model: ChatModel
  readonly offered: readonly string[]
  /** As the model got them. */
  readonly results: readonly string[]
  /** All that Copilot wrote into the folder that Bridle reads in a launch. */
  readonly log: string
}

export interface CopilotOptions {
  /** `mcp-config.json` of the user; absent: none. */
  readonly user?: string
  /** Files of the project. */
  readonly files?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** Below the project. */
  readonly workingDirectory?: string
  /** A folder for what Copilot is to find again; absent: a fresh one. */
  readonly root?: string
}

/** The servers as Bridle writes them. */
export async function serversFile(spec: object, context: Context = 'standalone'): Promise<string> {
  const { files } = await compiled(spec, copilot, context)
  return files[0]?.text ?? ''
}

/** Started by hand: what no flag allows is asked for, and refused, as there is nobody to answer. */
export async function runCopilot(script: readonly ToolCall[], options: CopilotOptions): Promise<CopilotRun> {
  return run(script, options, () => ({ arguments: ['--no-auto-update'], environment: {} }))
}

/** Started with the plan of the target, as Bridle starts it in a sandbox. */
export async function launchCopilot(
  spec: object,
  script: readonly ToolCall[],
  {
    secrets = {},
    ...options
  }: Omit<CopilotOptions, 'user'> & { readonly secrets?: Readonly<Record<string, string>> } = {},
): Promise<CopilotRun> {
  const { files, servers, injections } = await compiled(spec, copilot, 'launch')
  const injected = injections.map(({ name, variable }) => [name, secrets[variable] ?? ''])
  const environment = { ...options.environment, ...Object.fromEntries(injected) }
  return run(script, { ...options, environment }, (stateFolder) => {
    for (const { path: name, text } of files) writeFileSync(path.join(stateFolder, name), text)
    return copilot.launch.plan({ servers, stateFolder, arguments: [] })
  })
}

/** `copilot` with these arguments, such as `mcp list`, with these files and no model. */
export async function copilotCommandLine(
  args: readonly string[],
  { user, files = {} }: Pick<CopilotOptions, 'user' | 'files'>,
): Promise<Finished> {
  const root = mkdtempSync(path.join(tmpdir(), 'bridle-copilot-'))
  const [home, project] = [path.join(root, 'state'), path.join(root, 'project')]
  writeFiles(home, { 'config.json': '{}', ...(user !== undefined && { 'mcp-config.json': user }) })
  writeFiles(project, { 'README.md': '', ...files })
  try {
    return await runProgram([copilotBinary, ...args], {
      workingDirectory: project,
      environment: baseEnvironment(root, home, 'http://127.0.0.1:1'),
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The interface of Copilot in a trusted project, with somebody in front of it, until they leave. */
export async function copilotOnTerminal(
  { root, user }: { readonly root: string; readonly user: string },
  person: (session: Session) => Promise<void>,
): Promise<void> {
  const [home, project] = [path.join(root, 'state'), path.join(root, 'project')]
  mkdirSync(project, { recursive: true })
  writeFiles(home, {
    'config.json': JSON.stringify({ trustedFolders: [project] }),
    'mcp-config.json': user,
  })
  const model = await startChatModel([])
  try {
    await runProgram(onTerminal([copilotBinary, '--no-auto-update']), {
      workingDirectory: project,
      environment: { ...baseEnvironment(root, home, model.url), TERM: 'xterm' },
      user: person,
    })
  } finally {
    await model.close()
  }
}

type Plan = (stateFolder: string) => {
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

async function run(
  script: readonly ToolCall[],
  { user, files = {}, environment = {}, args = [], workingDirectory = '.', root: kept }: CopilotOptions,
  plan: Plan,
): Promise<CopilotRun> {
  const root = kept ?? mkdtempSync(path.join(tmpdir(), 'bridle-copilot-'))
  const [home, project] = [path.join(root, 'state'), path.join(root, 'project')]
  for (const folder of [home, path.join(project, workingDirectory)]) mkdirSync(folder, { recursive: true })
  writeFiles(home, user === undefined ? {} : { 'mcp-config.json': user })
  writeFiles(project, files)
  const planned = plan(home)
  const model = await startChatModel(script)
  try {
    const command = [copilotBinary, ...planned.arguments, ...args, '-p', 'call the tools']
    const finished = await runProgram(command, {
      workingDirectory: path.join(project, workingDirectory),
      environment: {
        ...baseEnvironment(root, home, model.url),
        ...environment,
        ...planned.environment,
      },
      timeLimitMs: 120_000,
    })
    return {
      ...finished,
      model,
      offered: model.offeredTools(),
      results: model.results().map(({ text }) => text),
      log: logOf(path.join(home, 'logs')),
    }
  } finally {
    await model.close()
    if (kept === undefined) rmSync(root, { recursive: true, force: true })
  }
}

function baseEnvironment(root: string, home: string, modelUrl: string): Record<string, string> {
  return {
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: root,
    TMPDIR: root,
    LANG: 'C.UTF-8',
    COPILOT_HOME: home,
    COPILOT_CACHE_HOME: copilotUnpacked,
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: modelUrl,
    COPILOT_MODEL: 'scripted',
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

function logOf(folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('')
}
