import { type ParseError, parseTree } from 'jsonc-parser'
import { deepestNesting, type Problem, tellingErrors, tooDeep, unclosed } from './tree.ts'

/** Says what keeps a text from being strict JSON that is not nested too deep, and where. */
export function explainJson(text: string): Problem[] {
  const open = openBrackets(text)
  const deep = open[deepestNesting]
  if (deep !== undefined) return [tooDeep(deep)]
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowEmptyContent: true })
  const [first] = errors
  const last = open.at(-1)
  // A parser that came to the end misses a bracket there; the reader misses it where it was opened.
  const isAtEnd = first !== undefined && first.offset >= text.trimEnd().length
  if (isAtEnd && last !== undefined) return tellingErrors([unclosed(text, last)], text)
  return tellingErrors(errors.map(syntaxError), text)
}

/** The offsets of the brackets that are open at the end, or as soon as there are too many of them. */
function openBrackets(text: string): readonly number[] {
  const open: number[] = []
  let isInString = false
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset]
    if (isInString) {
      if (character === '\\') offset++
      else if (character === '"' || character === '\n') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '{' || character === '[') {
      open.push(offset)
      if (open.length > deepestNesting) return open
    } else if (character === '}' || character === ']') open.pop()
  }
  return open
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
