import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { stringify } from 'smol-toml'

/**
 * The search for planted secrets. A test gives its secrets a token of plain ASCII, such as `canary-a-5ab1`, or a UUID,
 * among whatever else it plants: nearly every way of writing a text down leaves the token as it is, and the others are
 * known here.
 */
const tokens = /canary-[a-z0-9-]*[a-z0-9]|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** The values that hold a token. */
export function planted(values: Iterable<string | undefined>): string[] {
  return [...values].filter((value) => value !== undefined).filter((value) => value.search(tokens) !== -1)
}

/** How a program could write a text down: by name, the forms that it takes then. */
export const notations: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'as it is': (text) => [text],
  'as JSON': (text) => [inJson(text), inAscii(inJson(text))],
  'as JSON in JSON': (text) => [inJson(inJson(text)), inJson(inAscii(inJson(text)))],
  'as TOML': (text) => [stringify({ text }).trim().slice('text = "'.length, -1)],
  'in a URL': (text) => [
    encodeURIComponent(text),
    new URLSearchParams({ text }).toString().slice('text='.length),
  ],
  'in quotes of a shell': (text) => [text.replaceAll("'", "'\\''")],
  'in base64': (text) => base64Forms(text),
  'in base64url': (text) => base64Forms(text).map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  'in hexadecimal': (text) => [hex(text), hex(text).toUpperCase()],
  'in UTF-16': (text) => [Buffer.from(text, 'utf16le').toString('latin1')],
}

/** What is searched for, made once and used on many places. */
export interface Search {
  /** How these bytes hold one of the values (a name of `notations`); undefined when they do not. Text is UTF-8. */
  notationIn(bytes: Uint8Array | string): string | undefined
}

/** A search for the values, and for the tokens in them, in every notation. */
export function searchFor(values: readonly string[]): Search {
  const texts = values
    .flatMap((value) => [value, ...(value.match(tokens) ?? [])])
    .filter((text) => text !== '')
  const needles = Object.entries(notations).flatMap(([notation, write]) =>
    texts.flatMap(write).map((form) => ({ notation, bytes: bytesOf(form, notation) })),
  )
  // What holds a longer form holds the shorter one in it too.
  const telling = needles.filter(
    ({ bytes }, index) =>
      !needles.some((other, at) =>
        at < index
          ? bytes.includes(other.bytes)
          : bytes.length > other.bytes.length && bytes.includes(other.bytes),
      ),
  )
  return {
    notationIn: (haystack) => {
      const buffer = Buffer.from(haystack)
      return telling.find(({ bytes }) => buffer.includes(bytes))?.notation
    },
  }
}

/**
 * Every file below the folders that holds one of the values, in its content, its name or where it links to, each with
 * the notation. Links are not followed, what vanishes is skipped.
 */
export function filesHolding(
  search: Search,
  folders: readonly string[],
  except: readonly string[] = [],
): string[] {
  const entries = new Map(folders.flatMap(entriesBelow).map((entry) => [entry.file, entry]))
  return [...entries.values()]
    .filter(({ file }) => !except.includes(file))
    .flatMap((entry) => {
      const notation = search.notationIn(path.basename(entry.file)) ?? search.notationIn(contentOf(entry))
      return notation === undefined ? [] : [`${entry.file} (${notation})`]
    })
}

/** The files below a folder; links are not followed. */
export function filesBelow(folder: string): string[] {
  return entriesBelow(folder).flatMap(({ file, kind }) => (kind === 'file' ? [file] : []))
}

/**
 * Looks at the arguments of every process of the machine again and again until it is stopped; then gives the programs
 * whose command line held one of the values, each with the notation.
 */
export function watchArguments(search: Search): {
  readonly found: readonly string[]
  stop(): readonly string[]
} {
  const seen = new Set<string>()
  const found: string[] = []
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const line = attempt('', () => readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
      if (seen.has(line)) continue
      seen.add(line)
      const notation = search.notationIn(Buffer.from(line, 'latin1'))
      if (notation !== undefined) found.push(`an argument of ${line.split('\0')[0]} (${notation})`)
    }
  }
  const timer = setInterval(look, 5)
  return {
    found,
    stop: () => {
      clearInterval(timer)
      look()
      return found
    },
  }
}

interface FoundEntry {
  readonly file: string
  readonly kind: 'file' | 'link' | 'other'
}

/** By lstat: what a folder says of an entry is not what a mount has put in its place, `/dev/zero` for example. */
function entriesBelow(folder: string): FoundEntry[] {
  return attempt([], () => readdirSync(folder)).flatMap((name) => {
    const file = path.join(folder, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return [{ file, kind: 'other' }, ...entriesBelow(file)] as const
    return [{ file, kind: stat?.isFile() ? 'file' : stat?.isSymbolicLink() ? 'link' : 'other' }] as const
  })
}

/** Of a link, where it leads. Nothing else has one, and a pipe would be waited for. */
function contentOf({ file, kind }: FoundEntry): Uint8Array | string {
  if (kind === 'other') return ''
  return attempt('', () => (kind === 'link' ? readlinkSync(file) : readFileSync(file)))
}

function attempt<Result>(otherwise: Result, read: () => Result): Result {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function inAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** The characters of base64 that the text alone decides, where 0, 1 or 2 bytes of a group of three stand before it. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6))
  })
}

function bytesOf(form: string, notation: string): Buffer {
  return Buffer.from(form, notation === 'in UTF-16' ? 'latin1' : 'utf8')
}
