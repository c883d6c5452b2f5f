import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import { needsConfirmation } from '../mcp/tools.ts'
import { shownPlainly } from '../text/shown.ts'
import type { Listing } from './list-tools.ts'

const longestSummary = 100

/** One line a tool: its server, its name, and the first line of what it says about itself. */
export function toolTable(listings: readonly Listing[]): string {
  const rows = listings.flatMap(({ server, tools }) =>
    tools.map((tool) => [
      server.name,
      shownPlainly(tool.name),
      summaryOf(tool) + (needsConfirmation(server, tool.name) ? ' (requires confirmation)' : ''),
    ]),
  )
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

function summaryOf({ title, annotations, description }: Tool): string {
  const text = description?.trim() || title || annotations?.title || ''
  const line = shownPlainly(text.split('\n')[0] ?? '').trim()
  return line.length > longestSummary ? `${line.slice(0, longestSummary - 1)}…` : line
}

/** The declarations of the tools as the servers gave them, each with whether a call requires confirmation. */
export function toolsJson(listings: readonly Listing[]): string {
  const servers = listings.map(({ server, tools }) => ({
    name: server.name,
    ...(server.title !== undefined && { title: server.title }),
    tools: tools.map((tool) => ({ ...tool, requiresConfirmation: needsConfirmation(server, tool.name) })),
  }))
  return `${JSON.stringify({ servers }, null, 2)}\n`
}

/** Text as it is, every other kind of content as a line of JSON. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map((item) => (item.type === 'text' ? item.text : JSON.stringify(item)))
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent))
  return parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('')
}

export function resultJson(result: CallToolResult): string {
  return `${JSON.stringify(result, null, 2)}\n`
}
