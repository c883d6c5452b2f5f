import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ToolCall, ToolResult } from './model.ts'
import { codexBinary } from './programs.ts'
import { type ResponsesModel, startResponsesModel } from './responses-model.ts'
import { type Finished, runProgram, type Session } from './run-program.ts'

/** A run of the real Codex by hand, without Bridle, against a scripted model. */
export interface CodexRun extends Finished {
  readonly model: ResponsesModel
  readonly results: readonly ToolResult[]
}

/**
 * Codex refuses to set up its helpers when CODEX_HOME lies under the temporary folder, so the folders of a test lie
 * elsewhere.
 */
export function makeFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync('/var/tmp/bridle-codex-')
  mkdirSync(path.join(folder, 'home'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

interface CodexOptions {
  /** From `makeFolder`, for what Codex is to find again; absent: a fresh one. */
  readonly folder?: string
  readonly user?: (session: Session) => Promise<void>
}

/** Runs `codex` with this text as its config.toml. */
export async function codexCommand(
  config: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { folder: kept, user }: CodexOptions = {},
): Promise<Finished> {
  const { folder, remove } = kept === undefined ? makeFolder() : { folder: kept, remove: () => {} }
  const home = path.join(folder, 'home')
  writeFileSync(path.join(home, 'config.toml'), config)
  const base = { PATH: process.env['PATH'] ?? '', HOME: folder, CODEX_HOME: home, LANG: 'C.UTF-8' }
  try {
    return await runProgram([codexBinary, ...args], {
      environment: { ...base, ...environment },
      workingDirectory: folder,
      ...(user !== undefined && { user }),
    })
  } finally {
    remove()
  }
}

/** `codex exec` with a standalone config.toml, checked strictly, and a model that follows the script. */
export async function codexExec(
  config: string,
  script: readonly ToolCall[],
  {
    args = [],
    environment = {},
    ...options
  }: CodexOptions & { args?: readonly string[]; environment?: Record<string, string> } = {},
): Promise<CodexRun> {
  const model = await startResponsesModel(script)
  const provider = [
    'model = "scripted"',
    'model_provider = "scripted"',
    'features = { apps = false, plugins = false, remote_plugin = false }',
    'analytics.enabled = false',
    `model_providers.scripted = { name = "scripted", base_url = "${model.url}", wire_api = "responses" }`,
  ].join('\n')
  try {
    const flags = ['--strict-config', 'exec', '--json', '--skip-git-repo-check', ...args, 'call the tools']
    const finished = await codexCommand(`${provider}\n${config}`, flags, environment, options)
    return { ...finished, model, results: toolResults(finished.stdout) }
  } finally {
    await model.close()
  }
}

/** The results of MCP calls, whole, from the events of `codex exec --json`; the model gets them cut. */
export function toolResults(stdout: string): ToolResult[] {
  const events = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): CodexEvent => JSON.parse(line))
  return events
    .filter(({ type, item }) => type === 'item.completed' && item?.type === 'mcp_tool_call')
    .map(({ item }) => ({
      isError: item?.status === 'failed',
      text: item?.error?.message ?? item?.result?.content.map((part) => part.text ?? '').join('') ?? '',
    }))
}

interface CodexEvent {
  readonly type: string
  readonly item?: {
    readonly type: string
    readonly status?: string
    readonly error?: { readonly message: string } | null
    readonly result?: { readonly content: readonly { readonly text?: string }[] } | null
  }
}
