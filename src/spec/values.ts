import * as z from 'zod/mini'
import type { Code } from '../diagnostics/codes.ts'

/** The single values of the language: texts, names, and lists of names. */

/** What a schema says of a value that it does not take, beside the message: the code, and the way out. */
export interface Fault {
  readonly code: Code
  readonly help?: string
}

/** For schemas whose checks are zod's own; the others carry their faults in their rules. */
export const faults = z.registry<Fault>()

export function rule(code: Code, holds: (text: string) => boolean, error: string, help?: string) {
  const fault: Fault = help === undefined ? { code } : { code, help }
  return z.refine<string>(holds, { error, params: { ...fault } })
}

/** Lists in which the order does not matter, none stands twice, and being empty means nothing. */
export const nameLists = z.registry<object>()

export function names<Item extends z.ZodMiniType>(item: Item, description: string) {
  const list = z.array(item).check(z.meta({ minItems: 1, uniqueItems: true, description }))
  nameLists.add(list, {})
  return list
}

// Texts

export const receivable = rule(
  'BRIDLE208',
  (text) => !/[\0\p{Surrogate}]/u.test(text),
  'holds a NUL or half a surrogate pair, which no program can receive.',
  'Remove the character. Binary data can be passed in a file, or as base64.',
)

/** `${` in a literal is nearly always a variable that was meant. */
function notReference(help: string) {
  return rule('BRIDLE207', (text) => !text.includes('${'), 'is literal, but holds "${".', help)
}

export const notEmpty = rule(
  'BRIDLE206',
  (text) => text !== '',
  'is empty.',
  'Write a text, or remove the key.',
)

export function literal(help: string) {
  return z.string().check(receivable, notReference(help), z.meta({ pattern: '^(?![\\s\\S]*\\$\\{)' }))
}

export const fixedText = 'Nothing is replaced in this field: write out the text itself.'

const verbatim = (text: z.ZodMiniString) =>
  z
    .strictObject({ verbatim: text.check(z.describe('Handed on as it stands, even where it holds `${`.')) })
    .check(z.meta({ title: 'Verbatim text' }))

export const argument = z.union([
  literal(
    'A secret goes into `variables`, which the server finds in its environment. ' +
      'If the text itself is meant, write { verbatim: "…" } in its place.',
  ),
  verbatim(z.string().check(receivable)),
])

export const environmentValue = z.union([
  literal(
    'To pass on a variable, declare it under the top-level `variables` and name it in the `variables` of the ' +
      'server. If the text itself is meant, write { verbatim: "…" } in its place.',
  ),
  verbatim(z.string().check(receivable)),
])

const fieldValue = rule(
  'BRIDLE206',
  (text) => !/[\u0001-\u0008\u000A-\u001F\u007F]/.test(text) && !/^[ \t]|[ \t]$/.test(text),
  'has a control character, or a blank at its beginning or end, which a header cannot carry (RFC 9110 5.5).',
  'Remove the character.',
)

export const headerValue = z.union([
  z
    .string()
    .check(
      receivable,
      fieldValue,
      notReference(
        'To send a variable, declare it under the top-level `variables` and use `headerVariables` or ' +
          '`bearerTokenVariable`. If the text itself is meant, write { verbatim: "…" } in its place.',
      ),
    ),
  verbatim(z.string().check(receivable, fieldValue)),
])

// Names

const identifierPattern = '^[A-Za-z_][A-Za-z0-9_]*$'
const isIdentifier = new RegExp(identifierPattern)

/** A property of this name would vanish in JavaScript, silently. */
const isPlain = (name: string) => name !== '__proto__'

function identifier(help: string) {
  return z.string().check(
    rule(
      'BRIDLE205',
      (name) => isIdentifier.test(name) && isPlain(name),
      'is not a name for an environment variable.',
      help,
    ),
    rule(
      'BRIDLE205',
      (name) => !name.startsWith('BRIDLE_'),
      'begins with BRIDLE_, which Bridle keeps for itself.',
      'Choose another name.',
    ),
    z.meta({ pattern: `^(?!BRIDLE_)${identifierPattern.slice(1)}` }),
  )
}

export const environmentName = identifier('Use letters, digits and `_`, and do not begin with a digit.')

export const declaredVariable = identifier(
  'Write the name of a variable that is declared under the top-level `variables`, never its value.',
)

const serverNamePattern = '^[A-Za-z0-9_-]{1,32}$'
const serverNames = new RegExp(serverNamePattern)

export const serverName = z.string().check(
  rule(
    'BRIDLE205',
    (name) => serverNames.test(name) && !['__proto__', 'constructor', 'prototype'].includes(name),
    'is not a name for a server.',
    'Use 1 to 32 letters, digits, `_` or `-` (and none of `__proto__`, `constructor`, `prototype`). ' +
      'A name for people goes into `title`.',
  ),
  z.meta({ pattern: serverNamePattern }),
)

const headerNamePattern = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
const headerNames = new RegExp(headerNamePattern)

export const headerName = z.string().check(
  rule(
    'BRIDLE205',
    (name) => headerNames.test(name) && isPlain(name),
    'is not a name for a header (RFC 9110 5.1).',
    'Use letters, digits and `-`.',
  ),
  z.meta({ pattern: headerNamePattern }),
)

export const toolName = z.string().check(
  receivable,
  notReference('Write the name of the tool as the server lists it; patterns and variables are not replaced.'),
  rule(
    'BRIDLE205',
    (name) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,128}$/u.test(name),
    'is not a name for a tool.',
    'Write the name of the tool as the server lists it: 1 to 128 printable characters.',
  ),
  z.meta({ minLength: 1, maxLength: 128 }),
)
