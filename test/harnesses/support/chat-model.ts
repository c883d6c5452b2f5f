import { createServer, type ServerResponse } from 'node:http'
import { text as readBody } from 'node:stream/consumers'
import { close, listen } from './loopback.ts'
import type { ToolCall } from './model.ts'

export interface ChatModel {
  /** With the `/v1` that harnesses want in a base URL. */
  readonly url: string
  /** What the harness sent, request by request. */
  readonly requests: readonly ChatRequest[]
  /** The Authorization header of each request; empty where there was none. */
  readonly keys: readonly string[]
  /** Names of all tools that were ever offered. */
  offeredTools(): string[]
  /** As the model got them, in the order of the calls. */
  results(): { readonly text: string }[]
  close(): Promise<void>
}

export interface ChatRequest {
  readonly model?: string
  readonly stream?: boolean
  readonly tools?: readonly { readonly function?: { readonly name: string } }[]
  readonly messages?: readonly Message[]
}

interface Message {
  readonly role: string
  readonly content?: string | null | readonly { readonly text?: string }[]
}

/**
 * A stand-in for the Chat Completions API of OpenAI on loopback. It asks for the tools of the script one after another,
 * offered or not, and then ends the turn: the step is told by how many results the conversation already holds.
 */
export async function startChatModel(
  script: readonly ToolCall[],
  { port = 0 }: { port?: number } = {},
): Promise<ChatModel> {
  const requests: ChatRequest[] = []
  const keys: string[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const path = request.url?.split('?')[0]
    if (request.method === 'GET' && path?.endsWith('/models')) {
      sendJson(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }] })
    } else if (request.method !== 'POST' || !path?.endsWith('/chat/completions')) {
      response.writeHead(404).end()
    } else {
      const parsed: ChatRequest = JSON.parse(body)
      requests.push(parsed)
      keys.push(request.headers.authorization ?? '')
      const turn = toolMessages(parsed).length
      // A request without tools is no turn of the agent: a title of the session, say.
      answer(response, parsed, parsed.tools?.length ? script[turn] : undefined, turn)
    }
  })
  return {
    url: `http://127.0.0.1:${await listen(server, port)}/v1`,
    requests,
    keys,
    offeredTools: () => [...new Set(requests.flatMap(({ tools = [] }) => tools.flatMap(nameOf)))],
    results: () => longest(requests.map(toolMessages)).map(toResult),
    close: () => close(server),
  }
}

function nameOf(tool: { readonly function?: { readonly name: string } }): string[] {
  return tool.function === undefined ? [] : [tool.function.name]
}

function toolMessages({ messages = [] }: ChatRequest): Message[] {
  return messages.filter(({ role }) => role === 'tool')
}

function toResult({ content }: Message): { text: string } {
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? [])
  return { text: parts.map(({ text = '' }) => text).join('\n') }
}

function longest<Item>(lists: readonly Item[][]): Item[] {
  return lists.reduce((best, list) => (list.length > best.length ? list : best), [])
}

function answer(response: ServerResponse, body: ChatRequest, step: ToolCall | undefined, turn: number): void {
  const message = step === undefined ? ending : toolCall(step, turn)
  const finish_reason = step === undefined ? 'stop' : 'tool_calls'
  const common = { id: `completion_${turn}`, created: 1, model: body.model }
  if (body.stream !== true) {
    const choices = [{ index: 0, message, finish_reason }]
    sendJson(response, { ...common, object: 'chat.completion', choices, usage })
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [
    { choices: [{ index: 0, delta: message, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ]) {
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...event })}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

const ending = { role: 'assistant', content: 'done' }

function toolCall({ name, input = {} }: ToolCall, turn: number): object {
  const called = { name, arguments: JSON.stringify(input) }
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: `call_${turn}`, type: 'function', function: called }],
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
