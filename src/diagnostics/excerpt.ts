import { coverLine } from '../text/cover-secrets.ts'
import { shown } from '../text/shown.ts'
import type { Span } from './diagnostic.ts'
import { widthOf } from './text.ts'

/** A source line as it is shown, and where in it the place that is meant begins. Widths in terminal columns. */
export interface Excerpt {
  readonly line: string
  readonly indent: number
  readonly width: number
  readonly isCut: boolean
}

/**
 * The place of a span in its line, which is cut to the width around it where it is longer. What looks like a secret is
 * covered: diagnostics end up in logs.
 */
export function excerpt(source: string, { column, length }: Span, width: number): Excerpt {
  const line = covered(source)
  const start = Math.min(column - 1, line.length)
  const end = Math.min(start + length, line.length)
  const from = startOfWindow(line, start, width)
  const to = endOfWindow(line, from, width)
  const [before, after] = [from > 0 ? '…' : '', to < line.length ? '…' : '']
  return {
    line: `${before}${shown(line.slice(from, to))}${after}`,
    indent: widthOf(before + shown(line.slice(from, start))),
    width: widthOf(shown(line.slice(start, Math.min(end, to)))),
    isCut: from > 0 || to < line.length,
  }
}

/** Of many findings on one long line, each shows it. */
let last = { source: '', covered: '' }

function covered(source: string): string {
  if (source !== last.source) last = { source, covered: coverLine(source) }
  return last.covered
}

/** The whole line where it fits; else with a third of the width before the place, or more where the line ends soon. */
function startOfWindow(line: string, start: number, width: number): number {
  if (line.length <= width && widthOf(shown(line)) <= width) return 0
  const from = Math.min(start - Math.floor(width / 3), line.length - width + 1)
  return startOfCharacter(line, Math.max(0, from))
}

function endOfWindow(line: string, from: number, width: number): number {
  let used = from > 0 ? 1 : 0
  let offset = from
  for (const character of line.slice(from, from + width)) {
    used += widthOf(shown(character))
    if (used > width - 1 && offset + character.length < line.length) return offset
    offset += character.length
  }
  return offset
}

/** Not between the two halves of a surrogate pair. */
function startOfCharacter(line: string, offset: number): number {
  const unit = line.charCodeAt(offset)
  return unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset
}
