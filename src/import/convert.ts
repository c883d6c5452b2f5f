import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { type Collected, collect, plainText, refuseText, told } from './conversion.ts'
import { convertHeaders, convertOauth, convertUrl } from './convert-http.ts'
import { convertArguments, convertEnvironment } from './convert-stdio.ts'
import { type ForeignServer, isLeftOut } from './foreign.ts'
import type { ImportedServer } from './imported.ts'
import type { Variables } from './variables.ts'

export interface Converted {
  /** Absent when the server is left out. */
  readonly server?: ImportedServer
  readonly findings: readonly Diagnostic[]
}

/** A server of a spec from one of a foreign file, or why there is none. Nothing of it goes missing without a finding. */
export function convertServer(foreign: ForeignServer, name: string, variables: Variables): Converted {
  const kind = foreign.transport ?? (foreign.command !== undefined ? 'stdio' : 'http')
  const collected = collect(foreign, variables)
  refuseText(foreign.name, 'its name', foreign, collected)
  const fields = kind === 'stdio' ? stdioFields(foreign, collected) : httpFields(foreign, name, collected)
  const server = { ...titleOf(foreign, name, collected), ...fields, ...commonFields(foreign, collected) }
  const { findings } = collected
  const all = [...foreign.findings, ...findings]
  return isLeftOut({ findings: all }) ? { findings: all.filter(isToldAnyway) } : { server, findings: all }
}

/** Of a server that is left out, how its parts were carried over is of no interest; its secrets are. */
function isToldAnyway({ code }: Diagnostic): boolean {
  return ['BRIDLE422', 'BRIDLE423', 'BRIDLE426', 'BRIDLE427'].includes(code)
}

function stdioFields(foreign: ForeignServer, collected: Collected): ImportedServer {
  const { command, workingDirectory } = foreign
  tellOtherKind(foreign, collected, ['url', 'headers', 'oauth'], 'is started as a command')
  if (command === undefined && !isLeftOut(foreign)) collected.refuse('it has no command', foreign.span)
  const folder = workingDirectory && plainText(workingDirectory, 'the working directory', collected)
  if (folder !== undefined && !/^(?:[\\/]|[A-Za-z]:|~)/.test(folder) && folder !== '.') {
    const message = `a relative working directory starts at the folder of the spec now, and started where ${foreign.program} was started`
    told(collected, 'BRIDLE429', message, workingDirectory)
  }
  return {
    ...(command && { command: plainText(command, 'the command', collected) ?? '' }),
    ...convertArguments(foreign.arguments ?? [], collected),
    ...(folder !== undefined && { workingDirectory: folder }),
    ...convertEnvironment(foreign, collected),
  }
}

function httpFields(foreign: ForeignServer, name: string, collected: Collected): ImportedServer {
  tellOtherKind(
    foreign,
    collected,
    ['command', 'arguments', 'environment', 'workingDirectory'],
    'is reached over HTTP',
  )
  if (foreign.url === undefined && !isLeftOut(foreign))
    collected.refuse('it has neither a command nor an address', foreign.span)
  const headers = convertHeaders(foreign, name, collected)
  return {
    ...(foreign.url && { url: convertUrl(foreign.url, collected) }),
    ...headers,
    ...convertOauth(foreign, name, headers, collected),
  }
}

/** What belongs to the other kind of server is without effect in the program too. */
function tellOtherKind(
  foreign: ForeignServer,
  collected: Collected,
  parts: readonly (
    | 'url'
    | 'headers'
    | 'oauth'
    | 'command'
    | 'arguments'
    | 'environment'
    | 'workingDirectory'
  )[],
  kind: string,
): void {
  for (const part of parts.filter((each) => !isEmpty(foreign[each]))) {
    told(collected, 'BRIDLE421', `its ${partNames[part]} is not carried over: the server ${kind}`, foreign)
  }
}

function isEmpty(part: unknown): boolean {
  return part === undefined || (Array.isArray(part) && part.length === 0)
}

const partNames = {
  url: 'address',
  headers: 'list of headers',
  oauth: 'login',
  command: 'command',
  arguments: 'list of arguments',
  environment: 'environment',
  workingDirectory: 'working directory',
}

function titleOf(foreign: ForeignServer, name: string, collected: Collected): ImportedServer {
  const title = foreign.title ?? (foreign.name === name ? undefined : foreign.name)
  if (foreign.name !== name) {
    const help = 'a build into the same file adds it under this name: take the old entry out by hand then'
    told(collected, 'BRIDLE425', `the server is called \`${name}\` now`, foreign, help)
  }
  return title === undefined ? {} : { title }
}

function commonFields(foreign: ForeignServer, collected: Collected): ImportedServer {
  const { startupTimeoutMs, toolTimeoutMs, shared, required, enabled } = foreign
  return {
    ...toolsOf(foreign, collected),
    ...confirmationOf(foreign, collected),
    ...(startupTimeoutMs !== undefined && { startupTimeoutMs }),
    ...(toolTimeoutMs !== undefined && { toolTimeoutMs }),
    ...(shared !== undefined && { shared }),
    ...(required !== undefined && { required }),
    ...(enabled !== undefined && { enabled }),
    ...(foreign.include?.length === 0 && { enabled: false }),
  }
}

function toolsOf(foreign: ForeignServer, collected: Collected): ImportedServer {
  const { include, exclude = [] } = foreign
  if (include?.length === 0) {
    told(collected, 'BRIDLE429', 'it offers no tool at all, so it is switched off: `enabled: false`', foreign)
  }
  for (const name of [...(include ?? []), ...exclude])
    refuseText(name, 'the name of a tool', foreign, collected)
  const tools = {
    ...(include !== undefined && include.length > 0 && { include: [...include] }),
    ...(exclude.length > 0 && { exclude: [...exclude] }),
  }
  return Object.keys(tools).length === 0 ? {} : { tools }
}

/** A tool that is spared where all others ask, asks too: rather once too often. */
function confirmationOf(foreign: ForeignServer, collected: Collected): ImportedServer {
  const { asksByDefault = false, asksFor = [] } = foreign
  const last = new Map(asksFor.map(({ tool, asks }) => [tool, asks]))
  const asking = [...last].filter(([, asks]) => asks).map(([tool]) => tool)
  if (!asksByDefault) return asking.length === 0 ? {} : { requiresConfirmation: asking }
  if (asking.length < last.size) {
    const message =
      'some tools are spared from confirmation, and in the spec every tool asks: `requiresConfirmation: true`'
    told(collected, 'BRIDLE429', message, foreign)
  }
  return { requiresConfirmation: true }
}
