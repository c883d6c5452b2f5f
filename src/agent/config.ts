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
    return fault('BRIDLE106', `${file} is not valid JSON`)
  }
  const parsed = builtinConfig.safeParse(value)
  if (!parsed.success) {
    return {
      diagnostics: parsed.error.issues.map(({ path, message }) =>
        diagnostic('BRIDLE206', 'error', `${file}: ${path.join('.') || 'the file'}: ${message}`, {
          help: rebuild,
        }),
      ),
    }
  }
  return { servers: serversOf(parsed.data), diagnostics: [] }
}

/** The file cannot be read at all; `reason` is the code of the system. */
export function unreadableConfig(file: string, reason: string): Diagnostic {
  return diagnostic('BRIDLE103', 'error', `${file} cannot be read: ${reason}`, { help: rebuild })
}

const rebuild = '`bridle build builtin` writes this file'

function fault(code: 'BRIDLE106', message: string): ReadConfig {
  return { diagnostics: [diagnostic(code, 'error', message, { help: rebuild })] }
}

function serversOf(config: BuiltinConfig): McpServer[] {
  return Object.entries(config.servers).map(([name, server]) => ({ ...server, name, enabled: true }))
}
