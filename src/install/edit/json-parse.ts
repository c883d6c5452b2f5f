import type { FileSyntax } from '../../compile/installed-file.ts'
import type { DocumentFault } from './document.ts'
import type { JsonContainer, JsonMember, JsonNode, JsonTree } from './json-tree.ts'
import { commentAt } from './json-trivia.ts'

/**
 * Reads JSON (RFC 8259), with the comments, trailing commas and byte order mark that the syntax allows. The fault is
 * the first one of the text. A key that stands twice is none: it matters only where something is edited.
 */
export function parseTree(text: string, syntax: FileSyntax): JsonTree | { readonly fault: DocumentFault } {
  const reader = new JsonReader(text, syntax)
  const tree = reader.read()
  return reader.fault === undefined ? tree : { fault: reader.fault }
}

/** Reading recurses; no config file is nested a tenth as deep. */
const deepestNesting = 1_000

/**
 * What lies deeper is looked at for faults at once, but its members are noted only when somebody asks for them: of a
 * large file nearly nobody does, and noting them would take most of the time.
 */
const notedLevels = 2

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /[\w.+-]+/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

const doubleQuote = 0x22
const comma = 0x2c
const slash = 0x2f
const colon = 0x3a
const backslash = 0x5c
const closings = { object: 0x7d, array: 0x5d } as const
const ends = {
  object: 'a comma or the closing brace `}`',
  array: 'a comma or the closing bracket `]`',
} as const

/** Stands for every value that is not noted. */
const unnoted: JsonNode = { kind: 'scalar', start: 0, end: 0 }

/** Each method reads what begins at the offset; after a fault it gives undefined. */
class JsonReader {
  fault: DocumentFault | undefined
  private depth = 0

  constructor(
    private readonly text: string,
    private readonly syntax: FileSyntax,
    private offset = 0,
  ) {}

  read(): JsonTree {
    const { text } = this
    const start = text.startsWith('\uFEFF') ? 1 : 0
    if (start > 0 && !this.syntax.byteOrderMark) {
      this.refuse('The file begins with a byte order mark, and its reader takes none.')
    }
    this.offset = start
    if (!this.trivia() || this.offset === text.length) return { text, start, root: undefined }
    const root = this.value()
    if (root !== undefined && this.trivia() && this.offset < text.length) {
      this.refuse('Nothing may follow the value of the file.')
    }
    return { text, start, root }
  }

  /** Passes blanks, line ends and comments. */
  private trivia(): true | undefined {
    for (;;) {
      const code = this.code()
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.offset++
      else if (code !== slash) return true
      else if (!this.comment()) return undefined
    }
  }

  private comment(): true | undefined {
    const comment = commentAt(this.text, this.offset)
    if (comment === undefined) return this.refuse('A slash alone means nothing in JSON.')
    const { kind, start, end } = comment
    const length = end - start
    if (!this.syntax.comments) return this.refuse('The reader of this file takes no comments.', start, length)
    if (kind === 'block' && (length < 4 || !this.text.startsWith('*/', end - 2))) {
      return this.refuse('This comment has no end.', start, 2)
    }
    this.offset = end
    return true
  }

  private value(): JsonNode | undefined {
    const start = this.offset
    const first = this.text[start] ?? ''
    if (first === '{' || first === '[') return this.container(first === '{' ? 'object' : 'array')
    if (first === '"') return this.string() && this.scalar(start)
    scalar.lastIndex = start
    if (!scalar.test(this.text)) {
      return first === "'" ? this.refuse('JSON has double quotes only.') : this.miss('a value')
    }
    this.offset = scalar.lastIndex
    return this.scalar(start)
  }

  private scalar(start: number): JsonNode {
    return this.depth > notedLevels ? unnoted : { kind: 'scalar', start, end: this.offset }
  }

  private container(kind: JsonContainer['kind']): JsonNode | undefined {
    const start = this.offset
    if (++this.depth > deepestNesting) {
      return this.refuse(`The file is nested more than ${deepestNesting} levels deep.`)
    }
    const members: JsonMember[] | undefined = this.depth > notedLevels ? undefined : []
    let isFirst = true
    let behind: number | undefined
    this.offset++
    while (this.trivia() && this.code() !== closings[kind]) {
      if (!isFirst && behind === undefined) return this.miss(ends[kind])
      isFirst = false
      const begin = this.offset
      const keyEnd = kind === 'object' ? this.key() : undefined
      const value = this.fault === undefined ? this.value() : undefined
      if (value === undefined || !this.trivia()) return undefined
      behind = this.code() === comma ? this.offset++ : undefined
      members?.push({ start: begin, keyEnd, value, comma: behind })
    }
    if (this.fault !== undefined) return undefined
    if (behind !== undefined && !this.syntax.trailingCommas) {
      return this.refuse('The reader of this file takes no comma behind the last member.', behind)
    }
    const end = ++this.offset
    if (--this.depth > notedLevels) return unnoted
    return members === undefined ? this.noted(kind, start, end) : { kind, start, end, members }
  }

  /** A container whose members are noted when they are asked for. */
  private noted(kind: JsonContainer['kind'], start: number, end: number): JsonContainer {
    const { text, syntax } = this
    let members: readonly JsonMember[] | undefined
    return {
      kind,
      start,
      end,
      get members() {
        members ??= new JsonReader(text, syntax, start).membersOf(kind)
        return members
      },
    }
  }

  private membersOf(kind: JsonContainer['kind']): readonly JsonMember[] {
    const node = this.container(kind)
    return node === undefined || node.kind === 'scalar' ? [] : node.members
  }

  /** Passes a key and its colon; gives where the key ends. */
  private key(): number | undefined {
    if (this.code() !== doubleQuote) return this.miss('a key in double quotes')
    if (!this.string()) return undefined
    const end = this.offset
    if (!this.trivia()) return undefined
    if (this.code() !== colon) return this.miss('a colon')
    this.offset++
    return this.trivia() && end
  }

  private string(): true | undefined {
    const { text } = this
    const start = this.offset++
    for (;;) {
      const code = text.charCodeAt(this.offset)
      if (code === backslash) {
        escapeSequence.lastIndex = this.offset
        if (!escapeSequence.test(text)) return this.refuse('JSON has no such escape.', this.offset, 2)
        this.offset = escapeSequence.lastIndex
      } else if (code >= 0x20) {
        this.offset++
        if (code === doubleQuote) return true
      } else if (this.offset === text.length) return this.refuse('This text has no closing quote.', start)
      else return this.refuse('A control character must be written as an escape.')
    }
  }

  private code(): number {
    return this.text.charCodeAt(this.offset)
  }

  private miss(what: string): undefined {
    if (this.offset === this.text.length) return this.refuse(`The file ends where ${what} is expected.`)
    word.lastIndex = this.offset
    const length = word.test(this.text) ? word.lastIndex - this.offset : 1
    return this.refuse(`Here ${what} is expected.`, this.offset, length)
  }

  /** Notes the first fault; its range is cut at the end of the text. */
  private refuse(message: string, offset = this.offset, length = 1): undefined {
    this.fault ??= { message, range: { offset, length: Math.min(length, this.text.length - offset) } }
  }
}
