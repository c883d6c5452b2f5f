import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer, McpStdioServer } from '../spec/spec.ts'
import { argumentFolders, type CommandLookup, type ResolvedCommand, resolveCommand } from './commands.ts'
import { interpreterNames } from './installation.ts'
import type { LaunchRequest } from './request.ts'

export interface LocatedServer {
  readonly server: McpServer
  /** Of a stdio server whose program was found. */
  readonly command?: ResolvedCommand
  readonly diagnostics: readonly Diagnostic[]
}

/** The server with its command replaced by the program that will run. */
export function locateServer(request: LaunchRequest, server: McpServer): LocatedServer {
  if (server.transport !== 'stdio') return { server, diagnostics: [] }
  const lookup = lookupFor(request, server)
  const command = resolveCommand(server.command, lookup)
  if (command === undefined || command.refusal !== undefined) {
    return { server, diagnostics: [unusable(request, server, command)] }
  }
  return {
    server: { ...server, command: command.file },
    command: { ...command, folders: [...command.folders, ...scriptOf(server, lookup)] },
    diagnostics: [],
  }
}

/** Where a stdio server is started, absolute. */
export function startFolder(
  { spec, workingDirectory }: LaunchRequest,
  { workingDirectory: own }: McpStdioServer,
): string {
  return own === undefined ? workingDirectory : path.resolve(spec.source.folder, own)
}

function lookupFor(request: LaunchRequest, server: McpStdioServer): CommandLookup {
  const { environment, project, home, sandbox } = request
  return {
    searchPath: server.environment['PATH'] ?? environment['PATH'] ?? '',
    workingDirectory: startFolder(request, server),
    project,
    home,
    isSandboxed: sandbox.name !== 'none',
  }
}

function unusable(
  { spec }: LaunchRequest,
  server: McpStdioServer,
  command: ResolvedCommand | undefined,
): Diagnostic {
  const { reason, help } = command?.refusal ?? {
    reason: 'was not found, or is not executable',
    help: server.command.includes('/')
      ? 'a path is taken from `workingDirectory`, or from the folder in which Bridle was started'
      : 'it is looked for on PATH and in the `node_modules/.bin` folders of the project: install it, or write its path',
  }
  return diagnostic('BRIDLE604', 'error', `\`${server.command}\` ${reason}`, {
    span: spec.source.span(['servers', server.name, 'command']),
    server: server.name,
    help,
  })
}

/** Of `node server.js` the script is the server: it is made visible as an installed program is. */
function scriptOf(server: McpStdioServer, lookup: CommandLookup): string[] {
  if (!interpreterNames.test(path.basename(server.command))) return []
  const script = server.arguments.find((argument) => !argument.startsWith('-'))
  return script === undefined ? [] : argumentFolders(script, lookup)
}
