import { type McpServer, noSettings, type Spec, type TuningFeature } from '../spec/spec.ts'
import { featureUses } from './feature.ts'
import { refusalOf } from './support.ts'
import type { Context, Target } from './target.ts'

/** The enabled servers that the target's own filter keeps, without the tuning that it may and must go without. */
export function selectServers(spec: Spec, target: Target, context: Context): McpServer[] {
  const { servers: filter, omit } = spec.targets[target.id] ?? noSettings
  const included = filter?.include && new Set(filter.include)
  const excluded = new Set(filter?.exclude)
  const servers = spec.servers
    .filter(({ enabled }) => enabled)
    .filter(({ name }) => (included === undefined || included.has(name)) && !excluded.has(name))
  if (omit.length === 0) return servers
  const uses = servers.flatMap((server) => featureUses(spec, server))
  return servers.map((server) => {
    const refused = featureUses(spec, server)
      .filter((use) => refusalOf(target, use, uses, context) !== undefined)
      .map(({ feature }) => feature)
    return without(
      server,
      omit.filter((feature) => refused.includes(feature)),
    )
  })
}

/** The spec with these servers only (`--servers a,b`). The names must exist. */
export function narrow(spec: Spec, names: readonly string[]): Spec {
  const kept = new Set(names)
  return { ...spec, servers: spec.servers.filter(({ name }) => kept.has(name)) }
}

function without(server: McpServer, omitted: readonly TuningFeature[]): McpServer {
  const copy: McpServer & { [Key in TuningFeature]?: unknown } = { ...server }
  for (const feature of omitted) delete copy[feature]
  return copy
}
