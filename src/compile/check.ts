import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import { environmentName, type McpServer, type Path, type Spec } from '../spec/spec.ts'
import { variableUses } from '../spec/variable-uses.ts'
import { checkToolNames } from './check-tools.ts'
import { featureUses } from './feature.ts'
import { refusalOf } from './support.ts'
import type { Context, LiteralField, Refusal, Target } from './target.ts'
import { isShellName } from './wrapper.ts'

/** Everything in these servers that the target cannot honor in this context. */
export function checkServers(
  spec: Spec,
  servers: readonly McpServer[],
  target: Target,
  context: Context,
): Diagnostic[] {
  const refuse: Refuse = (code, server, path, { reason, help }, part) =>
    diagnostic(code, 'error', reason, {
      span: spec.source.span(path, part),
      target: target.id,
      server: server.name,
      help,
    })
  return [
    ...checkFeatures(spec, servers, target, context, refuse),
    ...checkNames(spec, servers, target, refuse),
    ...checkToolPrefixes(spec, servers, target),
    ...checkToolNames(spec, servers, target),
    ...servers.flatMap((server) => checkLiterals(server, target, refuse)),
    ...(context === 'standalone'
      ? servers.flatMap((server) => checkVariableNames(spec, server, target, refuse))
      : servers.flatMap((server) => checkShellNames(server, target, refuse))),
  ]
}

type Refuse = (
  code: Diagnostic['code'],
  server: McpServer,
  path: Path,
  refusal: Refusal,
  part?: 'key' | 'value',
) => Diagnostic

function checkFeatures(
  spec: Spec,
  servers: readonly McpServer[],
  target: Target,
  context: Context,
  refuse: Refuse,
): Diagnostic[] {
  const uses = servers.flatMap((server) => featureUses(spec, server))
  return uses.flatMap((use) => {
    const refusal = refusalOf(target, use, uses, context)
    return refusal === undefined ? [] : [refuse(refusal.code, use.server, use.path, refusal)]
  })
}

function checkNames(spec: Spec, servers: readonly McpServer[], target: Target, refuse: Refuse): Diagnostic[] {
  const first = new Map<string, McpServer>()
  return servers.flatMap((server) => {
    const path = ['servers', server.name]
    const refusal = target.names.refuse(server.name)
    const folded = target.names.fold(server.name)
    const other = first.get(folded)
    if (other === undefined) first.set(folded, server)
    const collision =
      other === undefined
        ? []
        : [
            diagnostic(
              'BRIDLE304',
              'error',
              `${target.title} makes one name of \`${other.name}\` and \`${server.name}\`: \`${folded}\``,
              {
                span: spec.source.span(path, 'key'),
                related: [
                  { message: 'the other one', span: spec.source.span(['servers', other.name], 'key') },
                ],
                target: target.id,
                server: server.name,
                help: 'rename one of the two',
              },
            ),
          ]
    return [...(refusal ? [refuse('BRIDLE303', server, path, refusal, 'key')] : []), ...collision]
  })
}

/** Where one server's tools could take the names of another's. */
function checkToolPrefixes(spec: Spec, servers: readonly McpServer[], target: Target): Diagnostic[] {
  const { toolPrefix } = target.names
  if (toolPrefix === undefined) return []
  const byPrefix = new Map(servers.map((server) => [toolPrefix(server.name), server]))
  return servers.flatMap((server) => {
    const own = toolPrefix(server.name)
    const other = properPrefixes(own).flatMap((prefix) => byPrefix.get(prefix) ?? [])[0]
    if (other === undefined) return []
    return [
      diagnostic(
        'BRIDLE304',
        'error',
        `${target.title} could call a tool of \`${other.name}\` and one of \`${server.name}\` by one name: \`${own}…\``,
        {
          span: spec.source.span(['servers', server.name], 'key'),
          related: [{ message: 'the other one', span: spec.source.span(['servers', other.name], 'key') }],
          target: target.id,
          server: server.name,
          help: 'rename one of the two',
        },
      ),
    ]
  })
}

function properPrefixes(text: string): string[] {
  return Array.from({ length: text.length }, (_, length) => text.slice(0, length))
}

function checkLiterals(server: McpServer, target: Target, refuse: Refuse): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  visitLiterals(server, (text, field, ...path) => {
    const refusal = target.literals.refuse(text, field)
    if (refusal) diagnostics.push(refuse('BRIDLE305', server, ['servers', server.name, ...path], refusal))
  })
  return diagnostics
}

type LiteralVisitor = (text: string, field: LiteralField, ...path: (string | number)[]) => void

function visitLiterals(server: McpServer, visit: LiteralVisitor): void {
  if (server.transport === 'http') {
    visit(server.url, 'url', 'url')
    for (const [name, value] of Object.entries(server.headers)) visit(value, 'header', 'headers', name)
    return
  }
  visit(server.command, 'command', 'command')
  for (const [index, argument] of server.arguments.entries()) visit(argument, 'argument', 'arguments', index)
  for (const [name, value] of Object.entries(server.environment)) {
    visit(value, 'environment', 'environment', name)
  }
  if (server.workingDirectory !== undefined) {
    visit(server.workingDirectory, 'workingDirectory', 'workingDirectory')
  }
}

/** Standalone: the harness reads the variable under the name it has in the user's environment. */
function checkVariableNames(spec: Spec, server: McpServer, target: Target, refuse: Refuse): Diagnostic[] {
  return variableUses(server, server.name).flatMap(({ variable, field, path }) => {
    const refusal = target.secrets.refuseName(environmentName(spec, variable), field)
    return refusal === undefined ? [] : [refuse('BRIDLE306', server, path, refusal)]
  })
}

/** Launch: the wrapper is a shell, and a shell keeps some names to itself. */
function checkShellNames(server: McpServer, target: Target, refuse: Refuse): Diagnostic[] {
  if (server.transport === 'http' || target.launch?.startsServers !== 'through the wrapper') return []
  return (['environment', 'variables'] as const).flatMap((key) =>
    Object.keys(server[key])
      .filter(isShellName)
      .map((name) =>
        refuse(
          'BRIDLE303',
          server,
          ['servers', server.name, key, name],
          {
            reason: `\`${name}\` cannot be given to a server in a launch: the shell that starts it keeps this name to itself`,
            help: 'use another name, or a small script of yours as the command that sets it',
          },
          'key',
        ),
      ),
  )
}
