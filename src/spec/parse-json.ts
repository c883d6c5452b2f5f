import { deepestNesting, type Entry, type Node, type Parsed, type Problem, uniqueEntries } from './tree.ts'

/**
 * Reads strict JSON (RFC 8259): neither comments nor trailing commas. The reader knows only whether a text is JSON,
 * which makes it quick; what is wrong with one that is not, a slower look says.
 */
export async function parseJson(text: string): Promise<Parsed> {
  const reader = new JsonReader(text)
  const root = reader.read()
  if (root !== undefined) return { root, problems: reader.duplicates }
  const { explainJson } = await import('./explain-json.ts')
  return { problems: explainJson(text) }
}

const blanks = /[ \t\r\n]*/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Each method reads what begins at the offset, and gives undefined where that is not JSON. */
class JsonReader {
  readonly duplicates: Problem[] = []
  private offset = 0
  private depth = 0

  constructor(private readonly text: string) {}

  read(): Node | undefined {
    const root = this.value()
    return this.next() === undefined ? root : undefined
  }

  /** The next character that is not blank; undefined at the end of the text. */
  private next(): string | undefined {
    blanks.lastIndex = this.offset
    blanks.test(this.text)
    this.offset = blanks.lastIndex
    return this.text[this.offset]
  }

  /** Whether this character is next; then it is passed. */
  private pass(character: string): boolean {
    if (this.next() !== character) return false
    this.offset++
    return true
  }

  private value(): Node | undefined {
    const first = this.next()
    if (first === '"') return this.string()
    if (first !== '{' && first !== '[') return this.scalar()
    if (this.depth === deepestNesting) return undefined
    this.depth++
    const node = first === '{' ? this.mapping() : this.list()
    this.depth--
    return node
  }

  private mapping(): Node | undefined {
    const start = this.offset++
    const entries: Entry[] = []
    if (!this.pass('}')) {
      do {
        const key = this.next() === '"' ? this.string() : undefined
        const value = key && this.pass(':') ? this.value() : undefined
        if (key === undefined || value === undefined) return undefined
        entries.push({ key: key.value, value, start: key.start, end: key.end })
      } while (this.pass(','))
      if (!this.pass('}')) return undefined
    }
    return { kind: 'mapping', entries: uniqueEntries(entries, this.duplicates), start, end: this.offset }
  }

  private list(): Node | undefined {
    const start = this.offset++
    const items: Node[] = []
    if (!this.pass(']')) {
      do {
        const item = this.value()
        if (item === undefined) return undefined
        items.push(item)
      } while (this.pass(','))
      if (!this.pass(']')) return undefined
    }
    return { kind: 'list', items, start, end: this.offset }
  }

  private string() {
    const start = this.offset
    const end = endOfString(this.text, start)
    const raw = this.text.slice(start, end)
    this.offset = end
    const value = /[\\\u0000-\u001F]/.test(raw) ? decoded(raw) : raw.slice(1, -1)
    return value === undefined || end === 0 ? undefined : { kind: 'scalar' as const, value, start, end }
  }

  private scalar(): Node | undefined {
    const start = this.offset
    scalar.lastIndex = start
    const [raw] = scalar.exec(this.text) ?? []
    if (raw === undefined) return undefined
    this.offset = start + raw.length
    return { kind: 'scalar', value: JSON.parse(raw), start, end: this.offset }
  }
}

/** The offset behind the closing quote of the string that begins here; 0 when there is none. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, offset: number): boolean {
  let backslashes = 0
  while (text[offset - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function decoded(raw: string): string | undefined {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}
