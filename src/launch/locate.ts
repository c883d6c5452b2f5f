import path from 'node:path'
import type { Code } from '../diagnostics/codes.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer, McpStdioServer } from '../spec/spec.ts'
import {
  argumentFolders,
  type CommandLookup,
  isThere,
  type ResolvedCommand,
  resolveCommand,
} from './commands.ts'
import { interpreterNames } from './installation.ts'
import { builtinProgram } from './package.ts'
import type { LaunchRequest } from './request.ts'

/** The program that is started and what goes before its own arguments. */
export interface LocatedHarness extends ResolvedCommand {
  readonly leadingArguments: readonly string[]
}

/** Finds the program of the harness: of the built-in one, this Node and a file of Bridle's own. */
export function locateHarness(request: LaunchRequest): {
  readonly harness?: LocatedHarness
  readonly diagnostics: readonly Diagnostic[]
} {
  const { target, workingDirectory, project, home, environment } = request
  const lookup = { searchPath: environment['PATH'] ?? '', workingDirectory, project, home }
  if (target.launch.executable === undefined) {
    const program = builtinProgram()
    const node = resolveCommand(process.execPath, lookup)
    if (node === undefined) throw new Error(`${process.execPath} cannot be executed`)
    return {
      harness: {
        ...node,
        folders: [...node.folders, path.dirname(program)],
        leadingArguments: [program],
      },
      diagnostics: [],
    }
  }
  const name =
    request.harness === undefined ? target.launch.executable : path.resolve(workingDirectory, request.harness)
  const command = resolveCommand(name, lookup)
  if (command?.missingInterpreter === undefined && command !== undefined)
    return { harness: { ...command, leadingArguments: [] }, diagnostics: [] }
  return { diagnostics: [harnessMissing(request, command, isThere(name, lookup))] }
}

function harnessMissing(
  { target, harness }: LaunchRequest,
  command: ResolvedCommand | undefined,
  isThere: boolean,
): Diagnostic {
  const shown = `\`${harness ?? target.launch.executable}\``
  const found = (code: Code, message: string, help: string) =>
    diagnostic(code, 'error', message, { target: target.id, help })
  const install = `install ${[target.title, target.provedWith].filter(Boolean).join(' ')} so that it is on PATH, or name its program with \`--harness PATH\``
  if (command?.missingInterpreter !== undefined) {
    return found(
      'BRIDLE605',
      `${shown} is a script for \`${command.missingInterpreter}\`, which was not found`,
      install,
    )
  }
  if (isThere) {
    return found(
      'BRIDLE612',
      `${shown} is not a file that you may execute`,
      `\`chmod +x\` makes a program executable; or ${install}`,
    )
  }
  return found('BRIDLE605', `${shown} was not found`, install)
}

export interface LocatedServer {
  readonly server: McpServer
  readonly command?: ResolvedCommand
  readonly diagnostics: readonly Diagnostic[]
}

/** The server with its command replaced by the program that will run. */
export function locateServer(request: LaunchRequest, server: McpServer): LocatedServer {
  if (server.transport !== 'stdio') return { server, diagnostics: [] }
  const lookup = lookupFor(request, server)
  const command = resolveCommand(server.command, lookup)
  if (command === undefined || command.missingInterpreter !== undefined) {
    return { server, diagnostics: [commandMissing(request, server, command?.missingInterpreter)] }
  }
  return {
    server: { ...server, command: command.file },
    command: { ...command, folders: [...command.folders, ...scriptOf(server, lookup)] },
    diagnostics: [],
  }
}

function lookupFor(
  { environment, spec, workingDirectory, project, home }: LaunchRequest,
  server: McpStdioServer,
): CommandLookup {
  return {
    searchPath: server.environment['PATH'] ?? environment['PATH'] ?? '',
    workingDirectory: folderOf(server, spec.source.folder) ?? workingDirectory,
    project,
    home,
  }
}

/** The working directory of a server, absolute, when it has one. */
export function folderOf(server: McpStdioServer, specFolder: string): string | undefined {
  return server.workingDirectory === undefined ? undefined : path.resolve(specFolder, server.workingDirectory)
}

function commandMissing(
  { spec }: LaunchRequest,
  server: McpStdioServer,
  interpreter: string | undefined,
): Diagnostic {
  const what =
    interpreter === undefined
      ? 'was not found, or is not executable'
      : `is a script for \`${interpreter}\`, which was not found`
  return diagnostic('BRIDLE604', 'error', `\`${server.command}\` ${what}`, {
    span: spec.source.span(['servers', server.name, 'command']),
    server: server.name,
    help:
      interpreter === undefined && server.command.includes('/')
        ? 'a path is taken from `workingDirectory`, or from the folder in which Bridle was started'
        : 'it is looked for on PATH and in the `node_modules/.bin` folders of the project: install it, or write its path',
  })
}

/** Of `node server.js` the script is the server: it is made visible as an installed program is. */
function scriptOf(server: McpStdioServer, lookup: CommandLookup): string[] {
  if (!interpreterNames.test(path.basename(server.command))) return []
  const script = server.arguments.find((argument) => !argument.startsWith('-'))
  return script === undefined ? [] : argumentFolders(script, lookup)
}
