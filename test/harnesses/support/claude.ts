import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Emission } from '../../../src/compile/compile.ts'
import type { Context } from '../../../src/compile/target.ts'
import { claude } from '../../../targets/claude/target.ts'
import { compiled } from './compiled.ts'
import { startMessagesModel } from './messages-model.ts'
import type { ToolCall, ToolResult } from './model.ts'
import { claudeBinary } from './programs.ts'
import { type Finished, onTerminal, runProgram, type Session } from './run-program.ts'

/** What a run of the real Claude Code showed. */
export interface ClaudeRun extends Finished {
  readonly servers: Readonly<Record<string, string>>
  /** Everything that the model was told or offered, as JSON. */
  readonly conversation: string
  readonly offered: readonly string[]
  readonly results: readonly ToolResult[]
}

/** Fresh folders for one run; `dispose` removes them. */
export interface ClaudeFolders {
  readonly project: string
  readonly state: string
  dispose(): void
}

export function claudeFolders(): ClaudeFolders {
  const root = mkdtempSync(path.join(tmpdir(), 'bridle-claude-'))
  const [project, state] = [path.join(root, 'project'), path.join(root, 'state')]
  for (const folder of [project, state]) mkdirSync(folder)
  return { project, state, dispose: () => rmSync(root, { recursive: true, force: true }) }
}

/** A spec in the language, without the version. */
export interface SpecObject {
  readonly variables?: Readonly<Record<string, object>>
  readonly servers: Readonly<Record<string, object>>
}

/** Compiles the spec and writes the files where Claude Code looks for them. */
export async function emitInto(
  { project, state }: ClaudeFolders,
  spec: SpecObject,
  context: Context,
): Promise<Emission> {
  const emission = await compiled(spec, claude, context)
  const files = emission.files.map((file) => [file.path, file.text])
  writeFiles(context === 'launch' ? state : project, Object.fromEntries(files))
  return emission
}

/** Compiles for a launch and starts Claude Code with the plan of the target, without a sandbox around it. */
export async function launchClaude(
  spec: SpecObject,
  script: readonly ToolCall[],
  {
    secrets = {},
    environment = {},
    files = {},
    args = [],
  }: {
    secrets?: Readonly<Record<string, string>>
    environment?: Readonly<Record<string, string>>
    files?: Readonly<Record<string, string>>
    args?: readonly string[]
  } = {},
): Promise<ClaudeRun> {
  const folders = claudeFolders()
  try {
    writeFiles(folders.project, files)
    const emission = await emitInto(folders, spec, 'launch')
    const plan = claude.launch.plan({
      servers: emission.servers,
      arguments: args,
      stateFolder: folders.state,
    })
    const injected = emission.injections.map(({ name, variable, field }) => {
      const value = secrets[variable] ?? ''
      return [name, field === 'account' ? value : claude.secrets.encodeValue(value, field)]
    })
    return await runClaude(folders, script, plan.arguments, {
      ...environment,
      ...plan.environment,
      ...Object.fromEntries(injected),
    })
  } finally {
    folders.dispose()
  }
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

/** One headless run against the scripted model. Tools are offered at once, not behind a search. */
export async function runClaude(
  { project, state }: ClaudeFolders,
  script: readonly ToolCall[],
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ClaudeRun> {
  const model = await startMessagesModel(script)
  try {
    const command = [claudeBinary, ...args, '-p', '--output-format', 'stream-json', '--verbose', 'go']
    const finished = await runProgram(command, {
      workingDirectory: project,
      environment: {
        ...baseEnvironment(state),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'key-of-the-test',
        ENABLE_TOOL_SEARCH: 'false',
        ...environment,
      },
    })
    return {
      ...finished,
      servers: serverStates(finished.stdout),
      conversation: JSON.stringify(model.requests),
      offered: model.offeredTools().filter((name) => name.startsWith('mcp__')),
      results: model.results(),
    }
  } finally {
    await model.close()
  }
}

/** The servers by state, from the first message of `--output-format stream-json`. */
export function serverStates(stdout: string): Record<string, string> {
  const init: { mcp_servers?: { name: string; status: string }[] } | undefined = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .find(({ subtype }) => subtype === 'init')
  return Object.fromEntries((init?.mcp_servers ?? []).map(({ name, status }) => [name, status]))
}

/** `claude` with these arguments, such as `mcp add-json …`, and a state folder of its own. */
export async function claudeCommand(
  { project, state }: ClaudeFolders,
  args: readonly string[],
): Promise<Finished> {
  return runProgram([claudeBinary, ...args], {
    workingDirectory: project,
    environment: baseEnvironment(state),
  })
}

/** The same on a terminal, with somebody in front of it. */
export async function claudeOnTerminal(
  { project, state }: ClaudeFolders,
  args: readonly string[],
  user: (session: Session) => Promise<void>,
): Promise<Finished> {
  return runProgram(onTerminal([claudeBinary, ...args]), {
    workingDirectory: project,
    environment: baseEnvironment(state),
    user,
  })
}

function baseEnvironment(state: string): Record<string, string> {
  return {
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: state,
    LANG: 'C.UTF-8',
    CLAUDE_CONFIG_DIR: state,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}
