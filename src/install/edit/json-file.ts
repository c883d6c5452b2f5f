import { startOfRemoval } from './json-layout.ts'
import { styleOf } from './json-style.ts'
import type { JsonNode, JsonTree } from './json-tree.ts'
import { commentsIn, isBlank, lineEndAt, skipBlanks } from './json-trivia.ts'
import { valueText, type Written } from './json-write.ts'
import type { TextChange } from './text-change.ts'

/** What a file without a value holds, as its origin: blanks, but no comments, which stay in the file. */
export function originOfFile({ text, start }: JsonTree): string | null {
  const blanks = text.slice(start)
  return blanks !== '' && isBlank(blanks) ? blanks : null
}

/** Writes the value of a file that has none: behind its comments, or in place of its blanks. */
export function fillFile(tree: JsonTree, value: Written): TextChange {
  const { text, start } = tree
  const style = styleOf(tree, [])
  const written = valueText(value, style, '')
  const comment = commentsIn(text, start, text.length).at(-1)
  if (comment === undefined) return { start, end: text.length, text: written + style.lineEnd }
  return { start: comment.end, end: comment.end, text: style.lineEnd + written }
}

/** Takes the value out of a file. The blanks of its origin come back; comments that are there now stay. */
export function clearFile({ text, start }: JsonTree, root: JsonNode, origin: string | null): TextChange {
  const before = commentsIn(text, start, root.start)
  const after = commentsIn(text, root.end, text.length)
  if (before.length === 0 && after.length === 0) {
    return { start, end: text.length, text: origin !== null && isBlank(origin) ? origin : '' }
  }
  const behind = skipBlanks(text, root.end)
  const isBeforeLineEnd = behind === text.length || lineEndAt(text, behind) !== ''
  return { start: startOfRemoval(text, start, root.start, isBeforeLineEnd), end: root.end, text: '' }
}
