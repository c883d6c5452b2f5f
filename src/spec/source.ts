import { type Diagnostic, diagnostic, type Span } from '../diagnostics/diagnostic.ts'
import { lineStarts, positionAt } from '../text/lines.ts'
import type { Path, Source } from './spec.ts'
import { entryAt, itemAt, type Node, type Place, type Problem } from './tree.ts'

/** A source that can also tell the span of any stretch of its text. */
export interface PlacedSource extends Source {
  at(place: Place): Span
}

/** Spans are computed when they are asked for: most specs have nothing to complain about. */
export function createSource(file: string, folder: string, text: string, root?: Node): PlacedSource {
  let starts: readonly number[] | undefined
  const at = ({ start, end }: Place): Span => {
    starts ??= lineStarts(text)
    return { file, ...positionAt(starts, start), length: end - start }
  }
  const span = (path: Path, part: 'key' | 'value' = 'value') => at(placeOf(root, path, part))
  return { file, folder, text, at, span }
}

/** An ancestor is shown by its key, since its whole value would be a wall of text; the root by its first character. */
function placeOf(root: Node | undefined, path: Path, part: 'key' | 'value'): Place {
  const start = root?.start ?? 0
  let key: Place = { start, end: start }
  let node = root
  for (const step of path) {
    const next = stepInto(node, step)
    if (next === undefined) return key
    key = next.key
    node = next.value
  }
  return part === 'key' || path.length === 0 ? key : (node ?? key)
}

function stepInto(node: Node | undefined, step: string | number): { key: Place; value: Node } | undefined {
  if (node?.kind === 'mapping') {
    const entry = entryAt(node, String(step))
    return entry && { key: entry, value: entry.value }
  }
  if (node?.kind !== 'list') return undefined
  const item = typeof step === 'number' ? node.items[step] : itemAt(node, step)
  return item && { key: item, value: item }
}

/** What is wrong with the syntax of a file, with its places. */
export function problemFinding(
  { code, message, help, first, ...place }: Problem,
  source: PlacedSource,
): Diagnostic {
  return diagnostic(code, 'error', message, {
    span: source.at(place),
    related: first && [{ message: 'first here', span: source.at(first) }],
    help,
  })
}
