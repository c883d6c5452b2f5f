/** One step of a script: the model asks for this tool, `mcp__<server>__<tool>` or one of the harness's own. */
export interface ToolCall {
  readonly name: string
  readonly input?: Readonly<Record<string, unknown>>
}

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
}
