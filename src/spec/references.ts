import { add, quoted, type Report } from './report.ts'
import type { SpecInput } from './schema.ts'
import type { Path } from './spec.ts'
import { mostLike, mostSuggestions } from './suggest.ts'
import { entryAt, type MappingNode } from './tree.ts'
import type { Draft } from './validate.ts'
import { namesIn, variableUses } from './variable-uses.ts'

type SpecDraft = Draft<SpecInput>

/** Checks what the parts of a spec call each other by: variables, servers and targets. */
export function checkReferences(
  root: MappingNode,
  draft: SpecDraft,
  targetIds: readonly string[],
  report: Report,
) {
  checkVariables(root, draft, report)
  checkServerNames(root, draft, report)
  checkTargetIds(draft, targetIds, report)
}

interface Reference {
  readonly name: string
  readonly path: Path
}

function checkVariables(root: MappingNode, draft: SpecDraft, report: Report) {
  const declared = keysOf(root, 'variables')
  if (declared === undefined) return
  const references = variableReferences(draft)
  const undeclared = references.filter((reference) => !declared.has(reference.name))
  for (const [index, { name, path }] of undeclared.entries()) {
    const like = index < mostSuggestions ? mostLike(name, declared) : undefined
    add(
      report,
      'BRIDLE209',
      `The variable ${quoted(name)} is not declared.`,
      report.source.span(path),
      path,
      {
        help: `${like === undefined ? '' : `Did you mean \`${like}\`? `}Declare it under the top-level \`variables\`: \`${name}: {}\`.`,
      },
    )
  }
  const used = new Set(references.map(({ name }) => name))
  for (const name of Object.keys(draft.variables ?? {}).filter((variable) => !used.has(variable))) {
    const path = ['variables', name]
    add(
      report,
      'BRIDLE210',
      `The variable ${quoted(name)} is never used.`,
      report.source.span(path, 'key'),
      path,
      {
        severity: 'warning',
        help: 'Name it where a server needs it, or remove the declaration.',
      },
    )
  }
}

/** The keys of a top-level mapping; none when it is absent, undefined when it is no mapping. */
function keysOf(root: MappingNode, key: string): ReadonlySet<string> | undefined {
  const node = entryAt(root, key)?.value
  if (node === undefined) return new Set()
  return node.kind === 'mapping' ? new Set(node.entries.map((entry) => entry.key)) : undefined
}

/** Every place that names a declared variable. */
function variableReferences({ servers = {}, targets = {} }: SpecDraft): Reference[] {
  return [
    ...Object.entries(servers)
      .flatMap(([name, server]) => variableUses(server, name))
      .map(({ variable, path }) => ({ name: variable, path })),
    ...Object.entries(targets).flatMap(([id, { account }]) =>
      named(account?.variables, ['targets', id, 'account', 'variables']),
    ),
  ]
}

function named(names: readonly string[] | undefined, path: Path): Reference[] {
  return namesIn(names).map(([step, name]) => ({ name, path: [...path, step] }))
}

function checkServerNames(root: MappingNode, { targets = {} }: SpecDraft, report: Report) {
  const known = keysOf(root, 'servers')
  if (known === undefined) return
  for (const [id, { servers = {} }] of Object.entries(targets)) {
    const path = ['targets', id, 'servers']
    const references = [
      ...named(servers.include, [...path, 'include']),
      ...named(servers.exclude, [...path, 'exclude']),
    ]
    for (const [index, reference] of references.filter(({ name }) => !known.has(name)).entries()) {
      const like = index < mostSuggestions ? mostLike(reference.name, known) : undefined
      const message = `There is no server ${quoted(reference.name)}.`
      add(report, 'BRIDLE214', message, report.source.span(reference.path), reference.path, {
        help: like === undefined ? 'Remove the name, or add the server.' : `Did you mean \`${like}\`?`,
      })
    }
  }
}

function checkTargetIds({ targets = {} }: SpecDraft, targetIds: readonly string[], report: Report) {
  for (const id of Object.keys(targets).filter((key) => !targetIds.includes(key))) {
    const like = mostLike(id, targetIds)
    const path = ['targets', id]
    add(report, 'BRIDLE213', `There is no target ${quoted(id)}.`, report.source.span(path, 'key'), path, {
      help: like === undefined ? `Targets are: ${targetIds.join(', ')}.` : `Did you mean \`${like}\`?`,
    })
  }
}
