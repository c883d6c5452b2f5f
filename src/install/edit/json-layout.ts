import {
  type JsonStyle,
  type Line,
  lastLineIn,
  lineOf,
  startOfGap,
  styleOf,
  styleOfLine,
} from './json-style.ts'
import type { JsonContainer, JsonMember, JsonNode, JsonTree } from './json-tree.ts'
import {
  commentsIn,
  endOfTrailingComments,
  indentationAt,
  lineEndAt,
  lineEndBefore,
  skipBlanks,
  skipBlanksBack,
} from './json-trivia.ts'
import { type Addition, memberText, valueText, type Written } from './json-write.ts'
import type { TextChange } from './text-change.ts'

/** What becomes of the members of one container. */
export interface MemberChanges {
  readonly removed: ReadonlySet<JsonMember>
  readonly replaced: ReadonlyMap<JsonMember, Written>
  readonly added: readonly Addition[]
}

/**
 * The changes of the text that make these changes in the last of the containers, each of which is in the one before.
 * Nothing but the members and their commas is inserted or deleted, so that adding and removing undo each other; the
 * blanks inside an empty container are replaced, and have to be kept as its origin.
 */
export function layOut(
  tree: JsonTree,
  containers: readonly JsonContainer[],
  changes: MemberChanges,
): TextChange[] {
  const container = containers.at(-1)
  if (container === undefined) return []
  const { text } = tree
  const { removed, replaced, added } = changes
  const cut = [...commas(container, changes), ...removals(text, container, removed)]
  if (replaced.size === 0 && added.length === 0) return cut
  const style = styleOf(tree, containers)
  return [
    ...cut,
    ...replacements(text, container, replaced, style),
    ...(container.members.length > 0
      ? appending(text, container, changes, style)
      : filling(text, containers, added, style)),
  ]
}

/** Each member but the last has a comma; the last has one where the last of the file has one. */
function commas({ members }: JsonContainer, { removed, added }: MemberChanges): TextChange[] {
  const last = members.findLast((member) => !removed.has(member))
  const isLastStaying = added.length === 0 && members.at(-1)?.comma === undefined
  const dropped = members.filter((member) => removed.has(member) || (isLastStaying && member === last))
  const missing = added.length > 0 && last !== undefined && last.comma === undefined ? [last.value.end] : []
  return [
    ...missing.map((end) => ({ start: end, end, text: ',' })),
    ...dropped.flatMap(({ comma }) =>
      comma === undefined ? [] : [{ start: comma, end: comma + 1, text: '' }],
    ),
  ]
}

/**
 * A member goes with the blanks before it and the line that it begins. Its line end stays where it ends a comment and
 * no other one follows: the comment would swallow what does.
 */
function removals(text: string, container: JsonContainer, removed: ReadonlySet<JsonMember>): TextChange[] {
  const deletions: TextChange[] = []
  const { members } = container
  let next: { readonly start: number; readonly isBeforeLineEnd: boolean } | undefined
  for (let index = removed.size === 0 ? -1 : members.length - 1; index >= 0; index--) {
    const member = members[index]
    if (member === undefined) break
    if (!removed.has(member)) {
      next = undefined
      continue
    }
    const behind = endOfMember(text, member)
    const isBeforeLineEnd: boolean =
      next !== undefined && behind >= next.start ? next.isBeforeLineEnd : lineEndAt(text, behind) !== ''
    const start = startOfRemoval(text, startOfGap(container, index), member.start, isBeforeLineEnd)
    deletions.push({ start, end: member.value.end, text: '' })
    next = { start, isBeforeLineEnd }
  }
  return deletions
}

/** Behind a member, its comma and the blanks around that. */
function endOfMember(text: string, { value, comma }: JsonMember): number {
  const end = skipBlanks(text, value.end)
  return end === comma ? skipBlanks(text, comma + 1) : end
}

/** Where to delete from, so that what begins at this offset goes with its line. */
export function startOfRemoval(text: string, gap: number, offset: number, isBeforeLineEnd: boolean): number {
  const blanks = skipBlanksBack(text, offset)
  const line = blanks - lineEndBefore(text, blanks).length
  const comment = commentsIn(text, gap, line).at(-1)
  return comment?.kind === 'line' && comment.end === line && !isBeforeLineEnd ? offset : line
}

/** A value that was written on one line, or on several, is again. */
function replacements(
  text: string,
  container: JsonContainer,
  replaced: MemberChanges['replaced'],
  style: JsonStyle,
): TextChange[] {
  if (replaced.size === 0) return []
  const outer = indentationAt(text, container.start)
  return container.members.flatMap((member, index) => {
    const value = replaced.get(member)
    if (value === undefined) return []
    const { start, end } = member.value
    const line = lineOf(text, container, index)
    const isOneLine = hasMembers(member.value) ? !hasLineEnd(text.slice(start, end)) : line === undefined
    const indentation = isOneLine ? undefined : (line?.indentation ?? indentationAt(text, member.start))
    return [{ start, end, text: valueText(value, styleOfLine(line, outer, style), indentation) }]
  })
}

function hasMembers(node: JsonNode): boolean {
  return node.kind !== 'scalar' && node.members.length > 0
}

/** Behind the last member and the comments on its line; on a line of its own where that member has one. */
function appending(
  text: string,
  container: JsonContainer,
  { removed, added }: MemberChanges,
  style: JsonStyle,
): TextChange[] {
  const { members } = container
  const last = members.at(-1)
  if (last === undefined || added.length === 0) return []
  const end = last.comma === undefined ? last.value.end : last.comma + 1
  const place = endOfTrailingComments(text, end)
  const isBehindLineComment = commentsIn(text, end, place).at(-1)?.kind === 'line'
  const line =
    lineOf(text, container, members.length - 1) ??
    (isBehindLineComment ? innerLine(text, container, style) : undefined)
  const gap = members.every((member) => removed.has(member)) ? blanksBefore(text, members[0]) : style.gap
  const inserted = insertion(place, line, gap, added, style)
  return [last.comma === undefined ? inserted : { ...inserted, text: `${inserted.text},` }]
}

function blanksBefore(text: string, member: JsonMember | undefined): string {
  return member === undefined ? '' : text.slice(skipBlanksBack(text, member.start), member.start)
}

/** The line of a member of this container, where none of it shows one. */
function innerLine(text: string, { start }: JsonContainer, { lineEnd, unit }: JsonStyle): Line {
  return { lineEnd, indentation: indentationAt(text, start) + unit }
}

function insertion(
  place: number,
  line: Line | undefined,
  gap: string,
  added: readonly Addition[],
  style: JsonStyle,
): TextChange {
  const before = line === undefined ? gap : line.lineEnd + line.indentation
  const members = added.map((member) => before + memberText(member, style, line?.indentation))
  return { start: place, end: place, text: members.join(',') }
}

/** Into an empty container: behind its comments, or in place of its blanks. */
function filling(
  text: string,
  containers: readonly JsonContainer[],
  added: readonly Addition[],
  style: JsonStyle,
): TextChange[] {
  const container = containers.at(-1)
  if (container === undefined || added.length === 0) return []
  const start = container.start + 1
  const end = container.end - 1
  const comment = commentsIn(text, start, end).at(-1)
  const usual = innerLine(text, container, style)
  if (comment !== undefined) {
    const line = lastLineIn(text, start, comment.start) ?? (comment.kind === 'line' ? usual : undefined)
    const outer = indentationAt(text, container.start)
    return [insertion(comment.end, line, style.gap, added, styleOfLine(line, outer, style))]
  }
  const isOneLine = !hasLineEnd(text.slice(start, end)) && sharesLine(text, containers)
  const padding = container.kind === 'object' ? style.padding : ''
  const before = isOneLine ? padding : usual.lineEnd + usual.indentation
  const after = isOneLine ? padding : usual.lineEnd + indentationAt(text, container.start)
  const between = isOneLine ? style.gap : before
  const members = added.map((member) => memberText(member, style, isOneLine ? undefined : usual.indentation))
  return [{ start, end, text: before + members.join(`,${between}`) + after }]
}

/** Whether the last container stands on a line that another member, or the container around it, begins. */
function sharesLine(text: string, containers: readonly JsonContainer[]): boolean {
  const container = containers.at(-1)
  const outer = containers.at(-2)
  if (outer === undefined) return false
  return (
    lineOf(
      text,
      outer,
      outer.members.findIndex(({ value }) => value === container),
    ) === undefined
  )
}

function hasLineEnd(text: string): boolean {
  return /[\r\n]/.test(text)
}
