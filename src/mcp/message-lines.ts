import {
  deserializeMessage,
  type JSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/client'

/**
 * So much that is no message in a row, and the server is not speaking MCP on its standard output: it may not write
 * anything else there (MCP 2025-11-25, transports). Reading on would keep this process busy for ever.
 */
const mostNoiseLines = 5000

/** The standard output of a server speaks no MCP; the message is a sentence about the server. */
export class NoiseError extends Error {}

/** Finds the messages of a stdio server, one a line, in chunks of its output. */
export class MessageLines {
  #pending: Buffer[] = []
  #pendingBytes = 0
  #noiseLines = 0

  /**
   * The messages that end in this chunk. Lines that are none are skipped: many servers greet on standard output.
   *
   * @throws NoiseError for a flood of other lines, or for a line that is longer than any message may be
   */
  read(chunk: Buffer): JSONRPCMessage[] {
    const messages: JSONRPCMessage[] = []
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const message = parse(this.#complete(chunk.subarray(start, end)))
      start = end + 1
      this.#noiseLines = message === undefined ? this.#noiseLines + 1 : 0
      if (this.#noiseLines > mostNoiseLines) {
        throw new NoiseError('it writes other things than messages to its standard output, without end')
      }
      if (message !== undefined) messages.push(message)
    }
    this.#keep(chunk.subarray(start))
    return messages
  }

  #complete(last: Buffer): string {
    const line = Buffer.concat([...this.#pending, last]).toString('utf8')
    this.#pending = []
    this.#pendingBytes = 0
    return line
  }

  #keep(rest: Buffer): void {
    if (rest.length === 0) return
    this.#pending.push(rest)
    this.#pendingBytes += rest.length
    if (this.#pendingBytes > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
      throw new NoiseError(`it wrote a line of more than ${STDIO_DEFAULT_MAX_BUFFER_SIZE / 1024 / 1024} MiB`)
    }
  }
}

function parse(line: string): JSONRPCMessage | undefined {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    return deserializeMessage(line)
  } catch {
    return undefined
  }
}
