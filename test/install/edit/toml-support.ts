import { parseTOML } from 'toml-eslint-parser'
import { toml } from '../../../src/compile/installed-file.ts'
import type { Json } from '../../../src/compile/serialize.ts'
import type { Edit, EditableDocument, Origins } from '../../../src/install/edit/document.ts'
import { parseToml } from '../../../src/install/edit/toml.ts'

/** A server as Codex's target writes it, with tables of its own, and others to change it into. */
export const server = {
  command: 'npx',
  args: ['-y', 'ours-mcp', 'C:\\new "x"\n'],
  env: { LEVEL: 'warn', 'é.x': '# no comment' },
}
export const changedServer = {
  url: 'https://x.example.com/mcp',
  tools: { search: { approval_mode: 'prompt' } },
}
export const smallServer = { command: 'sh', startup_timeout_sec: 0.5 }

export function documentOf(text: string): EditableDocument {
  const parsed = parseToml(text, toml)
  if ('fault' in parsed) throw new Error(`${parsed.fault.message} ${JSON.stringify(parsed.fault.range)}`)
  return parsed.document
}

export interface Edited {
  readonly text: string
  readonly origins: Origins
}

/** The text after edits that are not refused; a parser that has no part in the editing must still take it. */
export function edit({ text, origins }: Edited, ...edits: readonly Edit[]): Edited {
  const result = documentOf(text).edit(edits, origins)
  if ('refusal' in result) throw new Error(result.refusal.message)
  parseTOML(result.text.replace(/^\uFEFF/, ''))
  return result
}

export function untouched(text: string): Edited {
  return { text, origins: {} }
}

export function set(name: string, value: Json): Edit {
  return { path: ['mcp_servers', name], value }
}

export function remove(name: string): Edit {
  return { path: ['mcp_servers', name], value: undefined }
}

/** Whether the second text is the first with something put in at one place. */
export function isInsertion(before: string, after: string): boolean {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  return after.endsWith(before.slice(start)) && after.length > before.length
}
