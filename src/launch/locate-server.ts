import path from 'node:path'
import { selectServers } from '../compile/select.ts'
import type { Target } from '../compile/target.ts'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer, McpStdioServer, Spec } from '../spec/spec.ts'
import { type ExposedProgram, type Exposure, exposeProgram } from './expose-program.ts'
import { findProgram } from './find-program.ts'
import type { LaunchRequest } from './request.ts'

export interface LocatedServer {
  readonly server: McpServer
  /** Of a stdio server whose program was found. */
  readonly program?: ExposedProgram
  readonly diagnostics: readonly Diagnostic[]
}

/** What of a launch tells where its servers are found; all that there is of one without a sandbox. */
export type ServerPlace = Pick<
  LaunchRequest,
  'spec' | 'workingDirectory' | 'project' | 'home' | 'environment'
> & { readonly sandbox: Pick<LaunchRequest['sandbox'], 'name'> }

/** The spec with each command of a server that takes part replaced by the program that will run. */
export function locateServers(
  place: ServerPlace,
  target: Target,
): { readonly spec: Spec; readonly located: readonly LocatedServer[] } {
  const { spec } = place
  const taking = new Set(selectServers(spec, target, 'launch').map(({ name }) => name))
  const located = spec.servers.map((server) =>
    taking.has(server.name) ? locateServer(place, server) : { server, diagnostics: [] },
  )
  return {
    spec: { ...spec, servers: located.map(({ server }) => server) },
    located: located.filter(({ server }) => taking.has(server.name)),
  }
}

function locateServer(place: ServerPlace, server: McpServer): LocatedServer {
  if (server.transport !== 'stdio') return { server, diagnostics: [] }
  const exposure = exposureFor(place, server)
  const found = findProgram(server.command, exposure)
  const program = found === undefined ? undefined : exposeProgram(found, exposure)
  if (program === undefined || program.refusal !== undefined) {
    return { server, diagnostics: [unusable(place, server, program)] }
  }
  return { server: { ...server, command: program.file }, program, diagnostics: [] }
}

/** Where a stdio server is started, absolute. */
export function startFolder(
  { spec, workingDirectory }: Pick<ServerPlace, 'spec' | 'workingDirectory'>,
  { workingDirectory: own }: McpStdioServer,
): string {
  return own === undefined ? workingDirectory : path.resolve(spec.source.folder, own)
}

function exposureFor(place: ServerPlace, server: McpStdioServer): Exposure {
  const { environment, project, home, sandbox } = place
  return {
    searchPath: server.environment['PATH'] ?? environment['PATH'] ?? '',
    workingDirectory: startFolder(place, server),
    project,
    home,
    isSandboxed: sandbox.name !== 'none',
  }
}

function unusable(
  { spec }: ServerPlace,
  server: McpStdioServer,
  program: ExposedProgram | undefined,
): Diagnostic {
  const { reason, help } = program?.refusal ?? {
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
