import { variableUses } from '../spec/variable-uses.ts'
import type { ImportedServer, ImportedSpec } from './imported.ts'

/** The spec with these servers; the variables that they use are declared. */
export function specOf(
  servers: readonly (readonly [name: string, server: ImportedServer])[],
  targets: readonly string[],
): ImportedSpec {
  const used = servers.flatMap(([name, server]) => variableUses(server, name)).map(({ variable }) => variable)
  return {
    version: 1,
    ...(used.length > 0 && { variables: Object.fromEntries(used.map((name) => [name, {}])) }),
    servers: Object.fromEntries(servers) as ImportedSpec['servers'],
    ...(targets.length > 0 && { targets: Object.fromEntries(targets.map((id) => [id, {}])) }),
  }
}
