import type { Code } from '../diagnostics/codes.ts'
import { add, quoted, type Report } from './report.ts'
import type { Path } from './spec.ts'
import { type Entry, entryAt, type Node } from './tree.ts'

/** The names that these fields give values to, whether they are written as keys or as a list. */
export function namesIn(owner: Node, ...fields: string[]): Entry[] {
  return fields.flatMap((field) => {
    const node = entryAt(owner, field)?.value
    if (node?.kind === 'mapping') return node.entries
    if (node?.kind !== 'list') return []
    const items = node.items.filter((item) => item.kind === 'scalar')
    return [
      ...new Map(
        items.map((item) => [item.value, { ...item, key: String(item.value), value: item }]),
      ).values(),
    ]
  })
}

/** Reports each name that was given a value before. */
export function checkDistinct(entries: readonly Entry[], noun: string, path: Path, report: Report) {
  const first = new Map<string, Entry>()
  for (const entry of entries) {
    const earlier = first.get(entry.key)
    if (earlier === undefined) first.set(entry.key, entry)
    else {
      const message = `The ${noun} ${quoted(entry.key)} is set twice.`
      exclude('BRIDLE211', message, 'Keep one of the two.', earlier, entry, path, report)
    }
  }
}

/** Reports two entries that cannot stand together: at the later one, with the earlier one beside it. */
export function exclude(
  code: Code,
  message: string,
  help: string,
  a: Entry,
  b: Entry,
  path: Path,
  report: Report,
) {
  const [earlier, later] = a.start <= b.start ? [a, b] : [b, a]
  const related = { message: 'the other one', span: report.source.at(earlier) }
  add(report, code, message, report.source.at(later), path, { help, related })
}
