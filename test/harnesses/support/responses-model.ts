import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { close, listen } from './loopback.ts'
import type { ToolCall } from './model.ts'

export interface ResponsesModel {
  readonly url: string
  /** What the harness sent, request by request. */
  readonly requests: readonly ResponsesRequest[]
  /** The Authorization header of each request; empty where there was none. */
  readonly keys: readonly string[]
  /** Names of all tools that were ever offered, those of MCP servers as `mcp__<server>__<tool>`. */
  offeredTools(): string[]
  /** As the model got them, long ones cut, in the order of the calls. */
  results(): { readonly text: string }[]
  close(): Promise<void>
}

export interface ResponsesRequest {
  readonly input?: readonly Item[]
  readonly tools?: readonly Tool[]
}

interface Item {
  readonly type?: string
  readonly output?: string | readonly { readonly text?: string }[]
}

interface Tool {
  readonly type: string
  readonly name?: string
  readonly tools?: readonly Tool[]
}

/**
 * A stand-in for the Responses API of OpenAI on loopback. It asks for the tools of the script one after another,
 * offered or not, and then ends the turn: the step is told by how many results the conversation already holds.
 */
export async function startResponsesModel(
  script: readonly ToolCall[],
  { port = 0 }: { port?: number } = {},
): Promise<ResponsesModel> {
  const requests: ResponsesRequest[] = []
  const keys: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
      response.writeHead(404).end()
      return
    }
    const parsed: ResponsesRequest = JSON.parse(body)
    requests.push(parsed)
    keys.push(request.headers.authorization ?? '')
    const turn = outputsOf(parsed).length
    answer(response, script[turn], turn)
  })
  return {
    url: `http://127.0.0.1:${await listen(server, port)}/v1`,
    requests,
    keys,
    offeredTools: () => [...new Set(requests.flatMap(({ tools = [] }) => tools.flatMap(namesOf)))],
    results: () => (requests.map(outputsOf).at(-1) ?? []).map(toResult),
    close: () => close(server),
  }
}

function outputsOf({ input = [] }: ResponsesRequest): readonly Item[] {
  return input.filter(({ type }) => type?.endsWith('_call_output'))
}

function toResult({ output = '' }: Item): { text: string } {
  return { text: typeof output === 'string' ? output : output.map(({ text = '' }) => text).join('\n') }
}

function namesOf({ type, name = type, tools = [] }: Tool): string[] {
  return type === 'namespace' ? tools.map((tool) => `${name}__${tool.name}`) : [name]
}

function answer(response: ServerResponse, step: ToolCall | undefined, turn: number): void {
  const item = step === undefined ? message : functionCall(step, turn)
  const id = `response_${turn}`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, output: [], usage } },
  ]) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

const message = {
  type: 'message',
  id: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'done', annotations: [] }],
}

/**
 * The namespace of a tool of a server is all before the last `__`. `exec` takes JavaScript: with its own models Codex
 * offers no other tool ("code mode"), and the code calls the tools of the servers.
 */
function functionCall({ name, input = {} }: ToolCall, turn: number): object {
  const common = { id: `function_${turn}`, call_id: `call_${turn}`, status: 'completed' }
  if (name === 'exec') {
    return { ...common, type: 'custom_tool_call', namespace: 'functions', name, input: input['code'] }
  }
  const end = name.startsWith('mcp__') ? name.lastIndexOf('__') : -1
  return {
    ...common,
    type: 'function_call',
    name: end === -1 ? name : name.slice(end + 2),
    ...(end !== -1 && { namespace: name.slice(0, end) }),
    arguments: JSON.stringify(input),
  }
}
