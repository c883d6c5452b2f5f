import { scalarOf } from './scalars.ts'
import { readString, type StringFault } from './strings.ts'
import type { Fault, Header, Key, Pair, Place, Statement, Value } from './syntax.ts'

export interface Syntax {
  readonly statements: readonly Statement[]
  /** The first of each line that has one. Empty: the text is TOML, but for tables and keys that stand twice. */
  readonly faults: readonly Fault[]
}

/**
 * Reads the statements of a text in TOML 1.1, with the places of all their parts. Written by hand, since the parser
 * that gives places (toml-eslint-parser) takes two seconds for 5 MB, and overflows the stack on a text of 200 KB.
 *
 * @param deepest how many tables and arrays may lie in one another
 */
export function readStatements(text: string, deepest: number): Syntax {
  const reader = new StatementReader(text, deepest)
  reader.read()
  return reader
}

const bareKey = /[A-Za-z0-9_-]+/y
/** Everything up to what can stand behind a value. */
const word = /[^\s,[\]{}#"'=]+/y
const timeBehindDate = / \d\d:[^\s,[\]{}#"'=]*/y
const dateOnly = /^\d{4}-\d\d-\d\d$/
const comment = /#[^\u0000-\u0008\u000A-\u001F\u007F]*/y
/** The beginning of a line that looks like a statement. */
const nextStatement = /^[ \t]*(?:\[\[?[ \t]*[\w"'-]|[\w"'-][^=#\r\n]*=)/gm

/** Each method reads what begins at the offset, and gives undefined after it has noted what is wrong there. */
class StatementReader implements Syntax {
  readonly statements: Statement[] = []
  readonly faults: Fault[] = []
  private offset: number
  private depth = 0
  private headerDepth = 0

  constructor(
    private readonly text: string,
    private readonly deepest: number,
  ) {
    this.offset = text.startsWith('\uFEFF') ? 1 : 0
  }

  read() {
    do {
      while (this.skipLines() && !this.isAtEnd()) {
        const statement = this.text[this.offset] === '[' ? this.header() : this.pair()
        if (statement === undefined || !this.endLine()) break
        this.statements.push(statement)
      }
    } while (this.faults.length > 0 && this.recover())
  }

  /** Goes on behind a fault with the next line that looks like a statement, as long as there is one. */
  private recover(): boolean {
    const lineEnd = this.text.indexOf('\n', this.offset)
    nextStatement.lastIndex = lineEnd + 1
    const next = lineEnd === -1 ? null : nextStatement.exec(this.text)
    this.offset = next?.index ?? this.text.length
    this.depth = 0
    return next !== null
  }

  private fail(place: Place, message: string, help?: string): undefined {
    const { start, end } = place
    this.faults.push({ kind: 'syntax', message, start, end, ...(help !== undefined && { help }) })
  }

  private failHere(message: string, help?: string): undefined {
    const { offset } = this
    return this.fail({ start: offset, end: Math.min(offset + 1, this.text.length) }, message, help)
  }

  private failDeep(place: Place): undefined {
    const message = `The text is nested more than ${this.deepest} levels deep.`
    this.faults.push({ kind: 'nesting', message, start: place.start, end: place.end })
  }

  private header(): Header | undefined {
    const start = this.offset
    const isElement = this.text.startsWith('[[', start)
    const closing = isElement ? ']]' : ']'
    this.offset += closing.length
    this.headerDepth = 0
    const keys = this.keys(closing)
    if (keys === undefined) return undefined
    if (!this.text.startsWith(closing, this.offset)) {
      return this.failHere(`The name of a table ends with \`${closing}\`.`)
    }
    this.offset += closing.length
    this.headerDepth = keys.length
    return { kind: 'header', isElement, keys, start, end: this.offset }
  }

  private pair(): Pair | undefined {
    const start = this.offset
    const keys = this.keys('=')
    if (keys === undefined) return undefined
    if (!this.pass('=')) {
      return this.failHere('A `=` is expected here, and behind it a value.', 'A line reads `key = "value"`.')
    }
    this.skipBlanks()
    this.depth += keys.length
    const value = this.value()
    this.depth -= keys.length
    return value && { kind: 'pair', keys, value, start, end: this.offset }
  }

  /** The parts of a dotted key, and the blanks behind it. */
  private keys(closing: string): Key[] | undefined {
    const keys: Key[] = []
    do {
      this.skipBlanks()
      const key = this.key(closing)
      if (key === undefined) return undefined
      keys.push(key)
      if (this.headerDepth + this.depth + keys.length > this.deepest) return this.failDeep(key)
      this.skipBlanks()
    } while (this.pass('.'))
    return keys
  }

  private key(closing: string): Key | undefined {
    const start = this.offset
    const first = this.text[start]
    if (first === '"' || first === "'") {
      const name = this.string(false)
      return name === undefined ? undefined : { name, start, end: this.offset }
    }
    const name = this.match(bareKey)
    if (name !== undefined) return { name, start, end: this.offset }
    const help =
      closing === '='
        ? 'A line reads `key = "value"`.'
        : 'A table begins with its name in brackets: `[name]`.'
    return this.failHere('A key is expected here.', help)
  }

  private string(mayBeLong: boolean): string | undefined {
    const read = readString(this.text, this.offset, mayBeLong)
    if (!('value' in read)) return this.failString(read)
    this.offset = read.end
    return read.value
  }

  private failString({ message, help, isEndless, ...place }: StringFault): undefined {
    // What stands below is as likely text as not.
    this.offset = isEndless ? this.text.length : place.start
    return this.fail(place, message, help)
  }

  private value(): Value | undefined {
    const start = this.offset
    const first = this.text[start]
    if (first === '[' || first === '{') return this.nested(first, start)
    const value = first === '"' || first === "'" ? this.string(true) : this.scalar()
    return value === undefined ? undefined : { kind: 'scalar', value, start, end: this.offset }
  }

  private nested(bracket: '[' | '{', start: number): Value | undefined {
    if (this.headerDepth + this.depth >= this.deepest) return this.failDeep({ start, end: start + 1 })
    this.depth++
    const value = bracket === '[' ? this.array(start) : this.inlineTable(start)
    this.depth--
    return value
  }

  private scalar() {
    const start = this.offset
    const first = this.match(word)
    if (first === undefined) return this.failHere('A value is expected here.', valueHelp)
    // A blank may stand between a date and a time.
    const value = scalarOf(dateOnly.test(first) ? first + (this.match(timeBehindDate) ?? '') : first)
    if (value !== undefined) return value
    const help = /^[-+\d]/.test(first) ? numberHelp : valueHelp
    return this.fail({ start, end: this.offset }, 'This is not a value of TOML.', help)
  }

  private array(start: number): Value | undefined {
    const items: Value[] = []
    const commas = this.list(']', start, () => {
      const item = this.value()
      if (item !== undefined) items.push(item)
      return item !== undefined
    })
    return commas && { kind: 'array', items, start, end: this.offset }
  }

  private inlineTable(start: number): Value | undefined {
    const pairs: Pair[] = []
    const commas = this.list('}', start, () => {
      const pair = this.pair()
      if (pair !== undefined) pairs.push(pair)
      return pair !== undefined
    })
    return commas && { kind: 'inline table', pairs, commas, start, end: this.offset }
  }

  /**
   * Items with commas between them, from the opening bracket, at which the offset is, to the closing one.
   *
   * @returns the offsets of the commas
   */
  private list(closing: ']' | '}', start: number, readItem: () => boolean): number[] | undefined {
    const commas: number[] = []
    this.offset++
    while (this.skipLines()) {
      if (this.pass(closing)) return commas
      if (this.isAtEnd()) break
      if (!readItem() || !this.skipLines()) return undefined
      if (this.pass(',')) commas.push(this.offset - 1)
      else if (this.isAtEnd()) break
      else if (this.text[this.offset] !== closing) {
        return this.failHere(`A comma or a closing \`${closing}\` is expected here.`)
      }
    }
    if (!this.isAtEnd()) return undefined
    return this.fail({ start, end: start + 1 }, `The closing \`${closing}\` of this bracket is missing.`)
  }

  private isAtEnd(): boolean {
    return this.offset >= this.text.length
  }

  private endLine(): boolean {
    this.skipBlanks()
    this.match(comment)
    const next = this.text[this.offset]
    if (next === undefined || this.passLineBreak()) return true
    if (isControl(next)) this.failControl()
    else {
      this.failHere('The line must end here.', 'Each key and its value stand on a line of their own.')
    }
    return false
  }

  /** Skips blanks, line breaks and comments; whether all of it is TOML. */
  private skipLines(): boolean {
    while (true) {
      this.skipBlanks()
      this.match(comment)
      const next = this.text[this.offset]
      if (next === undefined || !isControl(next)) return true
      if (!this.passLineBreak()) {
        this.failControl()
        return false
      }
    }
  }

  private failControl(): undefined {
    const isReturn = this.text[this.offset] === '\r'
    this.failHere(
      isReturn
        ? 'A carriage return must stand before a line feed.'
        : 'A control character cannot stand here.',
      isReturn ? 'Save the file with LF or CR LF as line ends.' : 'Remove it.',
    )
    this.offset++
  }

  private skipBlanks() {
    while (this.text[this.offset] === ' ' || this.text[this.offset] === '\t') this.offset++
  }

  private passLineBreak(): boolean {
    return this.pass('\n') || this.pass('\r\n')
  }

  /** Whether these characters are next; then they are passed. */
  private pass(characters: string): boolean {
    const isNext = this.text.startsWith(characters, this.offset)
    if (isNext) this.offset += characters.length
    return isNext
  }

  /** What the sticky pattern matches here, which is passed. */
  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset
    const raw = pattern.exec(this.text)?.[0]
    this.offset += raw?.length ?? 0
    return raw
  }
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\u007F'
}

const valueHelp = 'A text stands in quotes: "…". Other values are numbers, true, false, dates, […] and {…}.'
const numberHelp = 'A number has digits, with `_` only between them. A text stands in quotes: "…".'
