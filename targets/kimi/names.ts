import type { ToolNames } from '../../src/compile/target.ts'

/**
 * The part of a tool's name that Kimi Code 2.1.0 makes of a server's or of a tool's name, and shows to the model as
 * `mcp__<server>__<tool>`. Two names that meet in it hide each other's tools without a word.
 */
function shownPart(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/_+/g, '_')
}

/**
 * What two servers must not share. The end of a name runs into the separator: `a_` with the tool `b` and `a` with the
 * tool `_b` are both shown as `mcp__a___b`.
 */
export function foldServer(name: string): string {
  return shownPart(name).replace(/_$/, '')
}

/** A name of more than 64 characters ends in a hash of all of it, so long ones stay apart; filters never see it. */
export const toolNames: ToolNames = {
  shown: (server, tool) => `mcp__${shownPart(server)}__${shownPart(tool)}`,
  rulesGoBy: 'original',
}
