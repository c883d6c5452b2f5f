import { createServer, type ServerResponse } from 'node:http'
import { text as readBody } from 'node:stream/consumers'
import { close, listen } from './loopback.ts'
import type { ToolCall, ToolResult } from './model.ts'

export interface MessagesModel {
  readonly url: string
  /** What the harness sent, request by request. */
  readonly requests: readonly MessagesRequest[]
  /** The key that came with each request; empty where there was none. */
  readonly keys: readonly string[]
  /** Names of all tools that were ever offered. */
  offeredTools(): string[]
  /** As the model got them, in the order of the calls. */
  results(): ToolResult[]
  close(): Promise<void>
}

export interface MessagesRequest {
  readonly model?: string
  readonly stream?: boolean
  readonly tools?: readonly { readonly name: string }[]
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly Block[] }[]
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly tool_use_id?: string
  readonly is_error?: boolean
  readonly content?: string | readonly Block[]
}

/**
 * A stand-in for the Messages API of Anthropic on loopback. It asks for the tools of the script one after another,
 * offered or not, and then ends the turn: the step is told by how many results the conversation already holds.
 */
export async function startMessagesModel(
  script: readonly ToolCall[],
  { port = 0 }: { port?: number } = {},
): Promise<MessagesModel> {
  const requests: MessagesRequest[] = []
  const keys: string[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const path = request.url?.split('?')[0]
    if (request.method !== 'POST' || !path?.startsWith('/v1/messages')) {
      response.writeHead(404).end()
    } else if (path !== '/v1/messages') {
      sendJson(response, { input_tokens: 1 })
    } else {
      const parsed: MessagesRequest = JSON.parse(body)
      requests.push(parsed)
      keys.push(String(request.headers['x-api-key'] ?? ''))
      const step = parsed.tools?.length ? script[resultBlocks(parsed).length] : undefined
      answer(response, parsed, step, requests.length)
    }
  })
  return {
    url: `http://127.0.0.1:${await listen(server, port)}`,
    requests,
    keys,
    offeredTools: () => [...new Set(requests.flatMap(({ tools }) => (tools ?? []).map(({ name }) => name)))],
    results: () => longest(requests.map(resultBlocks)).map(toResult),
    close: () => close(server),
  }
}

function answer(
  response: ServerResponse,
  body: MessagesRequest,
  step: ToolCall | undefined,
  id: number,
): void {
  const block = step
    ? { type: 'tool_use', id: `toolu_${id}`, name: step.name, input: step.input ?? {} }
    : { type: 'text', text: 'done' }
  const ending = { stop_reason: step ? 'tool_use' : 'end_turn', stop_sequence: null }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body.model, usage }
  if (body.stream) sendEvents(response, message, block, ending)
  else sendJson(response, { ...message, content: [block], ...ending })
}

const usage = { input_tokens: 1, output_tokens: 1 }

function sendEvents(
  response: ServerResponse,
  message: object,
  block: { readonly type: string; readonly text?: string; readonly input?: object },
  ending: object,
): void {
  const isText = block.type === 'text'
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  const opening = isText ? { type: 'text', text: '' } : { ...block, input: {} }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: opening },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: ending, usage },
    { type: 'message_stop' },
  ]) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  response.end()
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function resultBlocks({ messages = [] }: MessagesRequest): Block[] {
  return messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
}

function toResult({ is_error, content = '' }: Block): ToolResult {
  const text = typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('')
  return { isError: is_error === true, text }
}

function longest<Item>(lists: readonly Item[][]): Item[] {
  return lists.reduce((best, list) => (list.length > best.length ? list : best), [])
}
