import { type Node as JsonNode, type ParseError, parseTree } from 'jsonc-parser'
import {
  deepestNesting,
  type Entry,
  type Node,
  type Parsed,
  type Place,
  type Problem,
  tellingErrors,
  tooDeep,
  uniqueEntries,
} from './tree.ts'

/** Reads strict JSON (RFC 8259): neither comments nor trailing commas. */
export function parseJson(text: string): Parsed {
  const deep = firstTooDeep(text)
  if (deep !== undefined) return { problems: [tooDeep({ start: deep, end: deep + 1 })] }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true, allowEmptyContent: true })
  if (errors.length > 0) return { problems: tellingErrors(errors.map(syntaxError), text) }
  const problems: Problem[] = []
  return tree === undefined ? { problems } : { root: convert(tree, problems), problems }
}

/** The offset of the first bracket that opens a level too many. */
function firstTooDeep(text: string): number | undefined {
  let depth = 0
  let inString = false
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset]
    if (inString) {
      if (character === '\\') offset++
      else if (character === '"' || character === '\n') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth++
      if (depth > deepestNesting) return offset
    } else if (character === '}' || character === ']') depth--
  }
  return undefined
}

/** By the numbers of jsonc-parser's `ParseErrorCode`, a const enum that is not there at run time. */
const messages: Readonly<Record<number, string>> = {
  1: 'This is neither text, a number, true, false, null, a list nor a mapping.',
  2: 'This number is not written as JSON wants it.',
  3: 'A key in double quotes is expected here.',
  4: 'A value is expected here.',
  5: 'A colon is expected here.',
  6: 'A comma is expected here.',
  7: 'A closing brace `}` is expected here.',
  8: 'A closing bracket `]` is expected here.',
  9: 'Nothing may follow the closing brace of the document.',
  10: 'JSON has no comments.',
  11: 'This comment has no end.',
  12: 'This text has no closing quote.',
  13: 'This number is not written as JSON wants it.',
  14: 'This is not a complete `\\u` escape: four hexadecimal digits are expected.',
  15: 'JSON has no such escape.',
  16: 'A control character must be written as an escape, such as `\\n` or `\\u0007`.',
}

const helps: Readonly<Record<number, string>> = {
  3: 'A comma before a closing brace is not JSON; neither are keys without quotes.',
  4: 'A comma before a closing bracket is not JSON.',
  10: 'Remove it, or write the spec as bridle.yaml, which has comments.',
  15: 'Write a backslash as `\\\\`.',
}

function syntaxError({ error, offset, length }: ParseError): Problem {
  const help = helps[error]
  return {
    start: offset,
    end: offset + length,
    code: 'BRIDLE106',
    message: messages[error] ?? 'This is not JSON.',
    ...(help === undefined ? {} : { help }),
  }
}

function convert(node: JsonNode, problems: Problem[]): Node {
  const place = { start: node.offset, end: node.offset + node.length }
  const children = node.children ?? []
  if (node.type === 'array') {
    return { kind: 'list', items: children.map((child) => convert(child, problems)), ...place }
  }
  if (node.type === 'object') {
    const entries = children.flatMap((property) => entry(property, problems))
    return { kind: 'mapping', entries: uniqueEntries(entries, problems), ...place }
  }
  return { kind: 'scalar', value: node.value, ...place }
}

function entry(property: JsonNode, problems: Problem[]): Entry[] {
  const [key, value] = property.children ?? []
  if (key === undefined || value === undefined) return []
  const place: Place = { start: key.offset, end: key.offset + key.length }
  return [{ ...place, key: key.value, value: convert(value, problems) }]
}
