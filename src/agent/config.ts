import { type BuiltinConfig, builtinConfig } from '../../targets/builtin/emission.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer } from '../spec/spec.ts'

export type ReadConfig =
  | { readonly servers: readonly McpServer[]; readonly diagnostics: readonly [] }
  | { readonly servers?: never; readonly diagnostics: readonly Diagnostic[] }

/** The servers of a `builtin.json`, or all that is wrong with it. */
export function readConfig(text: string, file: string): ReadConfig {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { diagnostics: [refuse('BRIDLE106', `${file} is not valid JSON`)] }
  }
  const { data, error } = builtinConfig.safeParse(value)
  if (data !== undefined) return { servers: serversOf(data), diagnostics: [] }
  return {
    diagnostics: error.issues.map(({ path, message }) =>
      refuse('BRIDLE206', `${file}: ${path.join('.') || 'the file'}: ${message}`),
    ),
  }
}

/** The file cannot be read at all; `reason` is the code of the system. */
export function unreadableConfig(file: string, reason: string): Diagnostic {
  return refuse('BRIDLE103', `${file} cannot be read: ${reason}`)
}

function refuse(code: Diagnostic['code'], message: string): Diagnostic {
  return diagnostic(code, 'error', message, { help: '`bridle build builtin` writes this file' })
}

function serversOf(config: BuiltinConfig): McpServer[] {
  return Object.entries(config.servers).map(([name, server]) => ({ ...server, name, enabled: true }))
}
