import type { JsonContainer, JsonTree } from './json-tree.ts'
import { commentsIn, indentationAt, lineEndAt, skipBlanks } from './json-trivia.ts'

/** How the surroundings of an entry are written. */
export interface JsonStyle {
  readonly lineEnd: string
  /** What one level is indented by. */
  readonly unit: string
  /** Between a key and its value, with its blanks. */
  readonly colon: string
  /** Behind a comma on one line. */
  readonly gap: string
  /** Inside the braces of an object on one line. */
  readonly padding: string
}

/** The line that something begins. */
export interface Line {
  readonly lineEnd: string
  readonly indentation: string
}

/**
 * The style of the last of these containers, each of which is in the one before; what it does not show, the nearest
 * around it does.
 */
export function styleOf({ text }: JsonTree, containers: readonly JsonContainer[]): JsonStyle {
  const nearest = containers.filter(({ members }) => members.length > 0).toReversed()
  const colon = first(nearest, (each) => colonOf(text, each)) ?? ': '
  const blank = colon.endsWith(' ') ? ' ' : ''
  return {
    lineEnd: first(nearest, (each) => lastLine(text, each)?.lineEnd) ?? /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    unit: first(nearest, (each) => unitOf(text, each)) ?? firstIndentation(text) ?? '  ',
    colon,
    gap: first(nearest, (each) => gapOf(text, each)) ?? blank,
    padding: first(nearest, (each) => paddingOf(text, each)) ?? blank,
  }
}

/** The style of what stands on this line, in a container whose own line is indented by `outer`. */
export function styleOfLine(line: Line | undefined, outer: string, style: JsonStyle): JsonStyle {
  if (line === undefined) return style
  return { ...style, lineEnd: line.lineEnd, unit: unitOfLine(line, outer) ?? style.unit }
}

/** The line that a member begins; undefined when something else stands before it on its line. */
export function lineOf(text: string, container: JsonContainer, index: number): Line | undefined {
  const member = container.members[index]
  return member && lastLineIn(text, startOfGap(container, index), member.start)
}

/** Where the blanks and comments before a member begin. */
export function startOfGap({ start, members }: JsonContainer, index: number): number {
  return (members[index - 1]?.comma ?? start) + 1
}

/** The line that what stands at the end of this stretch of blanks and comments begins. */
export function lastLineIn(text: string, start: number, end: number): Line | undefined {
  let line: Line | undefined
  let from = start
  const see = (to: number) => {
    for (let offset = from; offset < to; offset++) {
      const lineEnd = lineEndAt(text, offset)
      if (lineEnd === '') continue
      offset += lineEnd.length - 1
      line = { lineEnd, indentation: text.slice(offset + 1, Math.min(to, skipBlanks(text, offset + 1))) }
    }
  }
  for (const comment of commentsIn(text, start, end)) {
    see(comment.start)
    from = comment.end
  }
  see(end)
  return line
}

function lastLine(text: string, container: JsonContainer): Line | undefined {
  return lineOf(text, container, container.members.length - 1)
}

function first<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** What the last member is indented by, against the line on which its container begins. */
function unitOf(text: string, container: JsonContainer): string | undefined {
  const line = lastLine(text, container)
  return line && unitOfLine(line, indentationAt(text, container.start))
}

/** undefined: the line is indented by nothing more, or in another way. */
function unitOfLine({ indentation }: Line, outer: string): string | undefined {
  return indentation.startsWith(outer) ? indentation.slice(outer.length) || undefined : undefined
}

/** What the first line that is indented, and is no comment, is indented by. */
function firstIndentation(text: string): string | undefined {
  return /[\r\n]([ \t]+)["[{\]}]/.exec(text)?.[1]
}

function colonOf(text: string, { members }: JsonContainer): string | undefined {
  const last = members.at(-1)
  if (last?.keyEnd === undefined) return undefined
  return only(/^ ?: ?$/, text.slice(last.keyEnd, last.value.start))
}

function gapOf(text: string, { members: [one, other] }: JsonContainer): string | undefined {
  if (one?.comma === undefined || other === undefined) return undefined
  return only(/^ ?$/, text.slice(one.comma + 1, other.start))
}

function paddingOf(text: string, { kind, start, members: [one] }: JsonContainer): string | undefined {
  if (kind === 'array' || one === undefined) return undefined
  return only(/^ ?$/, text.slice(start + 1, one.start))
}

function only(pattern: RegExp, text: string): string | undefined {
  return pattern.test(text) ? text : undefined
}
