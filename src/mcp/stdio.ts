import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Environment } from '../host/environment.ts'
import type { McpStdioServer } from '../spec/spec.ts'
import { serverEnvironment } from './environment.ts'
import { MessageLines, NoiseError } from './message-lines.ts'
import { endGroup } from './process-group.ts'
import { StderrTail } from './stderr-tail.ts'

/** After the end of the server, output that a descendant holds open is waited for no longer than this. */
const drainMs = 250

/**
 * A stdio server as a child that leads its own process group. In place of the SDK's transport, which always adds to
 * the environment and ends the child only, never what the child started (typescript-sdk issue 2023).
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  readonly #server: McpStdioServer
  readonly #environment: Environment
  readonly #lines = new MessageLines()
  readonly #stderr: StderrTail
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined
  /** What the server did wrong, where that ended the connection. */
  #fault: string | undefined
  #isClosed = false
  #ending: Promise<void> | undefined

  /** @param mask takes secret values out of what the server wrote to stderr */
  constructor(server: McpStdioServer, environment: Environment, mask: (text: string) => string) {
    this.#server = server
    this.#environment = environment
    this.#stderr = new StderrTail(mask)
  }

  /** Rejects with a sentence when the command cannot be started. */
  start(): Promise<void> {
    const { command, arguments: args, workingDirectory } = this.#server
    if (this.#ending) return Promise.reject(new Error('it was closed before it was started'))
    if (workingDirectory !== undefined && !existsSync(workingDirectory)) {
      return Promise.reject(new Error(`its working directory ${workingDirectory} does not exist`))
    }
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => reject(new Error(spawnFault(command, error)))
      try {
        const child = spawn(command, args, {
          env: serverEnvironment(this.#server, this.#environment),
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: true,
          ...(workingDirectory !== undefined && { cwd: workingDirectory }),
        })
        child.once('spawn', resolve)
        child.on('error', refuse)
        this.#attach(child)
      } catch (error) {
        refuse(error)
      }
    })
  }

  /** A server that no longer reads has most likely ended: its end, which says more, is given time to be noticed. */
  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new SdkError(SdkErrorCode.ConnectionClosed, 'the server does not read'))
      if (this.#child === undefined || this.#isClosed) return refuse()
      this.#child.stdin.write(serializeMessage(message), (error) =>
        error ? setTimeout(refuse, drainMs) : resolve(),
      )
    })
  }

  /** Ends the server and all that it started. Bounded; safe to call twice. */
  close(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  /** What the server said on stderr before it failed, and how it ended, without secret values. */
  get lastWords(): { readonly ending: string | undefined; readonly stderr: readonly string[] } {
    return { ending: this.#fault ?? describeEnding(this.#child), stderr: this.#stderr.lines }
  }

  #attach(child: ChildProcessByStdio<Writable, Readable, Readable>): void {
    this.#child = child
    child.once('exit', () => setTimeout(() => this.#closed(), drainMs).unref())
    child.once('close', () => this.#closed())
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.append(chunk))
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error))
    }
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    await endGroup(child)
    child.stdout.destroy()
    child.stderr.destroy()
    this.#closed()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.onclose?.()
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#lines.read(chunk)) this.onmessage?.(message)
    } catch (error) {
      if (!(error instanceof NoiseError)) throw error
      this.#fault = error.message
      // What comes next is not read: it may come faster than it can be thrown away.
      this.#child?.stdout.destroy()
      this.onerror?.(error)
      void this.close()
    }
  }
}

/** From the code alone: the message of Node may quote an argument or a value. */
function spawnFault(command: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return `its command \`${command}\` was not found`
  // Also for a command that is nowhere, when a folder on PATH may not be searched.
  if (code === 'EACCES') return `its command \`${command}\` was not found, or may not be executed`
  if (code === 'E2BIG') return 'its arguments and environment are longer than the system allows'
  return `its command \`${command}\` cannot be started (${String(code ?? 'unknown reason')})`
}

/** Undefined while it runs, and for a command that was never started. */
function describeEnding(child: ChildProcess | undefined): string | undefined {
  if (child?.pid === undefined) return undefined
  if (child.exitCode !== null) return `it exited with status ${child.exitCode}`
  return child.signalCode === null ? undefined : `it was ended by ${child.signalCode}`
}
