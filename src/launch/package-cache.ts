import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer, McpStdioServer } from '../spec/spec.ts'
import { startFolder } from './locate-server.ts'
import { ancestors } from './paths.ts'
import type { LaunchRequest } from './request.ts'

/** Programs that fetch a package and run it, and where in the cache they keep what they fetched. */
const runners: Readonly<Record<string, string>> = { npx: 'npm/_npx', uvx: 'uv' }

/** Without a network a runner finds what is in the cache of the project: nothing before the first fetch. */
export function checkPackageCache(request: LaunchRequest, server: McpServer, cache: string): Diagnostic[] {
  if (request.network !== 'none' || server.transport !== 'stdio') return []
  const runner = path.basename(server.command)
  const place = runners[runner]
  if (place === undefined || existsSync(path.join(cache, place)) || isInstalled(request, server)) return []
  return [
    diagnostic(
      'BRIDLE615',
      'warning',
      `\`${runner}\` will find no package: there is no network, and nothing in the cache of this project`,
      {
        span: request.spec.source.span(['servers', server.name, 'command']),
        server: server.name,
        help: 'let it fetch the package once: run with `--network host`; or install the server in the project and name its own command',
      },
    ),
  ]
}

/** Whether the project has the package of `npx [-y] NAME[@VERSION]`, which npx takes then. */
function isInstalled(request: LaunchRequest, server: McpStdioServer): boolean {
  const name = server.arguments.find((argument) => !argument.startsWith('-'))?.replace(/(?<=.)@.*$/, '')
  if (name === undefined) return false
  return ancestors(startFolder(request, server), request.project).some((folder) =>
    existsSync(path.join(folder, 'node_modules', name)),
  )
}
