import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { isBelow } from '../host/paths.ts'
import type { McpStdioServer, Path } from '../spec/spec.ts'
import { type LocatedServer, startFolder } from './locate-server.ts'
import { systemFolders } from './paths.ts'
import type { LaunchRequest } from './request.ts'

/** Folders that every sandbox has, whatever the host keeps in its own. */
const ownFolders = ['/', '/dev', '/home', '/proc', '/run', '/tmp']

/** What a server names and will not find when it is started: its working directory, and other paths of the host. */
export function checkHiddenPaths(request: LaunchRequest, { server, program }: LocatedServer): Diagnostic[] {
  if (server.transport !== 'stdio') return []
  const visible = [request.project, ...systemFolders, '/dev', '/proc', ...(program?.folders ?? [])]
  const isSandboxed = request.sandbox.name !== 'none'
  const isVisible = (place: string) => !isSandboxed || ownFolders.includes(place) || isBelow(place, visible)
  return [...checkWorkingDirectory(request, server, isVisible), ...hiddenPaths(request, server, isVisible)]
}

function checkWorkingDirectory(
  request: LaunchRequest,
  server: McpStdioServer,
  isVisible: (place: string) => boolean,
): Diagnostic[] {
  if (server.workingDirectory === undefined) return []
  const { spec, project } = request
  const folder = startFolder(request, server)
  const refuse = (message: string, help: string) => [
    diagnostic('BRIDLE613', 'error', message, {
      span: spec.source.span(['servers', server.name, 'workingDirectory']),
      server: server.name,
      help,
    }),
  ]
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) {
    return refuse(
      `the working directory ${folder} ${stat ? 'is not a folder' : 'does not exist'}`,
      'it is taken from the folder of the spec; make it, or mend the path',
    )
  }
  if (isVisible(realpathSync(folder))) return []
  return refuse(
    `the working directory ${folder} lies outside of the project, and is not visible in the sandbox`,
    `choose one in ${project}, or leave it out: a server starts where Bridle was started`,
  )
}

/** A text may look like a path and be none, so this is a warning. A path of the project may be a link that leads out. */
function hiddenPaths(
  request: LaunchRequest,
  server: McpStdioServer,
  isVisible: (place: string) => boolean,
): Diagnostic[] {
  const { spec } = request
  const folder = startFolder(request, server)
  const texts: { text: string; at: Path }[] = [
    ...server.arguments.map((text, index) => ({ text, at: ['arguments', index] })),
    ...Object.entries(server.environment).map(([name, text]) => ({ text, at: ['environment', name] })),
  ]
  return texts
    .map(({ text, at }) => ({ text, at, place: path.resolve(folder, text.replace(/^--?[\w-]+=/, '')) }))
    .filter(({ place }) => existsSync(place) && !(isVisible(place) && isVisible(realOf(place))))
    .map(({ at, place }) =>
      diagnostic('BRIDLE614', 'warning', `${place} is not visible in the sandbox`, {
        span: spec.source.span(['servers', server.name, ...at]),
        server: server.name,
        help: 'a server sees the project and the programs of the system: copy or move into the project what it shall see',
      }),
    )
}

function realOf(place: string): string {
  try {
    return realpathSync(place)
  } catch {
    return place // `/dev/stdin` leads to what has no path
  }
}
