import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type DumpHttp, startDumpHttp } from './dump-http.ts'
import type { ToolCall, ToolResult } from './model.ts'
import { buildPrograms } from './programs.ts'

export interface DumpServers {
  /** Where the program of the stdio server lies; there only while the tests of the file run, as is `web`. */
  readonly folder: string
  readonly web: DumpHttp
  /** The dumping server over stdio as an entry of a spec, with these arguments after its own. */
  dumper(entry?: { readonly arguments?: readonly unknown[]; readonly [key: string]: unknown }): object
}

/** The dumping servers for the tests of one file: built and started before them, gone after. */
export function useDumpServers(): DumpServers {
  const folder = mkdtempSync(path.join(tmpdir(), 'bridle-dump-'))
  let web: DumpHttp | undefined
  beforeAll(async () => {
    await buildPrograms(folder, 'dump-stdio')
    web = await startDumpHttp()
  })
  afterAll(async () => {
    await web?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    get web() {
      if (web === undefined) throw new Error('the servers run only while the tests do')
      return web
    },
    dumper: ({ arguments: args = [], ...rest } = {}) => ({
      command: process.execPath,
      arguments: [path.join(folder, 'dump-stdio.mjs'), ...args],
      ...rest,
    }),
  }
}

/** `call('docs__search')` asks for the tool `search` of the server `docs`. */
export function call(tool: string, input: ToolCall['input'] = {}): ToolCall {
  return { name: `mcp__${tool}`, input }
}

/** Asks the server for the digest of one environment variable or header that it received. */
export function fingerprintOf(server: string, name: string): ToolCall {
  return call(`${server}__fingerprint`, { name })
}

export function texts({ results }: { readonly results: readonly ToolResult[] }): string[] {
  return results.map(({ text }) => text)
}

/** By call: whether it was refused or failed. */
export function refusals({ results }: { readonly results: readonly ToolResult[] }): boolean[] {
  return results.map(({ isError }) => isError)
}
