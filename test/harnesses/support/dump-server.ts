import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** What a dumping server can tell of itself; the transport decides. */
export interface Subject {
  /** Everything that it received, as JSON. */
  dump(): unknown
  /** The value of one environment variable or header; undefined when it was not given. */
  value(name: string): string | Uint8Array | undefined
  /** What `digest` shows. */
  received(): Received
}

/** Texts by name or number, each as text or as the bytes that came. */
export type Received = Readonly<Record<string, string | Uint8Array | readonly string[] | Texts>>
type Texts = Readonly<Record<string, string | Uint8Array>>

/**
 * An MCP server (SDK 1.x, as most servers in the field) that tells what a harness gave it. `dump` shows it all;
 * `fingerprint` proves a secret byte for byte without showing it, so that a search for the secret stays meaningful.
 */
export function createDumpServer(subject: Subject): McpServer {
  const server = new McpServer({ name: 'dump', version: '1.0.0' })
  server.registerTool('dump', { description: 'All that this server received' }, () =>
    text(inAscii(JSON.stringify(subject.dump()))),
  )
  server.registerTool(
    'fingerprint',
    { description: 'SHA-256 of one received value', inputSchema: { name: z.string() } },
    ({ name }) => text(fingerprint(subject.value(name))),
  )
  server.registerTool('digest', { description: 'Digests of all that this server received' }, () =>
    text(JSON.stringify(digests(subject.received()))),
  )
  server.registerTool('echo', { description: 'The text', inputSchema: { text: z.string() } }, (call) =>
    text(call.text),
  )
  server.registerTool('sleep', { description: 'Waits', inputSchema: { ms: z.number() } }, async ({ ms }) => {
    await wait(Math.min(ms, 60_000))
    return text(`slept ${ms}`)
  })
  server.registerTool('extra', { description: 'A tool to filter out' }, () => text('extra'))
  return server
}

/** Lower-case hexadecimal SHA-256 of the bytes (of a text: its UTF-8), or `absent`. */
export function fingerprint(value: string | Uint8Array | undefined): string {
  return value === undefined ? 'absent' : createHash('sha256').update(value).digest('hex')
}

/**
 * The same with the start of the fingerprint in place of each text: what hundreds of texts are compared by, since
 * harnesses cut a long result.
 */
export function digests(received: Received): unknown {
  return mapTexts(received, (text) => fingerprint(text).slice(0, 12))
}

function mapTexts(
  value: Received[string] | Received,
  change: (text: string | Uint8Array) => string,
): unknown {
  if (typeof value === 'string' || value instanceof Uint8Array) return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]))
}

/** The same JSON in ASCII: harnesses clean tool results of characters that could deceive a reader. */
function inAscii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function text(content: string): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: content }] }
}
