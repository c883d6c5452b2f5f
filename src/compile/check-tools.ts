import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts'
import type { McpServer, Path, Spec } from '../spec/spec.ts'
import { count } from '../text/count.ts'
import type { Target, ToolNames } from './target.ts'

/** A tool that the spec names, and whether a filter takes it away. */
interface NamedTool {
  readonly server: string
  readonly tool: string
  readonly shown: string
  readonly isExcluded: boolean
  readonly path: Path
}

/** Tools that the spec names and of which the harness makes one, and names longer than its model takes. */
export function checkToolNames(spec: Spec, servers: readonly McpServer[], target: Target): Diagnostic[] {
  const { tools } = target.names
  if (tools === undefined) return []
  const named = servers.flatMap((server) => namedTools(server, tools))
  return [...meetingTools(spec, named, tools, target), ...longNames(spec, named, tools, target)]
}

/** Each tool once, at the first place that names it. */
function namedTools({ name: server, tools, requiresConfirmation }: McpServer, names: ToolNames): NamedTool[] {
  if (tools === undefined && typeof requiresConfirmation === 'boolean') return []
  const exclude = new Set(tools?.exclude)
  const lists: readonly [step: string[], list: readonly string[]][] = [
    [['tools', 'include'], tools?.include ?? []],
    [['tools', 'exclude'], tools?.exclude ?? []],
    [['requiresConfirmation'], typeof requiresConfirmation === 'boolean' ? [] : requiresConfirmation],
  ]
  const places = new Map<string, Path>()
  for (const [steps, list] of lists) {
    for (const tool of list) if (!places.has(tool)) places.set(tool, ['servers', server, ...steps, tool])
  }
  return [...places].map(([tool, path]) => ({
    server,
    tool,
    shown: names.shown(server, tool),
    isExcluded: exclude.has(tool),
    path,
  }))
}

/** Two excluded tools may meet: a rule that takes both away does what is asked. */
function meetingTools(
  spec: Spec,
  named: readonly NamedTool[],
  names: ToolNames,
  target: Target,
): Diagnostic[] {
  const judged = names.rulesGoBy === 'shown' ? named : named.filter(({ isExcluded }) => !isExcluded)
  const first = new Map<string, NamedTool>()
  return judged.flatMap((each) => {
    const other = first.get(each.shown)
    if (other === undefined) first.set(each.shown, each)
    if (other === undefined || (other.isExcluded && each.isExcluded)) return []
    return [
      diagnostic(
        'BRIDLE310',
        'error',
        `${target.title} makes one tool of ${nameOf(other)} and ${nameOf(each)}: \`${each.shown}\``,
        {
          span: spec.source.span(each.path),
          related: [{ message: 'the other one', span: spec.source.span(other.path) }],
          target: target.id,
          server: each.server,
          help: helpFor(other, each),
        },
      ),
    ]
  })
}

function nameOf({ server, tool }: NamedTool): string {
  return `\`${tool}\` of \`${server}\``
}

function helpFor(one: NamedTool, other: NamedTool): string {
  return one.server === other.server
    ? 'name only one of the two in the spec; the server has to rename the other'
    : 'rename one of the two servers'
}

function longNames(
  spec: Spec,
  named: readonly NamedTool[],
  { longest }: ToolNames,
  target: Target,
): Diagnostic[] {
  if (longest === undefined) return []
  const long = named.filter(({ shown, isExcluded }) => !isExcluded && shown.length > longest.length)
  return long.map(({ server, shown, path }) =>
    diagnostic(
      'BRIDLE311',
      'warning',
      `${target.title} calls this tool \`${shown}\`: ${count(shown.length, 'character')}, and ${longest.consequence}`,
      {
        span: spec.source.span(path),
        target: target.id,
        server,
        help: `give the server a name that is at least ${count(shown.length - longest.length, 'character')} shorter`,
      },
    ),
  )
}
