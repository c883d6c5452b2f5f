import type { Code } from '../diagnostics/codes.ts'
import { add, quoted, type Report } from './report.ts'
import type { Path } from './spec.ts'
import { type Entry, entryAt, type ListNode, type Node } from './tree.ts'

/** The names that these fields give values to, whether they are written as keys or as a list. */
export function namesIn(owner: Node, ...fields: string[]): Entry[] {
  return fields.flatMap((field) => {
    const node = entryAt(owner, field)?.value
    if (node?.kind === 'list') return namesOfItems(node)
    return node?.kind === 'mapping' ? node.entries : []
  })
}

/** Each name once: what stands twice in one list is told where the list is checked. */
function namesOfItems({ items }: ListNode): Entry[] {
  const names = new Map<string, Entry>()
  for (const item of items) {
    if (item.kind !== 'scalar') continue
    const key = String(item.value)
    if (!names.has(key)) names.set(key, { key, value: item, start: item.start, end: item.end })
  }
  return [...names.values()]
}

/** Reports each name that was given a value before; `fold` gives the same for names that count as one. */
export function checkDistinct(
  entries: readonly Entry[],
  noun: string,
  path: Path,
  report: Report,
  fold = (name: string) => name,
) {
  if (entries.length < 2) return
  const first = new Map<string, Entry>()
  for (const entry of entries) {
    const name = fold(entry.key)
    const earlier = first.get(name)
    if (earlier === undefined) first.set(name, entry)
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
