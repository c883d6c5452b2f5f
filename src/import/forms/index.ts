import type { Form } from '../form.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { agentTools, mentor } from './dotnet.ts'
import { cursor, vscode } from './editors.ts'
import { kimi } from './kimi.ts'
import { registry } from './registry.ts'

/** Every form that can be imported. */
export const forms: readonly Form[] = [
  claude,
  codex,
  kimi,
  copilot,
  vscode,
  cursor,
  registry,
  agentTools,
  mentor,
]

export const formIds: readonly string[] = forms.map(({ id }) => id)

export function findForm(id: string): Form | undefined {
  return forms.find((form) => form.id === id)
}
