import type { Refusal, ToolNames } from '../../src/compile/target.ts'

/** Servers of its own: a launch switches them off, and with them whatever has such a name, in silence. */
const builtInServers = ['github-mcp-server', 'githubiq']

/** What rules call its own tools: what a rule allows to them, it allows to the server of that name too. */
const ruleKinds = ['shell', 'write']

/** Why Copilot would not take a server of this name, or would take its tools for something else. */
export function refuseName(name: string): Refusal | undefined {
  if (builtInServers.includes(name)) {
    return {
      reason: `Copilot keeps the name \`${name}\` for a server of its own, and drops both where that one is switched off`,
      help: 'rename the server',
    }
  }
  return ruleKinds.includes(name)
    ? {
        reason: `\`${name}\` is what rules of Copilot call tools of its own: a rule that allows them allows this server too`,
        help: 'rename the server',
      }
    : undefined
}

/** What stands before each tool of a server in the name that the model calls. */
export function toolPrefix(server: string): string {
  return `${server}-`
}

/** A tool as it is shown, and as rules know it, when it is of ASCII and short enough. */
export function shownTool(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '-')
}

/**
 * A name of more than 64 characters is cut, and its end replaced by a digit where two meet then. Nothing is lost by that,
 * since filters go by the full name; but a rule for a name that others may be cut to would not be sure.
 */
export const longestRule = 63

export const toolNames: ToolNames = {
  shown: (server, tool) => toolPrefix(server) + shownTool(tool),
  rulesGoBy: 'original',
}
