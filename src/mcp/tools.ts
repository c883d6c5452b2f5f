import type { Tool } from '@modelcontextprotocol/client'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer } from '../spec/spec.ts'
import { mostLike } from '../spec/suggest.ts'

/** The tools that the filter of the server leaves, in the order of the server. */
export function filterTools(server: McpServer, tools: readonly Tool[]): Tool[] {
  return tools.filter(({ name }) => passesFilter(server, name))
}

/** `include` keeps, then `exclude` removes. */
function passesFilter({ tools }: McpServer, tool: string): boolean {
  const included = tools?.include?.includes(tool) ?? true
  return included && !tools?.exclude?.includes(tool)
}

export function needsConfirmation({ requiresConfirmation }: McpServer, tool: string): boolean {
  return (
    requiresConfirmation === true || (requiresConfirmation !== false && requiresConfirmation.includes(tool))
  )
}

/** Warnings about names in the spec that match nothing: a misspelt restriction restricts nothing. */
export function checkToolNames(server: McpServer, tools: readonly Tool[]): Diagnostic[] {
  const offered = tools.map(({ name }) => name)
  const { include = [], exclude = [] } = server.tools ?? {}
  const confirmed = Array.isArray(server.requiresConfirmation) ? server.requiresConfirmation : []
  const lists = { 'tools.include': include, 'tools.exclude': exclude, requiresConfirmation: confirmed }
  return Object.entries(lists).flatMap(([key, names]) =>
    names
      .filter((name) => !offered.includes(name))
      .map((name) =>
        diagnostic('BRIDLE702', 'warning', `\`${key}\` names \`${name}\`, which the server does not offer`, {
          server: server.name,
          help: suggestion(name, offered) ?? '`bridle tools` shows what it offers once the filter is removed',
        }),
      ),
  )
}

/** Why the spec alone forbids this call; decided before the server is started, and again whatever was listed. */
export function refuseCall(server: McpServer, tool: string): Diagnostic | undefined {
  const refuse = (reason: string, help: string) =>
    diagnostic('BRIDLE703', 'error', `the call of \`${tool}\` is refused: ${reason}`, {
      server: server.name,
      help,
    })
  if (!passesFilter(server, tool)) {
    return refuse('the tool filter of the server leaves it out', 'change `tools` of the server in the spec')
  }
  if (needsConfirmation(server, tool)) {
    return refuse(
      'it requires confirmation, and asking for one is not yet possible here',
      'call it from a harness that can ask',
    )
  }
  return undefined
}

/** Why a tool that the server does not offer cannot be called. */
export function refuseUnknown(server: McpServer, tool: string, offered: readonly Tool[]): Diagnostic {
  const names = offered.map(({ name }) => name)
  return diagnostic('BRIDLE703', 'error', `the server offers no tool \`${tool}\``, {
    server: server.name,
    help: suggestion(tool, names) ?? '`bridle tools` lists the tools',
  })
}

function suggestion(name: string, candidates: readonly string[]): string | undefined {
  const near = mostLike(name, candidates)
  return near === undefined ? undefined : `did you mean \`${near}\`?`
}
