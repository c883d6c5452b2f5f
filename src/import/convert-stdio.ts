import { quoted } from '../spec/report.ts'
import { isPlaceholder } from '../text/placeholders.ts'
import { isSecret, mayTell, secretArguments } from '../text/secrets.ts'
import { type Collected, described, notCopied, rotate, told, verbatimText } from './conversion.ts'
import type { ForeignServer, NamedText, Reference, Text } from './foreign.ts'
import type { ImportedServer } from './imported.ts'
import { literalOf, referencesIn } from './references.ts'

/** Each argument is a literal: one that is not, or that holds a secret, leaves the server out. */
export function convertArguments(texts: readonly Text[], collected: Collected): ImportedServer {
  const literals = texts.map(({ parts }) => literalOf(parts))
  const secret = secretArguments(literals)
  for (const [index, { parts, span }] of texts.entries()) {
    const what = `argument ${index + 1}`
    if (secret.includes(index)) notCopied(what, span, collected)
    else if (literals[index] === undefined) {
      collected.refuse(
        `${what} refers to ${described(referencesIn(parts))}, and a spec has only literals there`,
        span,
        'Most servers take the same from an environment variable: write it into `env`, and import again.',
      )
    }
  }
  if (texts.length === 0) return {}
  return {
    arguments: texts.map(({ span }, index) =>
      verbatimText(literals[index] ?? '', `argument ${index + 1}`, span, collected),
    ),
  }
}

/** Literals into `environment`; references and secrets into `variables`. */
export function convertEnvironment(
  { environment: all = [] }: ForeignServer,
  collected: Collected,
): ImportedServer {
  const environment: [string, string | { verbatim: string }][] = []
  const variables: [string, string][] = []
  for (const named of lastOfEach(all, collected)) {
    const literal = literalOf(named.text.parts)
    const what = `\`${named.name}\``
    if (literal === undefined) {
      const variable = variableFor(named, collected)
      if (variable !== undefined) variables.push([named.name, variable])
    } else if (isSecret(named.name, literal) || isUnfilled(named.name, literal)) {
      const variable = collected.variables.secret(
        literal,
        `${collected.foreign.name}_${named.name}`,
        named.name,
      )
      tellSecret(what, literal, variable, named.text, collected)
      variables.push([named.name, variable])
    } else {
      environment.push([named.name, verbatimText(literal, what, named.text.span, collected)])
    }
  }
  const isPlain = variables.every(([name, variable]) => name === variable)
  return {
    ...(environment.length > 0 && { environment: Object.fromEntries(environment) }),
    ...(variables.length > 0 && {
      variables: isPlain ? variables.map(([name]) => name) : Object.fromEntries(variables),
    }),
  }
}

/** Of two values for one name the program takes the last. */
export function lastOfEach(
  all: readonly NamedText[],
  collected: Collected,
  fold = (name: string) => name,
): readonly NamedText[] {
  const last = new Map(all.map((named) => [fold(named.name), named]))
  for (const named of all.filter((each) => last.get(fold(each.name)) !== each)) {
    told(
      collected,
      'BRIDLE421',
      `a second value of \`${named.name}\` is not carried over: another one wins`,
      named.text,
    )
  }
  return [...last.values()]
}

/** The declared variable that gives a value which refers to something; undefined when there can be none. */
export function variableFor({ name, text }: NamedText, collected: Collected): string | undefined {
  const references = referencesIn(text.parts)
  const [first] = references
  const foreign = references.find(({ kind }) => kind === 'other')
  if (foreign !== undefined) {
    const reason = `\`${name}\` refers to \`${foreign.name}\`, which only ${collected.foreign.program} knows`
    collected.refuse(reason, text.span)
    return undefined
  }
  if (first !== undefined && text.parts.length === 1) return wholeValue(first, name, text, collected)
  const variable = collected.variables.secret(
    JSON.stringify(text.parts),
    `${collected.foreign.name}_${name}`,
    name,
  )
  told(
    collected,
    'BRIDLE424',
    `\`${name}\` is put together with ${described(references)}; the variable \`${variable}\` must hold the whole value now`,
    text,
  )
  return variable
}

/** The variable behind a reference that is a whole value. */
export function wholeValue(
  reference: Reference,
  what: string,
  text: Text,
  collected: Collected,
): string | undefined {
  const { kind, name, fallback } = reference
  const { variables, foreign } = collected
  const variable = kind === 'input' ? variables.input(name) : variables.environment(name)
  if (variable === undefined) {
    collected.refuse(
      `\`${what}\` refers to \`${name}\`, which cannot be the name of a declared variable`,
      text.span,
    )
    return undefined
  }
  if (kind === 'input') {
    const message = `${foreign.program} asks for the input \`${name}\`; it is the variable \`${variable}\` of the environment now`
    told(collected, 'BRIDLE424', message, text)
  }
  if (fallback !== undefined) tellDefault(variable, what, reference, text, collected)
  return variable
}

/** The default value is shown where it is no secret. */
function tellDefault(
  variable: string,
  what: string,
  { fallback = '', isSecret: isHidden = false }: Reference,
  text: Text,
  collected: Collected,
): void {
  const shown =
    isHidden || isSecret(variable, fallback) || isSecret(what, fallback)
      ? 'a default value'
      : `the default value ${quoted(fallback)}`
  told(
    collected,
    'BRIDLE424',
    `\`${variable}\` had ${shown}, and must be set now`,
    text,
    'Where it is no secret, write the value into `environment` or `headers` and remove the variable.',
  )
}

/** Whether there is a word for the secret that belongs there. */
export function isUnfilled(name: string, value: string): boolean {
  return mayTell(name) && isPlaceholder(value)
}

/** Tells of a secret, or of what holds the place of one. */
export function tellSecret(
  what: string,
  literal: string,
  variable: string,
  text: Text,
  collected: Collected,
): void {
  if (isPlaceholder(literal)) {
    const filled = `${what} holds the place of a secret; a spec takes it from a variable, here \`${variable}\``
    told(collected, 'BRIDLE424', filled, text)
    return
  }
  const message = `the secret in ${what} was not copied; a spec takes it from a variable, here \`${variable}\``
  told(collected, 'BRIDLE423', message, text, rotate)
}
