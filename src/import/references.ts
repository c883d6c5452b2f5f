import type { Part, Reference } from './foreign.ts'

/** How a program writes references, and where it replaces them. */
export interface ReferenceSyntax {
  /** Global; each match is a reference. Absent: the program replaces nothing. */
  readonly pattern?: RegExp
  readonly read: (match: RegExpMatchArray) => Reference
  /** Claude Code replaces references in headers when it reads the file and again when it connects. */
  readonly headersTwice?: boolean
}

/** The places in which a program may replace references. */
export type ReferenceField = 'plain' | 'header'

/** The text as its literals and references; neighbouring literals are one. */
export function partsOf(text: string, syntax: ReferenceSyntax, field: ReferenceField): Part[] {
  const once = field === 'header' && syntax.headersTwice ? joinDefaults(split(text, syntax)) : text
  return joined(split(once, syntax).map(({ part }) => part))
}

/** Literal text; undefined where it holds a reference. */
export function literalOf(parts: readonly Part[]): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === parts.length ? texts.join('') : undefined
}

/** The references in a text. */
export function referencesIn(parts: readonly Part[]): Reference[] {
  return parts.filter((part) => typeof part !== 'string')
}

interface Piece {
  readonly raw: string
  readonly part: Part
}

function split(text: string, { pattern, read }: ReferenceSyntax): Piece[] {
  const pieces: Piece[] = []
  let offset = 0
  for (const match of pattern === undefined ? [] : closable(text).matchAll(pattern)) {
    const before = text.slice(offset, match.index)
    pieces.push({ raw: before, part: before }, { raw: match[0], part: settled(read(match)) })
    offset = match.index + match[0].length
  }
  const rest = text.slice(offset)
  return [...pieces, { raw: rest, part: rest }]
}

/**
 * The text without the openings that nothing closes, in as many characters: a pattern would look through all of the rest
 * for the end of each.
 */
function closable(text: string): string {
  const end = text.lastIndexOf('}') + 1
  return text.slice(0, end) + text.slice(end).replaceAll('${', '  ')
}

/**
 * Names that begin with BRIDLE_ are Bridle's own, and never set: a reference to one with a default is how Bridle writes a
 * literal that the program would replace otherwise.
 */
function settled(reference: Reference): Part {
  const isEscape = reference.kind === 'environment' && reference.name.startsWith('BRIDLE_')
  return isEscape && reference.fallback !== undefined ? reference.fallback : reference
}

/** The text after a first pass that knows the values of Bridle's own names and no others. */
function joinDefaults(pieces: readonly Piece[]): string {
  return pieces.map(({ raw, part }) => (typeof part === 'string' ? part : raw)).join('')
}

function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part
    else if (part !== '') result.push(part)
  }
  return result.length === 0 ? [''] : result
}

const identifier = '[A-Za-z_][A-Za-z0-9_]*'

/** The program replaces nothing: every text is a literal. */
export const noReferences: ReferenceSyntax = { read: ([text]) => ({ kind: 'other', name: text ?? '' }) }

/** `${NAME}` and `${NAME:-default}`, the default without `}`. */
export const bracedVariables: ReferenceSyntax = {
  pattern: new RegExp(`\\$\\{(${identifier})(?::-([^}]*))?\\}`, 'g'),
  read: ([, name = '', fallback]) => environment(name, fallback),
}

/** The same, and `$NAME`. */
export const shellVariables: ReferenceSyntax = {
  pattern: new RegExp(`\\$\\{(${identifier})(?::-([^}]*))?\\}|\\$(${identifier})`, 'g'),
  read: ([, braced, fallback, bare = '']) => environment(braced ?? bare, fallback),
}

/**
 * `${env:NAME}`, `${input:id}` and what else an editor knows by these names.
 *
 * @param known the names without an argument, such as `workspaceFolder`
 * @param prefixes those with one, beside `env`
 */
export function editorVariables(known: readonly string[], prefixes: readonly string[]): ReferenceSyntax {
  return {
    pattern: new RegExp(`\\$\\{(?:(${['env', ...prefixes].join('|')}):([^}]+)|(${known.join('|')}))\\}`, 'g'),
    read: ([, prefix, argument = '', name = '']) => {
      if (prefix === 'env') return environment(argument)
      if (prefix === 'input') return { kind: 'input', name: argument }
      return { kind: 'other', name: prefix === undefined ? name : `${prefix}:${argument}` }
    },
  }
}

function environment(name: string, fallback?: string): Reference {
  return { kind: 'environment', name, ...(fallback !== undefined && { fallback }) }
}
