import { deepestNesting, type Entry, type Node, type Parsed, type Problem, uniqueEntries } from './tree.ts'

/**
 * Reads the part of YAML that nearly every spec keeps to, in a fraction of the time that the whole language takes:
 * block collections, and on one line flow collections, quoted texts, and plain texts that can be nothing else.
 * Undefined for everything beyond, faulty or not: that is for `parseYaml`, which gives the same result wherever this
 * gives one.
 */
export function parsePlainYaml(text: string): Parsed | undefined {
  if (unusual.test(text)) return undefined
  const reader = new PlainYamlReader(text)
  const root = reader.read()
  return root && { root, problems: reader.duplicates }
}

/** Control characters (tabs too), and line breaks other than LF and CR LF. */
const unusual = /[\u0000-\u0009\u000B\u000C\u000E-\u001F\u007F-\u009F\u2028\u2029\uFEFF]|\r(?!\n)/

/** A line with more than a comment: its first character that is no blank, and its end. */
interface Line {
  readonly indent: number
  readonly start: number
  readonly end: number
}

const contentLine = /^( *)([^ #\r\n].*)$/gm
const plainKey = /(?!(?:null|true|false):)[A-Za-z_$][\w.$-]{0,100}(?=: |:$)/imy
const quotedKey = /(?:"[^"\\\r\n]{0,100}"|'[^'\r\n]{0,100}')(?=: |:$)/my
const doubleQuoted = /"(?:[^"\\\r\n]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/y
const singleQuoted = /'(?:[^'\r\n]|'')*'/y
const restOfLine = /.*/y
const restOfItem = /[^,[\]{}\r\n]*/y
const plainText = /^(?:[A-Za-z_$/.(\\]|-[\w/.-])(?:(?!: |:$| #).)*$/
const integer = /^-?\d{1,15}$/
/** What the core schema takes, or could take, for something other than text. */
const ambiguous = /^(?:null|true|false|[-+]?\.?\d.*|[-+]?\.inf|\.nan)$/i
const constants = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
])

/** Each method reads what begins at the offset, and gives undefined where it is out of its depth. */
class PlainYamlReader {
  readonly duplicates: Problem[] = []
  private readonly lines: Line[]
  /** The index of the line that is read. */
  private index = 0
  private offset = 0
  private depth = 0

  constructor(private readonly text: string) {
    this.lines = Array.from(text.matchAll(contentLine), ({ index, 1: blanks = '', 2: content = '' }) => {
      const start = index + blanks.length
      return { indent: blanks.length, start, end: start + content.length }
    })
  }

  read(): Node | undefined {
    const root = this.lines[0]?.indent === 0 ? this.block() : undefined
    return this.index === this.lines.length ? root : undefined
  }

  /** The block collection that begins with the line. */
  private block(): Node | undefined {
    const line = this.lines[this.index]
    if (line === undefined) return undefined
    return this.nested(() => (this.isItem(line) ? this.blockList(line) : this.blockMapping(line)))
  }

  private nested(read: () => Node | undefined): Node | undefined {
    if (this.depth === deepestNesting) return undefined
    this.depth++
    const node = read()
    this.depth--
    return node
  }

  private isItem({ start, end }: Line): boolean {
    return this.text[start] === '-' && (start + 1 === end || this.text[start + 1] === ' ')
  }

  private blockMapping({ indent, start }: Line): Node | undefined {
    const entries: Entry[] = []
    for (let line = this.lines[this.index]; line?.indent === indent; line = this.lines[this.index]) {
      this.offset = line.start
      const key = this.key()
      const value = key && this.blockValue(line, true)
      if (key === undefined || value === undefined) return undefined
      entries.push({ ...key, value })
    }
    return this.mapping(entries, start, entries.at(-1)?.value.end ?? start)
  }

  private mapping(entries: readonly Entry[], start: number, end: number): Node {
    return { kind: 'mapping', entries: uniqueEntries(entries, this.duplicates), start, end }
  }

  private blockList({ indent, start }: Line): Node | undefined {
    const items: Node[] = []
    for (let line = this.lines[this.index]; line?.indent === indent; line = this.lines[this.index]) {
      if (!this.isItem(line)) break
      this.offset = line.start + 1
      const item = this.blockValue(line, false)
      if (item === undefined) return undefined
      items.push(item)
    }
    return { kind: 'list', items, start, end: items.at(-1)?.end ?? start }
  }

  /** What stands behind the colon of a key or the dash of an item: on the same line, or on the lines below. */
  private blockValue(line: Line, isOfKey: boolean): Node | undefined {
    this.skipBlanks()
    const isBelow = this.offset === line.end || this.text[this.offset] === '#'
    return isBelow ? this.blockBelow(line, isOfKey) : this.blockBeside(line, isOfKey)
  }

  /** A list may stand as far left as the key that it belongs to. */
  private blockBelow({ indent }: Line, isOfKey: boolean): Node | undefined {
    const next = this.lines[++this.index]
    if (next === undefined) return undefined
    return next.indent > indent || (isOfKey && next.indent === indent && this.isItem(next))
      ? this.block()
      : undefined
  }

  private blockBeside(line: Line, isOfKey: boolean): Node | undefined {
    const inner = { indent: line.indent + this.offset - line.start, start: this.offset, end: line.end }
    if (!isOfKey && (this.isItem(inner) || this.isKey())) {
      this.lines[this.index] = inner
      return this.block()
    }
    const value = this.inline(restOfLine)
    this.index++
    return /^ *$|^ +#/.test(this.text.slice(this.offset, line.end)) ? value : undefined
  }

  private isKey(): boolean {
    const { offset } = this
    const key = this.key()
    this.offset = offset
    return key !== undefined
  }

  /** A key, and the colon behind it. */
  private key(): Omit<Entry, 'value'> | undefined {
    const start = this.offset
    const raw = this.match(plainKey) ?? this.match(quotedKey)
    if (raw === undefined) return undefined
    const end = this.offset++
    return { key: /^["']/.test(raw) ? raw.slice(1, -1) : raw, start, end }
  }

  /** A value on one line; `rest` is how far a plain text could reach. */
  private inline(rest: RegExp): Node | undefined {
    const start = this.offset
    const first = this.text[start]
    if (first === '[') return this.nested(() => this.flowList(start))
    if (first === '{') return this.nested(() => this.flowMapping(start))
    const value = first === '"' || first === "'" ? this.quoted(first) : this.plain(rest)
    return value === undefined ? undefined : { kind: 'scalar', value, start, end: this.offset }
  }

  private quoted(quote: '"' | "'"): string | undefined {
    const raw = this.match(quote === '"' ? doubleQuoted : singleQuoted)
    if (raw === undefined) return undefined
    return quote === '"' ? JSON.parse(raw) : raw.slice(1, -1).replaceAll("''", "'")
  }

  private plain(rest: RegExp): string | number | boolean | null | undefined {
    const start = this.offset
    const raw = (this.match(rest) ?? '').replace(/ +(?:#.*)?$/, '')
    this.offset = start + raw.length
    if (integer.test(raw)) return Number(raw)
    if (constants.has(raw)) return constants.get(raw)
    return plainText.test(raw) && !ambiguous.test(raw) ? raw : undefined
  }

  private flowList(start: number): Node | undefined {
    const items: Node[] = []
    const isClosed = this.flow(']', () => {
      const item = this.inline(restOfItem)
      if (item !== undefined) items.push(item)
      return item !== undefined
    })
    return isClosed ? { kind: 'list', items, start, end: this.offset } : undefined
  }

  private flowMapping(start: number): Node | undefined {
    const entries: Entry[] = []
    const isClosed = this.flow('}', () => {
      const key = this.key()
      this.skipBlanks()
      const value = key && this.inline(restOfItem)
      if (key !== undefined && value !== undefined) entries.push({ ...key, value })
      return value !== undefined
    })
    return isClosed ? this.mapping(entries, start, this.offset) : undefined
  }

  /** The items between the opening bracket, at which the offset is, and the closing one. */
  private flow(close: string, readItem: () => boolean): boolean {
    this.offset++
    if (this.pass(close)) return true
    do {
      this.skipBlanks()
      if (!readItem()) return false
    } while (this.pass(','))
    return this.pass(close)
  }

  /** Whether this character is next; then it is passed. */
  private pass(character: string): boolean {
    this.skipBlanks()
    if (this.text[this.offset] !== character) return false
    this.offset++
    return true
  }

  private skipBlanks() {
    while (this.text[this.offset] === ' ') this.offset++
  }

  /** What the sticky pattern matches here, which is passed. */
  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset
    const raw = pattern.exec(this.text)?.[0]
    this.offset += raw?.length ?? 0
    return raw
  }
}
