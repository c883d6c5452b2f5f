import { shownPlainly } from '../text/shown.ts'

const keptLines = 10
const longestLine = 400
/** A line without an end is read no further than this; it is masked as a whole before it is cut to `longestLine`. */
const longestUnfinished = 65_536

/**
 * The last lines that a server wrote to stderr, for the message about its failure. What is read is always drained, so
 * that a chatty server never blocks on a full pipe, and what is kept is bounded.
 */
export class StderrTail {
  readonly #mask: (line: string) => string
  readonly #decoder = new TextDecoder()
  #lines: string[] = []
  #unfinished = ''

  /** @param mask takes secret values out of a whole line, before any of it is cut */
  constructor(mask: (line: string) => string) {
    this.#mask = mask
  }

  append(chunk: Buffer): void {
    const [last = '', ...earlier] = (this.#unfinished + this.#decoder.decode(chunk, { stream: true }))
      .split(/\r?\n/)
      .reverse()
    this.#unfinished = last.slice(0, longestUnfinished)
    this.#lines = [...this.#lines, ...earlier.slice(0, keptLines).reverse()].slice(-keptLines)
  }

  /** Printable, without secret values; the oldest first. */
  get lines(): string[] {
    return this.#mask([...this.#lines, this.#unfinished].join('\n'))
      .split('\n')
      .map((line) => shownPlainly(line).slice(0, longestLine).trimEnd())
      .filter((line) => line !== '')
      .slice(-keptLines)
  }
}
