import type { Refusal, ToolNames } from '../../src/compile/target.ts'

/**
 * Names that Claude Code keeps for servers of its own. It skips an entry of such a name and says so only in its debug
 * log; of `ide` it hides the tools. Found by offering every candidate in the program to 2.1.332. Case matters.
 */
const reserved: ReadonlySet<string> = new Set([
  'Claude_Browser',
  'Claude_Preview',
  'Claude_in_Chrome',
  'ccr-email',
  'claude-code-remote',
  'claude-device',
  'claude-in-chrome',
  'claude_ai',
  'computer-use',
  'hearthbot',
  'ide',
  'remote-devices',
  'webagent',
  'workspace',
])

/** Why Claude Code would not take a server of this name, or would take its tools for another server's. */
export function refuseName(name: string): Refusal | undefined {
  if (reserved.has(name)) {
    return {
      reason: `Claude Code keeps the name \`${name}\` for a server of its own and would skip this one`,
      help: 'rename the server',
    }
  }
  if (name.includes('__') || name.endsWith('_')) {
    return {
      reason: `Claude Code calls a tool \`mcp__<server>__<tool>\` and ends the server's name at the first \`__\``,
      help: 'rename the server so that it has no double underscore and none at its end',
    }
  }
  return undefined
}

/** The rule that means every tool of the server. */
export function serverRule(server: string): string {
  return `mcp__${server}`
}

/** The rule that means this tool: Claude Code replaces what is no letter, digit, `_` or `-`, and rules need the result. */
export function toolRule(server: string, tool: string): string {
  return `${serverRule(server)}__${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`
}

/**
 * The program takes names of any length, and so does a model that it reaches over another address. The Messages API of
 * Anthropic answers 400 for the whole request, by then in a session that goes on failing: anthropics/claude-code#16425.
 */
export const toolNames: ToolNames = {
  shown: toolRule,
  rulesGoBy: 'shown',
  longest: { length: 64, consequence: "Anthropic's models take at most 64" },
}
